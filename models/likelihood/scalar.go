package likelihood

import (
	"math"
	"math/rand/v2"

	"dgplab/models/predictive"
)

// scalar computes the expectations of a density, by quadrature.
type scalar struct{ density }

// Latents implements Likelihood.
func (scalar) Latents() int { return 1 }

// VariationalExpectations implements Likelihood.
func (l scalar) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	byRow(l.density, (*integral).expectedLog, terms, dMean, dVar, dParams, y, mean, vr, params)
}

// LogExpectation implements Likelihood.
func (l scalar) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	byRow(l.density, (*integral).logExpected, terms, dMean, dVar, dParams, y, mean, vr, params)
}

// byRow computes the results of each row that has a target by calling `of`.
func byRow(
	d density, of func(in *integral) (term, dMean, dVar float64),
	terms, dMean, dVar, dParams, y, mean, vr, params []float64,
) {
	clear(dParams)
	n := len(terms)
	for i := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		in := newIntegral(d, y[i], mean[i], vr[i], params)
		terms[i], dMean[i], dVar[i] = of(in)
		addParams(dParams, in.dParams[:len(params)], i, n)
		integrals.Put(in)
	}
}

// addParams adds the derivatives of row i of n with respect to the parameters to dParams, which holds
// sums or one entry per row.
func addParams(dParams, of []float64, i, n int) {
	switch {
	case len(dParams) == 0:
	case len(dParams) == len(of):
		for q, d := range of {
			dParams[q] += d
		}
	default:
		for q, d := range of {
			dParams[q*n+i] = d
		}
	}
}

// expectedLog returns E log p and its derivatives; dParams receives the derivatives with respect to
// the parameters.
func (in *integral) expectedLog() (term, dMean, dVar float64) {
	value, first, second := in.at(0)
	if vr := in.sd * in.sd; vr <= 1 && vr*(math.Abs(second)+first*first) <= flat {
		return value + 0.5*vr*second, first, 0.5 * second
	}
	total := in.expectation(agreement)
	copy(in.dParams[:], total[3:])
	return total[0], total[1], total[2] / (2 * in.sd)
}

// logExpected is like expectedLog, but for log E p.
func (in *integral) logExpected() (term, dMean, dVar float64) {
	value, first, second := in.at(0)
	curvature := second + first*first
	if vr := in.sd * in.sd; vr <= 1 && vr*(math.Abs(second)+first*first) <= flat {
		return value + 0.5*vr*curvature, first, 0.5 * curvature
	}
	log, posterior := in.logDensity()
	copy(in.dParams[:], posterior[3:])
	return log, posterior[1], posterior[2] / (2 * in.sd)
}

// logDensityOf returns log E p(y | f) of one target.
func logDensityOf(l Likelihood, y float64, mean, vr, params []float64) float64 {
	var term [1]float64
	var room [2][2]float64
	l.LogExpectation(term[:], room[0][:], room[1][:], nil, []float64{y}, mean, vr, params)
	return term[0]
}

// distribution is a density with the methods that predictions of targets, real numbers or counts, need.
type distribution interface {
	density
	// Kernel, Moments, Draw and Discrete are as in predictive.Observation.
	Kernel(k *predictive.Kernel, y float64, mean, vr, params []float64)
	Moments(mean, vr, params []float64) (mu, variance float64)
	Draw(r *rand.Rand, f, params []float64) float64
	Discrete() bool
}

// observed is the likelihood of a distribution.
type observed struct{ distribution }

// Latents implements Likelihood.
func (observed) Latents() int { return 1 }

// VariationalExpectations implements Likelihood.
func (l observed) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	scalar{l.distribution}.VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params)
}

// LogExpectation implements Likelihood.
func (l observed) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	scalar{l.distribution}.LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params)
}

// Observe implements Likelihood.
func (l observed) Observe(latent *predictive.Gaussians, params []float64) predictive.Predictive {
	return compound(l, latent, params)
}

// LogDensity implements predictive.Observation.
func (l observed) LogDensity(y float64, mean, vr, params []float64) float64 {
	return logDensityOf(l, y, mean, vr, params)
}

// continuous and counts are embedded in distributions of real numbers and of counts.
type (
	continuous struct{}
	counts     struct{}
)

// Discrete implements predictive.Observation.
func (continuous) Discrete() bool { return false }

// Discrete implements predictive.Observation.
func (counts) Discrete() bool { return true }

// compound returns the prediction of real targets or counts.
func compound(
	of interface {
		Likelihood
		predictive.Observation
	}, latent *predictive.Gaussians, params []float64,
) predictive.Predictive {
	sets := max(1, len(params)/max(1, len(of.Parameters())))
	return predictive.NewCompound(of, latent, params, sets)
}
