package likelihood

import (
	"math"
	"runtime"

	"gonum.org/v1/gonum/integrate/quad"

	"dgplab/models/freelist"
	"dgplab/models/linalg/vec"
	"dgplab/models/normal"
)

const (
	// panelPoints is the number of Gauss-Legendre points of a panel of a contest.
	panelPoints = 24
	// depth is how far below its top the logarithm of the integrand is at the ends:
	// what is left out is below exp(-depth) of the integral.
	depth = 27
	// stepReach is how many standard deviations a narrow step is given on either side,
	// and narrow the part of the width of a panel below which a step is narrow.
	stepReach, narrow = 7, 1.0 / 14
	// leastVariance is what smaller variances of latent functions are taken for.
	leastVariance = 1e-12
)

// legendre is the Gauss-Legendre rule on [0, 1], with logarithms of weights.
var legendre = newLegendre()

type legendreRule struct{ nodes, logWeights [panelPoints]float64 }

func newLegendre() (r legendreRule) {
	quad.Legendre{}.FixedLocations(r.nodes[:], r.logWeights[:], 0, 1)
	for i, w := range r.logWeights {
		r.logWeights[i] = math.Log(w)
	}
	return r
}

// contest is the chance that the latent function of one class is above those of all
// others, f_k ~ N(mean_k, sd_k^2) independently:
//
//	P(f_c is the largest) = E prod_{k != c} Phi((f_c - mean_k)/sd_k)
//
// (Girolami, Rogers, "Variational Bayesian Multinomial Probit Regression with Gaussian
// Process Priors", 2006, eq. 5), an integral over t = (f_c - mean_c)/sd_c of exp of a
// concave function. The Gauss-Hermite rule about mean_c, the usual one, is wrong where
// its points do not reach (a class far behind had -653 for a logarithm of -555) and where
// another class has a small variance, which is a step between the points. Here the points
// lie where the integrand is: panels reach from its top to where it is negligible, and
// steps have panels of their own.
type contest struct {
	class int
	// Of the other classes, [K-1]: (mean_c - mean_k)/sd_k and sd_c/sd_k, so that the
	// argument of Phi is gap + slope t, and 1/sd_k.
	gap, slope, inverse []float64
	sd                  float64 // of the class itself
	edges               []float64
	// Of the points of a panel: t and the logarithm of the weight; for each and each other
	// class the argument of Phi, log Phi, its derivative, and two rows that do not count.
	t, logWeights             []float64
	z, log, ratio, zero, none []float64
}

// contests are those that nobody works with.
var contests = freelist.New[contest](4 * runtime.NumCPU())

// newContest returns a contest of k classes, to be put back into contests.
func newContest(k int) *contest {
	c := contests.Get()
	for _, part := range []*[]float64{&c.gap, &c.slope, &c.inverse} {
		*part = resize(*part, k-1)
	}
	return c
}

// resize returns n numbers, in v where that has room.
func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// set makes it the contest that class has to win, of latent functions whose variances
// are vr and the same noise for each.
func (c *contest) set(class int, mean, vr []float64, noise float64) {
	c.class, c.sd = class, deviation(vr[class]+noise)
	for j := range c.gap {
		k := otherOf(class, j)
		c.inverse[j] = 1 / deviation(vr[k]+noise)
		c.gap[j] = (mean[class] - mean[k]) * c.inverse[j]
		c.slope[j] = c.sd * c.inverse[j]
	}
}

// otherOf returns which class is number j of those beside class.
func otherOf(class, j int) int {
	if j >= class {
		return j + 1
	}
	return j
}

func deviation(variance float64) float64 { return math.Sqrt(math.Max(variance, leastVariance)) }

// value returns log P and turns zeros into its derivatives with respect to means and
// variances [K].
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

// add returns the sum over the points t of exp(logWeight) prod_k Phi, and adds its
// derivatives to dMean and dVar, in units that scale takes away. By parts, the derivative
// with respect to mean_c is the mean of the slope of sum_k log Phi, and the one with
// respect to the variance that of the slope times t/(2 sd_c): nothing is divided by the
// variance.
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

// evaluate sets log Phi and its derivative at all points.
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

// once makes vec.ProbitSums evaluate log Phi at the mean: half of it at either side.
var once = halfRule{[]float64{0}, []float64{0.5}}

// scale turns the sums that add made into derivatives of the logarithm of the sum.
func (c *contest) scale(sum float64, dMean, dVar []float64) {
	for j, inverse := range c.inverse {
		k := otherOf(c.class, j)
		dMean[k] *= inverse / sum
		dVar[k] *= 0.5 * inverse * inverse / sum
	}
	dMean[c.class] /= sum
	dVar[c.class] /= 2 * c.sd * sum
}

// integrand returns -t^2/2 + sum_k log Phi and its first and second derivative.
func (c *contest) integrand(t float64) (value, first, second float64) {
	value, first, second = -0.5*t*t, -t, -1
	for k, gap := range c.gap {
		z := gap + c.slope[k]*t
		log, ratio := normal.LogCDFGrad(z)
		value += log
		first += c.slope[k] * ratio
		second -= c.slope[k] * c.slope[k] * math.Max(ratio*(z+ratio), 0)
	}
	return value, first, second
}

// mode returns where the integrand is largest, roughly, and its value there: by Newton's
// method between bounds, since it is concave. At 0 it rises.
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

// cut sets the edges of the panels: the ends, the top and those of narrow steps.
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

// insert puts an edge in its place.
func (c *contest) insert(edge float64) {
	c.edges = append(c.edges, edge)
	for i := len(c.edges) - 1; i > 0 && c.edges[i-1] > edge; i-- {
		c.edges[i-1], c.edges[i] = c.edges[i], c.edges[i-1]
	}
}

// end returns where, in that direction from the top, the integrand is depth below it, or
// a little farther: its second derivative is at most -1, and Newton's method from outside
// stays there.
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
