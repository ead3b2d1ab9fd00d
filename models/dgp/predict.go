package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/likelihood"
	"dgplab/models/predictive"
)

// predictColumns limits the number of columns (points times samples) per prediction pass.
const predictColumns = 4096

// Predict implements family.Model. Without a q(f_M), the inducing outputs are kept samples of the
// chains, and Predict rounds the number of samples down so that each kept sample is used equally
// often.
func (d *deepGP) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if err := d.refresh(); err != nil {
		return nil, err
	}
	if d.sampledOutputs != nil {
		samples -= samples % len(d.sampledOutputs(samples))
	}
	n, _ := X.Dims()
	g := d.predictor(min(n, max(1, predictColumns/samples)), samples)
	out := newMixture(g, n)
	for start := 0; start < n; start += g.b {
		d.load(g, X, start, seed)
		if err := g.tape.Forward(); err != nil {
			return nil, d.wrapError(err)
		}
		out.SetColumns(start, g.outMean.Value, g.outVar.Value)
	}
	return d.arch.Likelihood.Observe(out, likelihood.Values(d.post.observation)), nil
}

// newMixture returns an empty mixture without noise for n points and the samples of the graph.
func newMixture(g *graph, n int) *predictive.Gaussians {
	weights := make([]float64, g.outMean.Cols/g.b)
	for k := range weights {
		weights[k] = 1 / float64(len(weights))
	}
	return predictive.NewGaussians(weights, n, g.outMean.Rows)
}
