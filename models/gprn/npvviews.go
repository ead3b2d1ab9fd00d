package gprn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/view"
)

// Views implements family.Viewer.
func (m *NPV) Views(uint64) (view.Views, error) {
	n := m.npv
	if err := n.refreshQuietly(); err != nil {
		return view.Views{}, m.WithStep(err)
	}
	lines := n.latent.prior.lines()
	matrices := &view.Matrices{}
	for layer, f := range n.kinds() {
		matrices.Matrices = append(matrices.Matrices,
			view.Matrix{Name: f.prior.of, Kind: view.PriorMatrix, Layer: layer, GP: -1,
				Jitter: view.Float(f.prior.jitter), Rescues: f.rescues,
				Condition:     view.Float(linalg.CholeskyCondition(f.l, n.n)),
				SmallestPivot: view.Float(linalg.SmallestPivot(f.l, n.n))})
	}
	return view.Views{
		Blocks:    n.blocks(lines[0]),
		Functions: functionsAlong(n.mixture(pointsAlong(lines)).functions(), lines, n.p, n.q),
		Matrices:  matrices,
		Network:   n.atData().network(n.data, n.latentScales(), n.order(lines[0])),
	}, nil
}

// Functions implements family.FunctionPredictor.
func (m *NPV) Functions(X *mat.Dense) ([]view.Function, error) {
	n := m.npv
	if err := n.refreshQuietly(); err != nil {
		return nil, m.WithStep(err)
	}
	a := n.mixture(rows(X)).functions()
	return functionsOf(a, 0, a.n, n.p, n.q), nil
}

// functions returns the moments of all functions over the components.
func (m *mixture) functions() *moments {
	share := 1 / float64(len(m.components))
	out := newMoments(m.q*(m.p+1), m.components[0].n)
	for _, c := range m.components {
		for i, v := range c.mean {
			out.mean[i] += share * v
		}
	}
	for _, c := range m.components {
		for i, v := range c.mean {
			out.variance[i] += share * (c.variance[i] + (v-out.mean[i])*(v-out.mean[i]))
		}
	}
	return out
}

// blocks returns the covariances of the mixture at the training points, ordered along a line: the
// covariance of the component means plus the mean of the component variances.
func (m *npv) blocks(line view.Line) *view.Blocks {
	order, functions := m.order(line), m.q*(m.p+1)
	deviations := make([]float64, functions*m.n*m.k) // [functions][N][K]
	for f := range functions {
		for i, row := range order {
			at := (f*m.n + i) * m.k
			for k := range m.k {
				deviations[at+k] = m.meanOf(f, k)[row]
			}
			center := average(deviations[at : at+m.k])
			for k := range m.k {
				deviations[at+k] = (deviations[at+k] - center) / math.Sqrt(float64(m.k))
			}
		}
	}
	pool := view.NewPool(parts(m.n, m.p, m.q), view.MaxCells)
	block, size := square(make([]float64, m.n*m.n), m.n), m.n*m.k
	for f := range functions {
		for g := range f + 1 {
			if m.k == 1 && g < f {
				continue // independent
			}
			linalg.Gemm(false, true, m.n, m.n, m.k, 1, deviations[f*size:(f+1)*size],
				deviations[g*size:(g+1)*size], 0, block.Data)
			if f == g {
				for i := range m.n {
					block.Data[i*m.n+i] += average(m.variances)
				}
			}
			pool.Enter(f, g, block)
		}
	}
	return pool.Blocks()
}

// meanOf returns the mean of function f, indexed as in moments, in component k.
func (m *npv) meanOf(f, k int) []float64 {
	if f < m.q {
		return m.latent.of(k)[f*m.n : (f+1)*m.n]
	}
	return m.weight.of(k)[(f-m.q)*m.n : (f-m.q+1)*m.n]
}
