package likelihood

import (
	"math"
	"runtime"
	"slices"

	"dgplab/models/linalg/vec"
)

// density is the distribution of a target given one latent function. A scalar turns it into a
// Likelihood.
type density interface {
	// Parameters is as in Likelihood; there are at most maxParameters.
	Parameters() []Parameter
	// Constants returns the numbers that LogDensity needs and that do not depend on f.
	Constants(y float64, params []float64) constants
	// LogDensity returns log p(y | f) and its first two derivatives with respect to f, and sets
	// dParams [Q] to its derivatives with respect to the parameters. All must be finite.
	LogDensity(dParams []float64, y, f float64, params []float64, c *constants) (value, first, second float64)
	// Peak returns the f with the largest p(y | f), near which the density may be narrow.
	Peak(y float64, params []float64) float64
}

// constants holds numbers that a density computes once for all points of an integral.
type constants [3]float64

// constantless is embedded in densities without constants.
type constantless struct{}

// Constants implements density.
func (constantless) Constants(float64, []float64) (c constants) { return c }

// maxParameters is the largest number of parameters of a density.
const maxParameters = 2

// E log p over f = mean + sqrt(vr) t, t ~ N(0, 1), is computed by Gauss-Hermite rules of increasing size,
// until two successive results agree; their difference measures the error of the smaller rule. log E p is
// computed by the trapezoidal rule around the maxima of p(y | f) N(t; 0, 1). If the last results disagree,
// because p(y | f) is narrow or far from the mean, the integral is split into panels, and panels are halved
// until the Gauss-Kronrod rule agrees with its Gauss rule.
const (
	// agreement is the largest accepted difference of two rules, relative to sizes above 1. The error
	// of the larger rule is much smaller.
	agreement = 1e-9
	// reach is the number of standard deviations covered on either side of the mean.
	reach = 9
	// drop is the fall of a log density from its maximum at which integrals end.
	drop = 40
	// maxPanels limits the number of panels of an integral. It is reached only where rounding errors
	// exceed the tolerance.
	maxPanels = 500
	// firstStep is the first step of the trapezoidal rule, in units of the width of the narrowest maximum.
	// For a normal density its error is 5e-11.
	firstStep = 0.9
	// maxNodes limits the nodes of the trapezoidal rule.
	maxNodes = 1000
	// negligibleNode is the share of the largest node below which the others are omitted.
	negligibleNode = 1e-17
	// maxSteps limits the iterations of climb and the halvings of a step.
	maxSteps = 60
)

// flat is the variance, in units of the curvature, below which results are computed from a series in the
// variance. The curvature at the mean says nothing about places several units away, so a large variance has
// no series. Quadrature divides the rounding errors of a sum by sqrt(vr); at this variance its error, about
// 1e-16/sqrt(flat), is similar to the error of the series, about flat.
const flat = 1e-10

// rule is a Gauss-Hermite rule for t ~ N(0, 1).
type rule struct{ nodes, weights []float64 }

// rules holds the rules in order of size. Odd and even numbers of points alternate, so neighbours differ
// on steps at the mean.
var rules = [3]rule{newRule(13), newRule(24), newRule(65)}

func newRule(points int) (r rule) {
	nodes, weights := GaussHermite(points)
	for i, w := range weights {
		r.nodes = append(r.nodes, math.Sqrt2*nodes[i])
		r.weights = append(r.weights, w/math.SqrtPi)
	}
	return r
}

// sums holds integrals of the integrand, of the derivative of log p, of the derivative times t, and of
// the derivatives with respect to the parameters.
type sums [3 + maxParameters]float64

// agree reports whether two results are equal up to the tolerance, relative to sizes above 1.
func (s *sums) agree(other *sums, tolerance float64) bool {
	for i, v := range s {
		if !(math.Abs(v-other[i]) <= tolerance*math.Max(1, math.Abs(v))) {
			return false
		}
	}
	return true
}

// add adds w times the given values.
func (s *sums) add(w float64, by *sums) {
	for i, v := range by {
		s[i] += w * v
	}
}

// integral computes expectations for one target.
type integral struct {
	density
	y, mean, sd float64
	params      []float64
	constants   constants
	// maxima holds the maxima of the density of t given y. top is the logarithm of the largest maximum,
	// without constants.
	maxima []maximum
	top    float64

	dParams [maxParameters]float64
	room    [maxParameters]float64 // for params
	point   sums                   // the integrand at a point
	edges   []float64
	panels  []panel
}

// integrals holds unused integrals.
var integrals = vec.NewFreeList[integral](4 * runtime.NumCPU())

// newIntegral returns an integral of d. The caller puts it back into integrals.
func newIntegral(d density, y, mean, vr float64, params []float64) *integral {
	in := integrals.Get()
	in.density, in.y, in.mean, in.sd, in.params = d, y, mean, math.Sqrt(math.Max(vr, 0)), params
	in.constants = d.Constants(y, params)
	return in
}

// at returns log p(y | f) and its first two derivatives with respect to f at f = mean + sd t.
func (in *integral) at(t float64) (value, first, second float64) {
	return in.LogDensity(in.dParams[:len(in.params)], in.y, in.mean+in.sd*t, in.params, &in.constants)
}

// set sets out to an integrand and to the derivatives of log p, with the given weight.
func (in *integral) set(out *sums, integrand, first, weight, t float64) {
	out[0], out[1], out[2] = integrand, weight*first, weight*first*t
	for q := range in.params {
		out[3+q] = weight * in.dParams[q]
	}
}

// expected sets out to the integrand of E log p at t without the density of t.
func (in *integral) expected(t float64, out *sums) {
	value, first, _ := in.at(t)
	in.set(out, value, first, 1, t)
}

// hermite returns the integral by a Gauss-Hermite rule.
func (in *integral) hermite(r *rule) (total sums) {
	for i, t := range r.nodes {
		in.expected(t, &in.point)
		total.add(r.weights[i], &in.point)
	}
	return total
}

// expectation returns E log p and the expectations of the derivatives.
func (in *integral) expectation(tolerance float64) sums {
	total := in.hermite(&rules[0])
	for k := range rules[1:] {
		few := total
		total = in.hermite(&rules[k+1])
		if total.agree(&few, tolerance) {
			return total
		}
	}
	peak := (in.Peak(in.y, in.params) - in.mean) / in.sd
	in.edges = append(in.edges[:0], -reach, -reach/3.0, 0, reach/3.0, reach)
	if math.Abs(peak) < reach {
		in.edges = append(in.edges, peak)
	}
	return in.split(func(in *integral, t float64, out *sums) {
		in.expected(t, out)
		density := math.Exp(-0.5*t*t) / math.Sqrt(2*math.Pi)
		for i := range out {
			out[i] *= density
		}
	}, tolerance)
}

// logDensity returns log E p and the expectations of the derivatives of log p under the density of f
// given y.
func (in *integral) logDensity() (log float64, posterior sums) {
	in.findMaxima()
	posterior, ok := in.trapezoidal()
	if !ok {
		in.setEdges()
		posterior = in.split((*integral).posteriorDensity, agreement)
		in.normalise(&posterior)
	}
	return posterior[0], posterior
}

// posteriorDensity is the integrand of E p without the constants of the density of t, divided by exp(top).
func (in *integral) posteriorDensity(t float64, out *sums) {
	value, first, _ := in.at(t)
	w := math.Exp(value - 0.5*t*t - in.top)
	in.set(out, w, first, w, t)
}

// normalise turns integrals of posteriorDensity into log E p and expectations.
func (in *integral) normalise(total *sums) {
	for i := 1; i < len(total); i++ {
		total[i] /= total[0]
	}
	total[0] = in.top + math.Log(total[0]) - 0.5*log2Pi
}

// trapezoidal returns log E p and the expectations by the trapezoidal rule, whose step is halved until two
// results agree. It returns false if that takes more than maxNodes nodes.
func (in *integral) trapezoidal() (result sums, ok bool) {
	lowest, highest, narrowest := math.Inf(1), math.Inf(-1), 1.0
	for _, m := range in.maxima {
		lowest, highest = math.Min(lowest, m.at), math.Max(highest, m.at)
		narrowest = math.Min(narrowest, m.width)
	}
	var total sums
	nodes := 0
	// add adds the node at t to total, and reports whether it is negligible or there are too many nodes.
	add := func(t float64) (end bool) {
		in.posteriorDensity(t, &in.point)
		total.add(1, &in.point)
		nodes++
		return in.point[0] < negligibleNode || nodes > maxNodes
	}
	// addFrom adds the nodes at multiples of step from a first one.
	addFrom := func(first, step float64) {
		for t := first; !add(t) || t < highest && nodes <= maxNodes; t += step {
		}
		for t := first - step; !add(t); t -= step {
		}
	}
	step := firstStep * narrowest
	addFrom(lowest, step)
	result.add(step, &total)
	in.normalise(&result)
	for nodes <= maxNodes {
		addFrom(lowest+0.5*step, step)
		step /= 2
		few := result
		result = sums{}
		result.add(step, &total)
		in.normalise(&result)
		if result.agree(&few, agreement) {
			return result, true
		}
	}
	return result, false
}

// joint returns log p(y | f) - t^2/2 and its derivatives with respect to t.
func (in *integral) joint(t float64) (value, first, second float64) {
	value, first, second = in.at(t)
	return value - 0.5*t*t, in.sd*first - t, in.sd*in.sd*second - 1
}

// maximum is a maximum of the density of t given y, with its width.
type maximum struct{ at, width float64 }

// findMaxima sets top and the maxima that are not negligible. The density can have two: one near 0, and one
// near the peak of p(y | f).
func (in *integral) findMaxima() {
	peak := (in.Peak(in.y, in.params) - in.mean) / in.sd
	starts := [2]float64{0, peak}
	in.top = math.Inf(-1)
	for i, start := range starts {
		if math.Abs(start) > maxStart {
			start = math.Copysign(maxStart, start)
		}
		starts[i] = in.climb(start)
		value, _, _ := in.joint(starts[i])
		in.top = math.Max(in.top, value)
	}
	in.maxima = in.maxima[:0]
	for _, at := range starts {
		value, _, second := in.joint(at)
		if value < in.top-drop {
			continue
		}
		width := 1.0
		if second < -1 {
			width = 1 / math.Sqrt(-second)
		}
		in.maxima = append(in.maxima, maximum{at, width})
	}
}

// setEdges sets the edges of panels that cover the density of t given y where it is not negligible.
func (in *integral) setEdges() {
	in.edges = in.edges[:0]
	for _, m := range in.maxima {
		in.edges = append(in.edges, m.at)
		for _, side := range []float64{-1, 1} {
			value := in.top
			for step, at := side*m.width, m.at; value >= in.top-drop; step *= 2 {
				at += step
				in.edges = append(in.edges, at)
				value, _, _ = in.joint(at)
			}
		}
	}
}

// maxStart limits the starts of climb, in standard deviations of f.
const maxStart = 1e8

// climb returns a maximum of joint, up to a difference that is small compared to its width, by
// Newton's method with steps halved until the value rises.
func (in *integral) climb(t float64) float64 {
	value, first, second := in.joint(t)
	for range maxSteps {
		step := math.Copysign(1, first)
		if second < 0 {
			step = -first / second
		}
		if math.Abs(first*step) < 1e-4 {
			break
		}
		next, f, s := in.joint(t + step)
		for k := 0; k < maxSteps && !(next > value); k++ {
			step /= 2
			next, f, s = in.joint(t + step)
		}
		if !(next > value) {
			break
		}
		t += step
		value, first, second = next, f, s
	}
	return t
}

// panel is an interval with the integral over it.
type panel struct {
	from, to float64
	total    sums
	gauss    sums // by the smaller rule
}

// split returns the integral of an integrand over the intervals between the edges. It halves panels
// until both rules agree.
func (in *integral) split(of func(in *integral, t float64, out *sums), tolerance float64) (total sums) {
	slices.Sort(in.edges)
	in.panels = in.panels[:0]
	var size sums // of the integral
	for i, to := range in.edges[1:] {
		if from := in.edges[i]; from < to {
			p := in.measure(of, from, to)
			in.panels = append(in.panels, p)
			size.add(1, &p.total)
		}
	}
	for i, v := range size {
		size[i] = math.Max(math.Abs(v), math.Max(1, math.Abs(size[0])))
	}
	measured := len(in.panels)
	for len(in.panels) > 0 {
		p := in.panels[len(in.panels)-1]
		in.panels = in.panels[:len(in.panels)-1]
		middle := p.from + (p.to-p.from)/2
		if measured >= maxPanels || p.within(&size, tolerance) || !(p.from < middle && middle < p.to) {
			total.add(1, &p.total)
			continue
		}
		in.panels = append(in.panels, in.measure(of, p.from, middle), in.measure(of, middle, p.to))
		measured += 2
	}
	return total
}

// within reports whether the two rules agree, relative to the sizes of the integrals.
func (p *panel) within(size *sums, tolerance float64) bool {
	for i, v := range p.total {
		if !(math.Abs(v-p.gauss[i]) <= tolerance*size[i]) {
			return false
		}
	}
	return true
}

// kronrod holds the Gauss-Kronrod rule with 15 points on [-1, 1] from 0 on: nodes, weights, and the
// weights of the embedded Gauss rule with 7 points (Piessens, de Doncker-Kapenga, Überhuber,
// Kahaner, "QUADPACK", 1983, routine QK15).
var kronrod = [8][3]float64{
	{0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327},
	{0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0},
	{0.405845151377397166906606412076961, 0.190350578064785409913256402421014,
		0.381830050505118944950369775488975},
	{0.586087235467691130294144691838259, 0.169004726639267902826583426598550, 0},
	{0.741531185599394439863864773280788, 0.140653259715525918745189590510238,
		0.279705391489276667901467771423780},
	{0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0},
	{0.949107912342758524526189684047851, 0.063092092629978553290700663189204,
		0.129484966168869693270611432679082},
	{0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0},
}

// measure returns a panel with the results of both rules.
func (in *integral) measure(of func(in *integral, t float64, out *sums), from, to float64) (p panel) {
	p = panel{from: from, to: to}
	center, half := 0.5*(from+to), 0.5*(to-from)
	for k, point := range kronrod {
		for _, side := range [2]float64{-1, 1} {
			if k == 0 && side > 0 {
				break
			}
			of(in, center+side*half*point[0], &in.point)
			p.total.add(half*point[1], &in.point)
			p.gauss.add(half*point[2], &in.point)
		}
	}
	return p
}

// halfRule holds the points above 0 of a Gauss-Hermite rule for expectations under N(0, 1/2); each
// also stands for its mirror image.
type halfRule struct{ nodes, weights []float64 }

// negligible is the share of the total weight below which a quadrature point is omitted. With 100
// points this halves the work; for a log density that grows polynomially the loss is far below the
// rounding error of the sum.
const negligible = 1e-24

// newHalfRule returns the rule with an even number of points.
func newHalfRule(points int) (r halfRule) {
	nodes, weights := GaussHermite(points)
	for i := points / 2; i < points; i++ {
		if w := weights[i] / math.SqrtPi; w > negligible {
			r.nodes = append(r.nodes, nodes[i])
			r.weights = append(r.weights, w)
		}
	}
	return r
}
