package dgp

import (
	"context"
	"math"

	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
)

const (
	// leftOutDraws is the maximum number of kept samples for leave-one-out predictions, and
	// leftOutPaths is the number of draws of the hidden layers for each sample.
	leftOutDraws = 200
	leftOutPaths = 8
)

// LeaveOneOut implements family.LeaveOneOuter by importance sampling from the kept samples. The
// density of a target given a sample is a mean over draws of the hidden layers. LeaveOneOut returns
// nil if no sample has been kept yet.
func (m *Chains) LeaveOneOut(ctx context.Context, rows []int, seed uint64) (*family.LeftOut, error) {
	if len(m.AllDraws()) == 0 {
		return nil, nil
	}
	if err := m.refresh(); err != nil {
		return nil, err
	}
	paths := leftOutPaths
	if len(m.arch.Layers) == 1 {
		paths = 1
	}
	samples := m.PredictionSamples(leftOutDraws)
	components := len(samples) * paths
	x, y := m.chains[0].data.Rows(rows)
	n := len(rows)
	g := m.predictor(min(n, max(1, predictColumns/components)), components)
	out := newMixture(g, n)
	for start := 0; start < n; start += g.b {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.load(g, x, start, seed)
		for r := range components {
			g.setInducing(r, samples[r/paths])
		}
		if err := g.tape.Forward(); err != nil {
			return nil, m.wrapError(err)
		}
		out.SetColumns(start, g.outMean.Value, g.outVar.Value)
	}
	p := m.arch.Likelihood.Observe(out, likelihood.Values(m.post.observation))
	byPath := make([]float64, components*n)
	p.(predictive.Mixture).ComponentLogDensity(byPath, y)
	densities := make([]float64, len(samples)*n)
	for k := range densities {
		densities[k] = meanDensity(byPath[k/n*paths*n+k%n:], n, paths)
	}
	return sampling.LeaveOneOut(ctx, p, components, densities)
}

// meanDensity returns the logarithm of the mean density over the given number of paths. logs holds
// log densities that are stride apart.
func meanDensity(logs []float64, stride, paths int) float64 {
	top := math.Inf(-1)
	for r := range paths {
		top = math.Max(top, logs[r*stride])
	}
	if math.IsInf(top, 0) {
		return top
	}
	var sum float64
	for r := range paths {
		sum += math.Exp(logs[r*stride] - top)
	}
	return top + math.Log(sum/float64(paths))
}
