package predictive

import (
	"math"

	"dgplab/models/linalg/vec"
)

const (
	// reach is the number of standard deviations beyond which the normal distribution function is taken for 0
	// or 1; the error is below 4e-14.
	reach = 7.5
	// nodesPerSD is the number of nodes of a lattice in the smallest standard deviation of a component.
	nodesPerSD = 2
	// mostNodes limits the nodes, because the positions of nodes far from the first one are less precise.
	mostNodes = 1 << 16
	// evaluationsPerPair is the number of evaluations that take as long as a pair of components.
	evaluationsPerPair = 3
	// mostExponent is below the largest exponent that exp does not overflow for.
	mostExponent = 700
)

// lattice integrates over the distribution function F of a mixture of Gaussians, at equidistant nodes. The
// trapezoidal rule converges like exp(-(pi nodesPerSD)^2), because the spectrum of F (1-F) decays like that
// of a Gaussian of the smallest standard deviation over sqrt 2 (Trefethen, Weideman, "The Exponentially
// Convergent Trapezoidal Rule", 2014, https://doi.org/10.1137/130932132). Each component is evaluated only
// where it is neither 0 nor 1, so the time is proportional to the number of components if their variances
// are similar.
type lattice struct {
	// raised is true if the integrand is multiplied by exp(x).
	raised     bool
	from, step float64
	nodes      int
	// at holds the nodes; below and above are F and 1-F there, [nodes]. entered[k] is the weight of the
	// components whose evaluation begins at node k, and left[k] is the weight of those whose evaluation ends
	// before it, [nodes+1].
	at, below, above, entered, left []float64
	z, cdf, pdf                     []float64 // room for the nodes of one component
}

// spread returns half the mean absolute difference of two independent values x and x', or of exp(x) and
// exp(x') if the lattice is raised. These are the integrals of F (1-F) and of exp(x) F (1-F). ok is false if
// the sum over all pairs of components is cheaper or more precise.
func (l *lattice) spread(t *normals) (sum float64, ok bool) {
	if !l.fit(t) {
		return 0, false
	}
	l.evaluate(t)
	for k, below := range l.below[:l.nodes] {
		product := below * l.above[k]
		if l.raised {
			product *= math.Exp(l.at[k])
		}
		sum += product
	}
	return sum * l.step, true
}

// fit places the nodes over all components.
func (l *lattice) fit(t *normals) bool {
	least := math.Inf(1)
	from := math.Inf(1)
	to := math.Inf(-1)
	var length float64 // of all intervals together
	for s := range t.mean {
		lo, hi := l.support(t, s)
		least = min(least, t.sd[s])
		from = min(from, lo)
		to = max(to, hi)
		length += hi - lo
	}
	step := least / nodesPerSD
	nodes := (to - from) / step
	pairs := float64(len(t.mean)) * float64(len(t.mean)) / 2
	if !(nodes < mostNodes && nodes+length/step < evaluationsPerPair*pairs) {
		return false // also if a variance is 0 or NaN
	}
	if l.raised && to > mostExponent {
		return false
	}
	l.from, l.step, l.nodes = from, step, int(nodes)+2
	if size := l.nodes + 1; len(l.below) < size {
		size += size / 2
		room := make([]float64, 8*size)
		rows := []*[]float64{&l.at, &l.below, &l.above, &l.entered, &l.left, &l.z, &l.cdf, &l.pdf}
		for k, row := range rows {
			*row = room[k*size : (k+1)*size]
		}
	}
	for k := range l.nodes {
		l.at[k] = from + float64(k)*step
	}
	return true
}

// support returns the interval in which component s is evaluated.
func (l *lattice) support(t *normals, s int) (lo, hi float64) {
	mean, sd := t.mean[s], t.sd[s]
	lo, hi = mean-reach*sd, mean+reach*sd
	if l.raised {
		hi += sd * sd // exp(x) times the density at x is proportional to the density at x-sd^2
	}
	return lo, hi
}

// evaluate sets below and above.
func (l *lattice) evaluate(t *normals) {
	for _, row := range [][]float64{l.below, l.above, l.entered, l.left} {
		clear(row[:l.nodes+1])
	}
	for s, w := range t.weights {
		lo, hi := l.support(t, s)
		first := int((lo - l.from) / l.step)
		end := min(l.nodes, int((hi-l.from)/l.step)+1)
		z, cdf, pdf := l.z[:end-first], l.cdf[:end-first], l.pdf[:end-first]
		mean, inverse := t.mean[s], t.inverse[s]
		for i, x := range l.at[first:end] {
			z[i] = (x - mean) * inverse
		}
		vec.Normal(cdf, pdf, z)
		vec.AddScaled(l.below[first:end], cdf, w)
		l.entered[first] += w
		l.left[end] += w
		if l.raised {
			vec.Scaled(z, z, -1)
			vec.Normal(cdf, pdf, z)
			vec.AddScaled(l.above[first:end], cdf, w)
		}
	}
	var sum float64
	for k, w := range l.left[:l.nodes] {
		sum += w
		l.below[k] += sum
	}
	total := sum + l.left[l.nodes]
	sum = 0
	for k := l.nodes - 1; k >= 0; k-- {
		if l.raised {
			sum += l.entered[k+1]
			l.above[k] += sum
			continue
		}
		l.above[k] = total - l.below[k]
	}
}
