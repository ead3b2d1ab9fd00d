package gibbs

import (
	"context"
	"math"
	"slices"

	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
)

// leftOutDraws is the maximum number of kept samples for leave-one-out predictions. Each sample
// takes two factorisations.
const leftOutDraws = 400

// LeaveOneOut implements family.LeaveOneOuter by importance sampling from the kept samples. The
// targets depend on each other given a sample, so the weights use the density of a target given all
// others. LeaveOneOut returns nil if no sample has been kept yet.
func (m *Model) LeaveOneOut(ctx context.Context, rows []int, _ uint64) (*family.LeftOut, error) {
	if len(m.AllDraws()) == 0 || m.joint.n() < 2 {
		return nil, nil
	}
	samples := m.PredictionSamples(leftOutDraws)
	n := len(rows)
	weights := slices.Repeat([]float64{1 / float64(len(samples))}, len(samples))
	out := predictive.NewGaussians(weights, n, 1)
	out.Noise = make([]float64, len(samples)) // Var includes the noise.
	densities := make([]float64, len(out.Mean))
	errs := make([]error, len(samples))
	loop := linalg.Loop{Body: func(s int) {
		errs[s] = ctx.Err()
		if errs[s] != nil {
			return
		}
		p, err := newPredictor(&m.joint.config, m.joint.at(samples[s]))
		if err != nil {
			errs[s] = m.WithStep(err)
			return
		}
		all := p.leaveOneOut()
		for i, row := range rows {
			out.Mean[s*n+i] = all.mean[row]
			out.Var[s*n+i] = all.variance[row]
			densities[s*n+i] = all.logDensity[row]
		}
	}}
	loop.Run(len(samples))
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return sampling.LeaveOneOut(ctx, out, len(samples), densities)
}

// leftOut holds leave-one-out predictions given a sample, [n] each: means and variances with noise, and
// log densities of the targets.
type leftOut struct{ mean, variance, logDensity []float64 }

// leaveOneOut returns the leave-one-out predictions of the targets y. With alpha = K^-1 y and c_i =
// [K^-1]_ii, a target has the mean y_i - alpha_i/c_i and the variance tau2/c_i, where tau2 is the
// scale of the other targets, (y' K^-1 y - alpha_i^2/c_i)/(n-1). With the scale integrated out, its
// density is a Student-t density with n-1 degrees of freedom, this mean, and squared scale
// tau2/c_i.
func (p *predictor) leaveOneOut() leftOut {
	n := p.config.n()
	inverse := make([]float64, n*n)
	for i := range n {
		inverse[i*n+i] = 1
	}
	linalg.SolveLower(p.root, inverse, n, n, n)
	diagonal := make([]float64, n)
	for k, v := range inverse {
		diagonal[k%n] += v * v
	}
	out := leftOut{make([]float64, n), make([]float64, n), make([]float64, n)}
	freedom := float64(n - 1)
	upper, _ := math.Lgamma(float64(n) / 2)
	lower, _ := math.Lgamma(freedom / 2)
	var total float64
	for i, alpha := range p.weights {
		total += alpha * p.config.y[i]
	}
	for i, alpha := range p.weights {
		off := alpha / diagonal[i]
		others := max(total-alpha*off, freedom*minScale)
		out.mean[i] = p.config.y[i] - off
		out.variance[i] = others / freedom / diagonal[i]
		out.logDensity[i] = upper - lower - 0.5*math.Log(math.Pi*others/diagonal[i]) -
			0.5*float64(n)*math.Log1p(off*off*diagonal[i]/others)
	}
	return out
}
