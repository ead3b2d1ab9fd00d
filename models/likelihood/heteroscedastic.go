package likelihood

import (
	"math"
	"math/rand/v2"

	"dgplab/datasets/task"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

var heteroscedastic = Declaration{
	Name: "heteroscedastic", Formula: "N(y; f1, exp(f2 + log_variance))",
	Use:   "real targets with noise that varies with the inputs",
	Tasks: []task.Task{task.Regression},
	New:   func(s Setup) Likelihood { return Heteroscedastic{math.Log(s.Noise)} },
}

// Heteroscedastic is a Gaussian whose mean is one latent function and whose log variance is another
// (Lázaro-Gredilla, Titsias, "Variational Heteroscedastic Gaussian Process Regression", ICML 2011).
type Heteroscedastic struct {
	// LogNoise is the initial log_variance.
	LogNoise float64
}

// Parameters implements Likelihood.
func (l Heteroscedastic) Parameters() []Parameter {
	return []Parameter{{Name: "log_variance", Start: l.LogNoise, Transform: param.Identity{}}}
}

// Latents implements Likelihood.
func (Heteroscedastic) Latents() int { return 2 }

// VariationalExpectations implements Likelihood in closed form: with e = exp(-m2 + v2/2),
//
//	E log p = -1/2 (log(2 pi) + m2 + ((y - m1)^2 + v1) e)
func (Heteroscedastic) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	eachPair(terms, dMean, dVar, dParams, y, func(i int, dMean, dVar []float64) float64 {
		level := mean[2*i+1] + params[0]
		precision := rate(-level + 0.5*vr[2*i+1])
		d := y[i] - mean[2*i]
		squares := (d*d + vr[2*i]) * precision
		dMean[0], dVar[0] = d*precision, -0.5*precision
		dMean[1], dVar[1] = 0.5*(squares-1), -0.25*squares
		return -0.5 * (log2Pi + level + squares)
	})
}

// eachPair computes each row that has a target by calling `of`, which returns the term and sets the
// derivatives of the row. The derivative with respect to log_variance equals the derivative with
// respect to the mean of f2.
func eachPair(
	terms, dMean, dVar, dParams, y []float64, of func(i int, dMean, dVar []float64) float64,
) {
	clear(dParams)
	for i := range terms {
		m, v := dMean[2*i:2*i+2], dVar[2*i:2*i+2]
		if math.IsNaN(y[i]) {
			terms[i] = 0
			clear(m)
			clear(v)
			continue
		}
		terms[i] = of(i, m, v)
		addParams(dParams, m[1:], i, len(terms))
	}
}

// LogExpectation implements Likelihood by quadrature over f2.
func (Heteroscedastic) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	eachPair(terms, dMean, dVar, dParams, y, func(i int, dMean, dVar []float64) float64 {
		in := overNoise(y[i], mean[2*i:2*i+2], vr[2*i:2*i+2], params)
		defer integrals.Put(in)
		term, byMean, byVar := in.logExpected()
		dMean[0], dVar[0] = in.dParams[0], in.dParams[1]
		dMean[1], dVar[1] = byMean, byVar
		return term
	})
}

// overNoise returns the integral over f2 for a row. The moments of f1 take the place of parameters.
func overNoise(y float64, mean, vr, params []float64) *integral {
	in := newIntegral(noiseDensity{}, y, mean[1]+params[0], vr[1], nil)
	in.room = [maxParameters]float64{mean[0], vr[0]}
	in.params = in.room[:]
	return in
}

// noiseDensity is the density of a target given the log variance f of its noise, N(y; m1, v1 + exp(f)),
// with the parameters m1 and v1.
type noiseDensity struct{ constantless }

// Parameters implements density.
func (noiseDensity) Parameters() []Parameter { return nil }

// LogDensity implements density.
func (noiseDensity) LogDensity(
	dParams []float64, y, f float64, params []float64, _ *constants,
) (value, first, second float64) {
	noise := rate(f)
	variance := math.Max(params[1]+noise, leastNoise)
	d := y - params[0]
	square := d * d / variance
	share := noise / variance
	dParams[0] = d / variance
	dParams[1] = 0.5 * (square - 1) / variance
	first = 0.5 * share * (square - 1)
	return -0.5 * (log2Pi + math.Log(variance) + square), first, first*(1-share) - 0.5*share*share*square
}

// leastNoise is the lower limit of variances.
const leastNoise = 1e-100

// Peak implements density.
func (noiseDensity) Peak(y float64, params []float64) float64 {
	d := y - params[0]
	return math.Log(math.Max(d*d-params[1], math.Max(1e-3*params[1], leastNoise)))
}

// Observe implements Likelihood.
func (l Heteroscedastic) Observe(latent *predictive.Gaussians, params []float64) predictive.Predictive {
	return compound(l, latent, params)
}

// LogDensity implements predictive.Observation.
func (Heteroscedastic) LogDensity(y float64, mean, vr, params []float64) float64 {
	in := overNoise(y, mean, vr, params)
	defer integrals.Put(in)
	term, _, _ := in.logExpected()
	return term
}

// Kernel implements predictive.Observation.
func (Heteroscedastic) Kernel(k *predictive.Kernel, y float64, mean, vr, params []float64) {
	addLogNormal(k, y, mean[1]+params[0], vr[1], vr[0])
}

// Moments implements predictive.Observation.
func (Heteroscedastic) Moments(mean, vr, params []float64) (mu, variance float64) {
	return mean[0], vr[0] + rate(mean[1]+params[0]+0.5*vr[1])
}

// Draw implements predictive.Observation.
func (Heteroscedastic) Draw(r *rand.Rand, f, params []float64) float64 {
	return f[0] + math.Sqrt(rate(f[1]+params[0]))*r.NormFloat64()
}

// Discrete implements predictive.Observation.
func (Heteroscedastic) Discrete() bool { return false }
