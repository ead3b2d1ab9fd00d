package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// DrawFunctions implements family.FunctionSampler. It draws planes with weights from their Gaussian
// posterior (Bishop, "Pattern Recognition and Machine Learning", 2006, eqs. 3.53 and 3.54). For
// classes it draws the latent functions under the Laplace approximation (eq. 4.134).
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	x := m.at(X)
	streams := stats.NewStreams(seed, "functions")
	var list [][][]float64
	for c := range count {
		w, err := m.problem.drawWeights(streams.At(uint64(c)))
		if err != nil {
			return nil, m.WithStep(err)
		}
		functions := len(w) / x.d
		if m.space != nil {
			for k := range functions {
				w[(k+1)*x.d-1] = 0 // addAcross draws this part jointly for all points
			}
		}
		f := make([]float64, x.n()*functions)
		x.times(f, w)
		draw := make([][]float64, functions)
		for i, v := range f {
			draw[i%functions] = append(draw[i%functions], v)
		}
		if m.space != nil {
			for k, alpha := range m.problem.precisions() {
				m.space.addAcross(draw[k], X, x.x, alpha, streams.At(uint64(c*functions+k)+1<<32))
			}
		}
		list = append(list, draw)
	}
	return list, nil
}

// drawWeights implements problem. It returns V (m + a z) for every target, where a holds the
// standard deviations along the eigenvectors.
func (r *regression) drawWeights(stream *rand.Rand) (w []float64, err error) {
	for k, o := range r.outputs {
		mean, along := r.posterior(k)
		for i, v := range along {
			along[i] = math.Sqrt(v) * stream.NormFloat64()
		}
		for i, off := range o.weights(along) {
			w = append(w, mean[i]+off)
		}
	}
	return w, nil
}

// drawWeights implements problem. It returns w^ + L^-T z with A = L L^T.
func (c *classification) drawWeights(stream *rand.Rand) ([]float64, error) {
	if err := c.refresh(); err != nil {
		return nil, err
	}
	size := c.l * c.d
	w := make([]float64, size)
	stats.Normals(w, stream)
	linalg.SolveLowerTrans(c.root, w, size, 1, 1)
	for i, mode := range c.w {
		w[i] += mode
	}
	return w, nil
}
