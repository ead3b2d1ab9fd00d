package likelihood

import "math"

// DefaultPoints is the default number of quadrature points.
const DefaultPoints = 100

// negligible is the share of the total weight below which a quadrature point is omitted. With 100
// points this halves the work. For a log density that grows polynomially, the error is far below
// the rounding error of the sum.
const negligible = 1e-24

// flat is the variance below which results are computed from a series in the variance. Quadrature
// divides the rounding errors of a sum by sqrt(2 vr); at this variance its error, about
// 1e-16/sqrt(flat), is similar to the error of the series, about flat.
const flat = 1e-10

// LogDensity returns log p(y | f), its first and second derivatives with respect to f, and its
// derivative with respect to the noise variance.
type LogDensity func(y, f, noise float64) (value, first, second, dNoise float64)

// Quadrature is a likelihood with one latent function per target. Its expectations use
// Gauss-Hermite quadrature,
//
//	E g(f) = sum_i w_i/sqrt(pi) g(mean + sqrt(2 vr) x_i),
//
// and its derivatives are the exact derivatives of this sum.
type Quadrature struct {
	density                    LogDensity
	nodes, weights, logWeights []float64
}

// NewQuadrature returns the likelihood with the given log density. The number of quadrature points
// is from 1 to 200.
func NewQuadrature(density LogDensity, points int) *Quadrature {
	nodes, weights := GaussHermite(points)
	q := &Quadrature{density: density}
	for i, w := range weights {
		w /= math.SqrtPi
		if w > negligible {
			q.nodes = append(q.nodes, nodes[i])
			q.weights = append(q.weights, w)
			q.logWeights = append(q.logWeights, math.Log(w))
		}
	}
	return q
}

// Latents implements Likelihood.
func (*Quadrature) Latents(targets int) int { return targets }

// VariationalExpectations implements Likelihood.
func (q *Quadrature) VariationalExpectations(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64) {
	byRow(q.expectation, terms, dMean, dVar, dNoise, y, mean, vr, noise)
}

// byRow computes the results of each row that has a target by calling `of`.
func byRow(
	of func(y, mean, vr, noise float64) (term, dMean, dVar, dNoise float64),
	terms, dMean, dVar, dNoise, y, mean, vr, noise []float64,
) {
	inRuns(len(terms), dNoise, noise, func(first, last int, noise float64) (sum float64) {
		for i := first; i < last; i++ {
			if missing(i, terms, dMean, dVar, y) {
				continue
			}
			var derivative float64
			terms[i], dMean[i], dVar[i], derivative = of(y[i], mean[i], vr[i], noise)
			sum += derivative
		}
		return sum
	})
}

// expectation returns E log p(y | f) and its derivatives.
func (q *Quadrature) expectation(y, mean, vr, noise float64) (term, dMean, dVar, dNoise float64) {
	if math.Abs(vr) < flat {
		value, first, second, derivative := q.density(y, mean, noise)
		return value + 0.5*second*vr, first, 0.5 * second, derivative
	}
	scale := scaleOf(y, vr)
	for k, x := range q.nodes {
		value, first, _, derivative := q.density(y, mean+scale*x, noise)
		w := q.weights[k]
		term += w * value
		dMean += w * first
		dVar += w * first * x
		dNoise += w * derivative
	}
	return term, dMean, dVar / scale, dNoise
}

// scaleOf returns sqrt(2 vr) with the sign of y. The nodes are symmetric and are visited in the
// direction of y, so the results for (y, f) and (-y, -f) are bit-identical if the densities are.
func scaleOf(y, vr float64) float64 { return math.Copysign(math.Sqrt(2*vr), y) }

// LogExpectation implements Likelihood.
func (q *Quadrature) LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64) {
	byRow(q.logExpectation, terms, dMean, dVar, dNoise, y, mean, vr, noise)
}

// logExpectation returns log E p(y | f) and its derivatives, as a log-sum-exp that updates its
// largest term from node to node.
func (q *Quadrature) logExpectation(y, mean, vr, noise float64) (term, dMean, dVar, dNoise float64) {
	if math.Abs(vr) < flat {
		value, first, second, derivative := q.density(y, mean, noise)
		curvature := second + first*first
		return value + 0.5*curvature*vr, first, 0.5 * curvature, derivative
	}
	scale := scaleOf(y, vr)
	top, sum := math.Inf(-1), 0.0
	for k, x := range q.nodes {
		value, first, _, derivative := q.density(y, mean+scale*x, noise)
		value += q.logWeights[k]
		if value > top {
			shrink := math.Exp(top - value)
			sum = sum * shrink
			dMean = dMean * shrink
			dVar = dVar * shrink
			dNoise = dNoise * shrink
			top = value
		}
		w := math.Exp(value - top)
		sum += w
		dMean += w * first
		dVar += w * first * x
		dNoise += w * derivative
	}
	return top + math.Log(sum), dMean / sum, dVar / (sum * scale), dNoise / sum
}
