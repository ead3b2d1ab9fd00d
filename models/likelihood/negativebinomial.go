package likelihood

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/datasets/task"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

var negativeBinomial = Declaration{
	Name: "negative-binomial", Formula: "NB(y; mean m, variance m + dispersion m^2), m = exp(f + log_mean)",
	Use:   "counts that vary more than Poisson's",
	Tasks: []task.Task{task.Count},
	New:   func(s Setup) Likelihood { return observed{nbDensity{start: logMean(s.Targets)}} },
}

// nbDensity is the distribution of counts with the mean mu = exp(f + log_mean) and the variance
// mu + dispersion mu^2. For dispersion 0 it is Poisson.
type nbDensity struct {
	counts
	start float64 // of log_mean
}

// startDispersion is the initial dispersion.
const startDispersion = 0.1

// Parameters implements Likelihood.
func (d nbDensity) Parameters() []Parameter {
	return []Parameter{
		{Name: "dispersion", Start: startDispersion, Transform: param.Positive{Lower: positiveFloor}},
		logMeanParameter(d.start),
	}
}

// Constants implements density. It returns log y, the other part of the log density, and the part of the
// derivative with respect to the dispersion.
func (nbDensity) Constants(y float64, params []float64) constants {
	c := constants{2: byDispersion(y, params[0])}
	if y > 0 {
		r := 1 / params[0]
		n := y + r
		c[0] = math.Log(y)
		c[1] = 0.5*math.Log(r/(2*math.Pi*n*y)) + stirling(n) - stirling(r) - stirling(y)
	}
	return c
}

// LogDensity implements density. With r = 1/dispersion, n = y + r and delta = log(mu/y), Stirling's
// formula for all Gamma functions gives y delta - n log(1 + y expm1(delta)/n) + log(r/(2 pi n y))/2,
// plus the errors of the formula.
func (nbDensity) LogDensity(
	dParams []float64, y, f float64, params []float64, c *constants,
) (value, first, second float64) {
	a := params[0]
	log := math.Min(f+params[1], maxLog)
	mu := math.Exp(log)
	r := 1 / a
	n := y + r
	spread := 1 + a*mu
	if y == 0 {
		value = -r * math.Log1p(a*mu)
	} else {
		delta := log - c[0]
		value = y*delta - n*math.Log1p(y*math.Expm1(delta)/n) + c[1]
	}
	first = (y - mu) / spread
	dParams[0] = c[2] + r*r*excess(a*mu) - y*mu/spread
	dParams[1] = first
	return value, first, -mu / spread * (1 + a*y) / spread
}

// excess returns log(1+v) - v/(1+v).
func excess(v float64) float64 {
	if v < 1e-3 {
		return v * v * (0.5 - v*(2.0/3-v*(3.0/4-v*(4.0/5-v*5.0/6))))
	}
	return math.Log1p(v) - v/(1+v)
}

// byDispersion returns the derivative of sum_{j < y} log(1 + a j) with respect to a, sum j/(1 + a j).
// For small a it uses the asymptotic series of the digamma function.
func byDispersion(y, a float64) float64 {
	r := 1 / a
	n := y + r
	if r < 50 {
		return y*r - r*r*(mathext.Digamma(n)-mathext.Digamma(r))
	}
	u := a * y
	curve := u - math.Log1p(u)
	if u < 1e-3 {
		curve = u * u * (0.5 - u*(1.0/3-u*(1.0/4-u*(1.0/5-u/6))))
	}
	share := r / n
	return r*r*curve - 0.5*y*share - y*(y+2*r)/(12*n*n) +
		(1-share*share*share*share)/(120*r*r) - (1-math.Pow(share, 6))/(252*r*r*r*r)
}

// Peak implements density.
func (nbDensity) Peak(y float64, params []float64) float64 {
	return math.Log(math.Max(y, 0.5)) - params[1]
}

// Kernel implements predictive.Observation. A count is at most y if the ratio of Gamma variables with the
// shapes y+1 and r = 1/dispersion exceeds the dispersion times the mean.
func (nbDensity) Kernel(k *predictive.Kernel, y float64, _, vr, params []float64) {
	addRatio(k, math.Floor(y)+1, 1/params[0], -params[1]-math.Log(params[0]), vr[0])
}

// Moments implements predictive.Observation.
func (nbDensity) Moments(mean, vr, params []float64) (mu, variance float64) {
	return countMoments(mean[0]+params[1], vr[0], params[0])
}

// Draw implements predictive.Observation. The rates of Poisson are Gamma distributed.
func (nbDensity) Draw(r *rand.Rand, f, params []float64) float64 {
	gamma := distuv.Gamma{Alpha: 1 / params[0], Beta: 1, Src: r}.Rand()
	return drawPoisson(r, gamma*params[0]*rate(f[0]+params[1]))
}
