package likelihood

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/datasets/task"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

var poisson = Declaration{
	Name: "poisson", Formula: "Poisson(y; exp(f + log_mean))", Use: "counts",
	Tasks: []task.Task{task.Count},
	New:   func(s Setup) Likelihood { return Poisson{observed{poissonDensity{start: logMean(s.Targets)}}} },
}

// Poisson is the distribution of counts with the rate exp(f + log_mean).
type Poisson struct{ observed }

// poissonDensity is the distribution of Poisson.
type poissonDensity struct {
	counts
	start float64 // of log_mean
}

// maxLog limits logarithms of rates, so squares of their moments are finite.
const maxLog = 200

// rate returns exp(f), limited.
func rate(f float64) float64 { return math.Exp(math.Min(f, maxLog)) }

// logMean returns the initial logarithm of the mean of counts.
func logMean(counts []float64) float64 {
	var sum, n float64
	for _, y := range counts {
		if !math.IsNaN(y) {
			sum += y
			n++
		}
	}
	return math.Log((sum + 0.5) / (n + 0.5))
}

// logMeanParameter is the mean of the logarithm of a rate.
func logMeanParameter(start float64) Parameter {
	return Parameter{Name: "log_mean", Start: start, Transform: param.Identity{}}
}

// Parameters implements Likelihood.
func (d poissonDensity) Parameters() []Parameter { return []Parameter{logMeanParameter(d.start)} }

// Constants implements density.
func (poissonDensity) Constants(y float64, _ []float64) constants { return poissonConstants(y) }

// poissonConstants returns log y and the other part of the log probability that does not depend on the
// mean.
func poissonConstants(y float64) constants {
	if y == 0 {
		return constants{}
	}
	return constants{math.Log(y), -0.5*math.Log(2*math.Pi*y) - stirling(y)}
}

// LogDensity implements density.
func (poissonDensity) LogDensity(
	dParams []float64, y, f float64, params []float64, c *constants,
) (value, first, second float64) {
	log := math.Min(f+params[0], maxLog)
	mu := math.Exp(log)
	dParams[0] = y - mu
	return logPoisson(y, log, mu, c), y - mu, -mu
}

// logPoisson returns the log probability of a count under the mean mu. With delta = log(mu/y) it is
// y (delta - expm1(delta)) plus Stirling's formula, which cancels less than its parts for large counts
// (Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000).
func logPoisson(y, log, mu float64, c *constants) float64 {
	if y == 0 {
		return -mu
	}
	delta := log - c[0]
	return y*(delta-math.Expm1(delta)) + c[1]
}

// stirling returns the error of Stirling's formula: log Gamma(x) - (x - 1/2) log x + x - log(2 pi)/2.
func stirling(x float64) float64 {
	if x < 16 {
		log, _ := math.Lgamma(x)
		return log - (x-0.5)*math.Log(x) + x - 0.5*log2Pi
	}
	inverse := 1 / (x * x)
	return (1.0/12 - inverse*(1.0/360-inverse*(1.0/1260-inverse/1680))) / x
}

// Peak implements density.
func (poissonDensity) Peak(y float64, params []float64) float64 {
	return math.Log(math.Max(y, 0.5)) - params[0]
}

// VariationalExpectations implements Likelihood in closed form, with R = exp(mean + vr/2):
//
//	E log p = y mean - R - log y!
func (Poisson) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	clear(dParams)
	for i := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		log := mean[i] + params[0]
		mu := rate(log)
		expected := rate(log + 0.5*vr[i])
		c := poissonConstants(y[i])
		terms[i] = logPoisson(y[i], math.Min(log, maxLog), mu, &c) - (expected - mu)
		dMean[i], dVar[i] = y[i]-expected, -0.5*expected
		addParams(dParams, dMean[i:i+1], i, len(terms))
	}
}

// Kernel implements predictive.Observation. A count is at most y if a Gamma variable with the shape y+1
// exceeds the rate.
func (poissonDensity) Kernel(k *predictive.Kernel, y float64, _, vr, params []float64) {
	addRatio(k, math.Floor(y)+1, math.Inf(1), -params[0], vr[0])
}

// Moments implements predictive.Observation.
func (poissonDensity) Moments(mean, vr, params []float64) (mu, variance float64) {
	return countMoments(mean[0]+params[0], vr[0], 0)
}

// countMoments returns the moments of counts with the mean mu = exp(f) and the variance mu +
// dispersion mu^2.
func countMoments(mean, vr, dispersion float64) (mu, variance float64) {
	mu = rate(mean + 0.5*vr)
	vr = math.Min(vr, maxLog)
	return mu, mu + mu*mu*(dispersion*math.Exp(vr)+math.Expm1(vr))
}

// Draw implements predictive.Observation.
func (poissonDensity) Draw(r *rand.Rand, f, params []float64) float64 {
	return drawPoisson(r, rate(f[0]+params[0]))
}

// hugeRate is the rate from which a Poisson distribution is Gaussian to machine precision.
const hugeRate = 1e12

func drawPoisson(r *rand.Rand, mu float64) float64 {
	if mu > hugeRate {
		return math.Floor(mu + math.Sqrt(mu)*r.NormFloat64())
	}
	return distuv.Poisson{Lambda: mu, Src: r}.Rand()
}
