package likelihood

import (
	"math"

	"dgplab/models/normal"
)

// DefaultPoints is the number of quadrature points of NewBernoulli.
const DefaultPoints = 100

// negligible is the share of the total weight below which a quadrature point is
// left out. At 100 points this halves the work; what is lost is far below the
// rounding of the sum, since log Phi grows only quadratically.
const negligible = 1e-24

// flat is the variance below which the derivative with respect to the variance
// is taken at its limit for a vanishing variance: the quadrature would have to
// divide the rounding errors of a sum by sqrt(2 vr), and at this point the two
// errors, about 1e-16/sqrt(flat) and flat, are alike.
const flat = 1e-10

// Bernoulli is p(y | f) = Phi(y f) for y in {-1, +1}: two classes with a probit
// link. Expectations use Gauss-Hermite quadrature,
//
//	E log p(y | f) = sum_i w_i/sqrt(pi) log Phi(y (mean + sqrt(2 vr) x_i)),
//
// and derivatives are those of this very sum.
type Bernoulli struct {
	nodes, weights []float64
}

// NewBernoulli returns the likelihood with DefaultPoints quadrature points.
func NewBernoulli() *Bernoulli { return NewBernoulliPoints(DefaultPoints) }

// NewBernoulliPoints returns the likelihood with that many quadrature points,
// from 1 to 200.
func NewBernoulliPoints(points int) *Bernoulli {
	nodes, weights := GaussHermite(points)
	l := &Bernoulli{}
	for i, w := range weights {
		if w /= math.SqrtPi; w > negligible {
			l.nodes = append(l.nodes, nodes[i])
			l.weights = append(l.weights, w)
		}
	}
	return l
}

// VariationalExpectations implements Likelihood; noise is not used.
func (l *Bernoulli) VariationalExpectations(terms, dMean, dVar, y, mean, vr []float64, _ float64) (dNoise float64) {
	for i := range terms {
		center := y[i] * mean[i]
		if math.Abs(vr[i]) < flat {
			value, grad := normal.LogCDFGrad(center)
			curvature := -grad * (center + grad)
			terms[i] = value + 0.5*curvature*vr[i]
			dMean[i] = y[i] * grad
			dVar[i] = 0.5 * curvature
			continue
		}
		scale := math.Sqrt(2 * vr[i])
		var sum, first, second float64
		for k, x := range l.nodes {
			// The nodes are symmetric, so that scale need not carry the sign of y.
			value, grad := normal.LogCDFGrad(center + scale*x)
			w := l.weights[k]
			sum += w * value
			first += w * grad
			second += w * grad * x
		}
		terms[i] = sum
		dMean[i] = y[i] * first
		dVar[i] = second / scale
	}
	return 0
}

// PredictLogDensity implements Likelihood: log Phi(y mean / sqrt(1 + vr)),
// which is exact; noise is not used.
func (*Bernoulli) PredictLogDensity(dst, y, mean, vr []float64, _ float64) {
	for i := range dst {
		dst[i] = normal.LogCDF(y[i] * mean[i] / math.Sqrt(1+vr[i]))
	}
}

// PredictProb sets dst[i] to the probability of class +1 when
// f ~ N(mean[i], vr[i]) is integrated out, Phi(mean / sqrt(1 + vr)).
func (*Bernoulli) PredictProb(dst, mean, vr []float64) {
	for i := range dst {
		dst[i] = normal.CDF(mean[i] / math.Sqrt(1+vr[i]))
	}
}

// HasNoise implements Likelihood.
func (*Bernoulli) HasNoise() bool { return false }
