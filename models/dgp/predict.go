package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/predictive"
)

// predictColumns bounds the number of columns (points times samples) that a
// prediction works on at a time.
const predictColumns = 4096

// Predict implements family.Model. Where there is no q(f_M), every sample has inducing
// outputs of a chain, all of them equally often: samples are left out to make that so.
func (d *deepGP) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if err := d.refresh(); err != nil {
		return nil, err
	}
	if d.outputs != nil {
		samples -= samples % len(d.outputs(samples))
	}
	n, _ := X.Dims()
	g := d.predictor(min(n, max(1, predictColumns/samples)), samples)
	out := newMixture(g, n)
	for start := 0; start < n; start += g.b {
		d.load(g, X, start, seed)
		if err := g.tape.Forward(); err != nil {
			return nil, d.at(err)
		}
		out.SetColumns(start, g.outMean.Value, g.outVar.Value)
	}
	return predictive.Observed(out, d.arch.likelihood(), d.post.noise.Value[0]), nil
}

// newMixture returns an empty mixture, without noise, for n points of the graph's samples.
func newMixture(g *graph, n int) *predictive.Gaussians {
	weights := make([]float64, g.outMean.Cols/g.b)
	for k := range weights {
		weights[k] = 1 / float64(len(weights))
	}
	return predictive.NewGaussians(weights, n, g.outMean.Rows)
}
