package bnn

import (
	"math"

	"dgplab/models/normal"
	"dgplab/models/param"
)

// weightPrior is the prior of the weights of layers, N(0, 1/lambda), with a Gamma prior of
// the precision lambda that they share. Every weight has a factor of its own that stands
// in for N(w | 0, 1/lambda) in the posterior: a Gaussian of the weight times a Gamma of
// lambda. Expectation propagation makes them anew after each pass over the data
// (Hernández-Lobato, Adams 2015, sections 3.3 and 3.4).
type weightPrior struct {
	layers []*dense
	// gamma holds the shape and the rate of the posterior of lambda.
	gamma []float64
	// factors holds of every weight the precision, the precision times the mean, and what is
	// added to the shape and to the rate, [weights][4].
	factors []float64
}

// leastCavity is the precision below which the data have said nothing of a weight.
const leastCavity = 1e-6

// newWeightPrior returns the prior of layers whose variances are set to that of the prior
// and whose means are set at random, which is no knowledge: it is part of the factors.
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

// refine takes the factor of each weight in turn out of the posterior, and puts the true one
// in its place, keeping two moments of weight and precision.
func (p *weightPrior) refine() {
	factors := p.factors
	for _, d := range p.layers {
		for i := range d.mean {
			p.refineOne(&d.mean[i], &d.vr[i], factors[:4:4])
			factors = factors[4:]
		}
	}
}

// refineOne refines one factor. With q the Gaussian of the weight and the Gamma(a, b) of
// lambda without the factor, N(m, v), the integral of N(w | 0, 1/lambda) is about
//
//	Z(a) = N(m | 0, v + b/(a-1)),
//
// with the variance of Student's t in place of it, so that the Gaussian moves by the
// derivatives of log Z and the Gamma by Z at a, a+1 and a+2. Where nothing positive comes of
// it the factor stays.
func (p *weightPrior) refineOne(mean, vr *float64, f []float64) {
	precision, weighted := 1 / *vr - f[0], *mean / *vr - f[1]
	shape, rate := p.gamma[0]-f[2], p.gamma[1]-f[3]
	if !(precision > leastCavity && shape > 1 && rate > 0) {
		return
	}
	m, v := weighted/precision, 1/precision
	logZ := func(more float64) float64 { return normal.LogPDF(0, m, v+rate/(shape-1+more)) }
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

// state names what a checkpoint must hold.
func (p *weightPrior) state() []param.Array {
	return []param.Array{{Name: "prior.gamma", Data: p.gamma}, {Name: "prior.factors", Data: p.factors}}
}

// matchGamma returns the Gamma distribution with the first two moments of a precision with
// the distribution Gamma(shape, rate) times a likelihood of it, given the logarithm of the
// integral of that at the shape, and at it plus 1 and 2 (section 3.3 there). It is not ok
// where rounding has nothing that is a Gamma distribution with a mean variance.
func matchGamma(shape, rate, zero, one, two float64) (a, b float64, ok bool) {
	a = 1 / (math.Exp(two-2*one+zero)*(shape+1)/shape - 1)
	b = 1 / (math.Exp(two-one)*(shape+1)/rate - math.Exp(one-zero)*shape/rate)
	return a, b, a > 1 && b > 0 && !math.IsInf(a, 1) && !math.IsInf(b, 1)
}
