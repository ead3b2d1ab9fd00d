package likelihood

import (
	"math"
	"runtime"

	"gonum.org/v1/gonum/integrate/quad"

	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
)

const (
	// panelPoints is the number of Gauss-Legendre points per panel of a contest.
	panelPoints = 24
	// depth is the drop of the logarithm of the integrand from its maximum to the ends. The share
	// of the integral that is truncated is below exp(-depth).
	depth = 27
	// stepReach is the number of standard deviations on either side of a narrow step that get
	// separate panels. A step is narrow if its width is below the fraction narrow of a panel.
	stepReach, narrow = 7, 1.0 / 14
	// leastVariance is the lower limit of variances of latent functions.
	leastVariance = 1e-12
)

// legendre is the Gauss-Legendre rule on [0, 1], with the logarithms of its weights.
var legendre = newLegendre()

type legendreRule struct{ nodes, logWeights [panelPoints]float64 }

func newLegendre() (r legendreRule) {
	quad.Legendre{}.FixedLocations(r.nodes[:], r.logWeights[:], 0, 1)
	for i, w := range r.logWeights {
		r.logWeights[i] = math.Log(w)
	}
	return r
}

// contest computes the probability that the latent function of one class exceeds all others, f_k ~
// N(mean_k, sd_k^2) independently:
//
//	P(f_c is the largest) = E prod_{k != c} Phi((f_c - mean_k)/sd_k)
//
// (Girolami, Rogers, "Variational Bayesian Multinomial Probit Regression with Gaussian Process
// Priors", 2006, eq. 5). It is an integral over t = (f_c - mean_c)/sd_c of the exponential of a
// concave function. The usual Gauss-Hermite rule around mean_c fails in two cases: if the integrand
// lies outside its points (for a class that is far behind, it gave a logarithm of -653 instead of
// -555), and if another class has a small variance, which causes a step between the points. This
// rule follows the integrand: its panels extend from the maximum to points where the integrand is
// negligible, and steps have separate panels.
type contest struct {
	class int
	// Values for each other class, [K-1]: gap = (mean_c - mean_k)/sd_k, slope = sd_c/sd_k and
	// inverse = 1/sd_k. The argument of Phi is gap + slope t.
	gap, slope, inverse []float64
	sd                  float64 // of the class itself
	edges               []float64
	// Values for each point of a panel: t and the logarithm of the weight. Values for each point
	// and other class: the argument of Phi, log Phi, its derivative, and two unused rows.
	t, logWeights             []float64
	z, log, ratio, zero, none []float64
}

// contests holds contests for reuse.
var contests = vec.NewFreeList[contest](4 * runtime.NumCPU())

// newContest returns a contest of k classes. The caller returns it to contests.
func newContest(k int) *contest {
	c := contests.Get()
	for _, part := range []*[]float64{&c.gap, &c.slope, &c.inverse} {
		*part = resize(*part, k-1)
	}
	return c
}

// resize returns n numbers, reusing v if its capacity suffices.
func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// set prepares the contest for the probability that class wins. noise is added to vr, the variances
// of the latent functions.
func (c *contest) set(class int, mean, vr []float64, noise float64) {
	c.class, c.sd = class, deviation(vr[class]+noise)
	for j := range c.gap {
		k := otherOf(class, j)
		c.inverse[j] = 1 / deviation(vr[k]+noise)
		c.gap[j] = (mean[class] - mean[k]) * c.inverse[j]
		c.slope[j] = c.sd * c.inverse[j]
	}
}

// otherOf returns the class at index j of the classes other than class.
func otherOf(class, j int) int {
	if j >= class {
		return j + 1
	}
	return j
}

func deviation(variance float64) float64 { return math.Sqrt(math.Max(variance, leastVariance)) }

// value returns log P and sets dMean and dVar [K], which must be zero, to its derivatives with
// respect to means and variances.
func (c *contest) value(dMean, dVar []float64) float64 {
	top, height := c.mode()
	c.cut(top, height)
	sum := 0.0
	for i, to := range c.edges[1:] {
		from := c.edges[i]
		width := to - from
		c.t = resize(c.t, panelPoints)
		c.logWeights = resize(c.logWeights, panelPoints)
		for p, x := range legendre.nodes {
			t := from + width*x
			c.t[p], c.logWeights[p] = t, legendre.logWeights[p]+math.Log(width)-0.5*t*t-height
		}
		sum += c.add(dMean, dVar)
	}
	c.scale(sum, dMean, dVar)
	const halfLog2Pi = log2Pi / 2
	return math.Min(height+math.Log(sum)-halfLog2Pi, 0)
}

// add returns the sum over the points t of exp(logWeight) prod_k Phi, and adds its derivatives to
// dMean and dVar; scale completes them. By integration by parts, the derivative with respect to
// mean_c is the mean of the slope of sum_k log Phi, and the derivative with respect to the variance
// is the mean of the slope times t/(2 sd_c), so nothing is divided by the variance.
func (c *contest) add(dMean, dVar []float64) (sum float64) {
	c.evaluate()
	others := len(c.gap)
	for p, t := range c.t {
		first, last := p*others, (p+1)*others
		log, slope := c.logWeights[p], 0.0
		for j, v := range c.log[first:last] {
			log += v
			slope += c.ratio[first+j] * c.inverse[j]
		}
		w := math.Exp(log)
		for j, ratio := range c.ratio[first:last] {
			k := otherOf(c.class, j)
			dMean[k] -= w * ratio
			dVar[k] -= w * ratio * c.z[first+j]
		}
		dMean[c.class] += w * slope
		dVar[c.class] += w * slope * t
		sum += w
	}
	return sum
}

// evaluate computes log Phi and its derivative at all points.
func (c *contest) evaluate() {
	others := len(c.gap)
	n := len(c.t) * others
	for _, part := range []*[]float64{&c.z, &c.log, &c.ratio, &c.zero, &c.none} {
		*part = resize(*part, n)
	}
	for p, t := range c.t {
		for j, gap := range c.gap {
			c.z[p*others+j] = gap + c.slope[j]*t
		}
	}
	vec.ProbitSums(c.log, c.ratio, c.none, c.z, c.zero, once.nodes, once.weights)
}

// once is a quadrature rule with a single point, the mean: half the weight on either side at
// distance 0.
var once = halfRule{[]float64{0}, []float64{0.5}}

// scale converts the sums from add to derivatives of the logarithm of the sum.
func (c *contest) scale(sum float64, dMean, dVar []float64) {
	for j, inverse := range c.inverse {
		k := otherOf(c.class, j)
		dMean[k] *= inverse / sum
		dVar[k] *= 0.5 * inverse * inverse / sum
	}
	dMean[c.class] /= sum
	dVar[c.class] /= 2 * c.sd * sum
}

// integrand returns -t^2/2 + sum_k log Phi and its first and second derivatives.
func (c *contest) integrand(t float64) (value, first, second float64) {
	value, first, second = -0.5*t*t, -t, -1
	for k, gap := range c.gap {
		z := gap + c.slope[k]*t
		log, ratio := stats.LogCDFGrad(z)
		value += log
		first += c.slope[k] * ratio
		second -= c.slope[k] * c.slope[k] * math.Max(ratio*(z+ratio), 0)
	}
	return value, first, second
}

// mode returns the approximate position and value of the maximum of the integrand, found by
// Newton's method within bounds. The integrand is concave and increasing at 0.
func (c *contest) mode() (top, height float64) {
	low, high := 0.0, math.Inf(1)
	for range 60 {
		value, first, second := c.integrand(top)
		height = value
		if math.Abs(first) < 1e-2*math.Sqrt(-second) {
			break
		}
		if first > 0 {
			low = top
		} else {
			high = top
		}
		next := top - first/second
		if next <= low || next >= high {
			next = 0.5 * (low + high)
		}
		top = next
	}
	return top, height
}

// cut sets the edges of the panels: the ends, the maximum, and the edges of narrow steps.
func (c *contest) cut(top, height float64) {
	first := c.end(top, height, -1)
	last := c.end(top, height, 1)
	c.edges = append(c.edges[:0], first, top, last)
	width := narrow * math.Max(top-first, last-top)
	for k, slope := range c.slope {
		if slope*width < 1 {
			continue
		}
		for _, z := range []float64{-stepReach, stepReach} {
			if edge := (z - c.gap[k]) / slope; edge > first && edge < last {
				c.insert(edge)
			}
		}
	}
}

// insert inserts an edge in ascending order.
func (c *contest) insert(edge float64) {
	c.edges = append(c.edges, edge)
	for i := len(c.edges) - 1; i > 0 && c.edges[i-1] > edge; i-- {
		c.edges[i-1], c.edges[i] = c.edges[i], c.edges[i-1]
	}
}

// end returns the point in the given direction from the maximum at which the integrand has dropped
// by depth, or slightly more. The second derivative is at most -1, so Newton's method stays outside
// this point if it starts there.
func (c *contest) end(top, height, direction float64) float64 {
	t := top + direction*math.Sqrt(2*depth)
	for range 60 {
		value, first, _ := c.integrand(t)
		drop := height - value
		if drop < 1.3*depth || first*direction >= 0 {
			break
		}
		t += (drop - depth) / first
	}
	return t
}
