package bnn

import (
	"math"

	"dgplab/models/param"
	"dgplab/models/stats"
)

// weightPrior is the prior N(0, 1/lambda) of the weights of all layers, with a Gamma prior of the
// shared precision lambda. In the posterior, the factor N(w | 0, 1/lambda) of each weight is
// approximated by a Gaussian in w times a Gamma density in lambda. Expectation propagation refines
// the approximate factors after each pass over the data (Hernández-Lobato, Adams 2015, sections 3.3
// and 3.4).
type weightPrior struct {
	layers []*dense
	// gamma holds the shape and rate of the posterior of lambda.
	gamma []float64
	// factors holds, for each weight, the precision, the precision times the mean, and the
	// increments of shape and rate, [weights][4].
	factors []float64
}

// leastCavity is the cavity precision below which the data are considered uninformative about a
// weight.
const leastCavity = 1e-6

// newWeightPrior returns the prior of layers. It sets their variances to the prior variance. The
// random initial means carry no information and become part of the factors.
func newWeightPrior(layers []*dense, gamma []float64) *weightPrior {
	p := &weightPrior{layers: layers, gamma: gamma}
	variance := p.variance()
	for _, d := range layers {
		for i, m := range d.mean {
			d.vr[i] = variance
			p.factors = append(p.factors, 1/variance, m/variance, 0, 0)
		}
	}
	return p
}

// variance returns the mean of 1/lambda.
func (p *weightPrior) variance() float64 { return p.gamma[1] / (p.gamma[0] - 1) }

// refine removes the factor of one weight after another from the posterior and replaces it with a
// factor that matches the moments under the exact factor.
func (p *weightPrior) refine() {
	factors := p.factors
	for _, d := range p.layers {
		for i := range d.mean {
			p.refineOne(&d.mean[i], &d.vr[i], factors[:4:4])
			factors = factors[4:]
		}
	}
}

// refineOne refines one factor. Without the factor, the posterior is N(m, v) for the weight and
// Gamma(a, b) for lambda, and the integral of N(w | 0, 1/lambda) is approximately
//
//	Z(a) = N(m | 0, v + b/(a-1)),
//
// a Gaussian that replaces Student's t with the same variance. The Gaussian is updated by the
// derivatives of log Z and the Gamma by Z at a, a+1 and a+2. If the result is not positive, the
// factor is left unchanged.
func (p *weightPrior) refineOne(mean, vr *float64, f []float64) {
	precision, weighted := 1 / *vr - f[0], *mean / *vr - f[1]
	shape, rate := p.gamma[0]-f[2], p.gamma[1]-f[3]
	if !(precision > leastCavity && shape > 1 && rate > 0) {
		return
	}
	m, v := weighted/precision, 1/precision
	logZ := func(more float64) float64 { return stats.LogPDF(0, m, v+rate/(shape-1+more)) }
	a, b, ok := matchGamma(shape, rate, logZ(0), logZ(1), logZ(2))
	total := v + rate/(shape-1)
	byMean := -m / total
	byVar := 0.5 * (byMean*byMean - 1/total)
	next := v - v*v*(byMean*byMean-2*byVar)
	if !ok || !(next > 0) {
		return
	}
	*mean, *vr = m+v*byMean, next
	p.gamma[0], p.gamma[1] = a, b
	f[0] = 1/next - precision
	f[1] = *mean/next - weighted
	f[2] = a - shape
	f[3] = b - rate
}

// state returns the arrays of a checkpoint.
func (p *weightPrior) state() []param.Array {
	return []param.Array{{Name: "prior.gamma", Data: p.gamma}, {Name: "prior.factors", Data: p.factors}}
}

// matchGamma returns the Gamma distribution that matches the first two moments of Gamma(shape,
// rate) times a likelihood, given the logarithm of the integral of that product at shape, shape + 1
// and shape + 2 (section 3.3). ok is false if rounding errors prevent a valid Gamma distribution
// with a finite mean variance.
func matchGamma(shape, rate, zero, one, two float64) (a, b float64, ok bool) {
	a = 1 / (math.Exp(two-2*one+zero)*(shape+1)/shape - 1)
	b = 1 / (math.Exp(two-one)*(shape+1)/rate - math.Exp(one-zero)*shape/rate)
	return a, b, a > 1 && b > 0 && !math.IsInf(a, 1) && !math.IsInf(b, 1)
}
