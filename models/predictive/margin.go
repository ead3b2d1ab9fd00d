package predictive

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
)

// margin is the distribution of one target of a Compound.
type margin struct {
	m *Compound
	k int // of [N][P]
	// kernels holds the kernels of the components, or one if all are equal: those of counts at the last
	// count, those of real targets at 0, because their At equals the target.
	kernels []Kernel
	// A real target is center + unit sinh(u), and a count is exp(u) - 1. In u most distributions are nearly
	// Gaussian, even those with heavy tails, so few steps lead to a quantile.
	center, unit float64
	// seen holds the places where the distribution function was evaluated.
	seen  []place
	least []float64    // variances of the latent functions, for a kernel that is shared
	terms [4][]float64 // see room
}

// place is a target x with the probability Phi(z) of at most x. slope is the derivative of z with respect to
// u, or approximately for a count.
type place struct{ x, u, z, slope float64 }

const (
	// mostCount is an upper limit of counts: likelihoods limit rates to exp(200).
	mostCount = 1e87
	// quickSteps is the number of steps after which every second one halves the interval of a quantile.
	quickSteps = 12
	// lastStep is the length in u of a step of Newton's method after which the error is below rounding.
	lastStep = 1e-7
	// certain is the number of standard deviations beyond which a normal distribution function is 0 or 1, up
	// to 1e-17.
	certain = 8.5
)

func newMargin(m *Compound) *margin {
	t := &margin{m: m, kernels: make([]Kernel, 1)}
	if len(m.Params) > 1 || m.Observation.Latents() > 1 {
		t.kernels = make([]Kernel, m.S)
	}
	return t
}

// load selects target k.
func (t *margin) load(k int) {
	t.k = k
	t.seen = t.seen[:0]
	_, vr, _ := t.m.component(0, k)
	t.least = append(t.least[:0], vr...)
	for s := range t.m.S {
		_, vr, _ := t.m.component(s, k)
		t.least[0] = math.Min(t.least[0], vr[0])
	}
	if t.m.Discrete() {
		return
	}
	t.setKernels(0)
	var logs float64
	for s, w := range t.m.Weights {
		_, vr, _ := t.m.component(s, k)
		kernel := &t.kernels[min(s, len(t.kernels)-1)]
		largest := 0
		for j, weight := range kernel.Weight {
			if weight > kernel.Weight[largest] {
				largest = j
			}
		}
		logs += w * math.Log(math.Max(vr[0], 0)+kernel.Var[largest])
	}
	center, apart := t.latent()
	t.center, t.unit = center, math.Sqrt(math.Exp(logs)+apart)
}

// latent returns the mean of the first latent function and the variance of its mean over the components.
func (t *margin) latent() (center, apart float64) {
	for s, w := range t.m.Weights {
		mean, _, _ := t.m.component(s, t.k)
		center += w * mean[0]
	}
	for s, w := range t.m.Weights {
		mean, _, _ := t.m.component(s, t.k)
		apart += w * (mean[0] - center) * (mean[0] - center)
	}
	return center, apart
}

// setKernels sets the kernels to those at y.
func (t *margin) setKernels(y float64) {
	for s := range t.kernels {
		kernel := &t.kernels[s]
		kernel.Weight, kernel.At, kernel.Var = kernel.Weight[:0], kernel.At[:0], kernel.Var[:0]
		mean, vr, params := t.m.component(s, t.k)
		if len(t.kernels) == 1 {
			vr = t.least
		}
		t.m.Observation.Kernel(kernel, y, mean, vr, params)
	}
}

// below returns the probability of a target of at most y. density is its derivative with respect to y of a
// real target, or approximately with respect to log(y+1) of a count.
func (t *margin) below(y float64) (below, density float64) {
	switch {
	case !t.m.Discrete():
		below, density = t.realBelow(y)
	case y >= 0:
		below, density = t.countBelow(y)
	}
	return math.Min(math.Max(below, 0), 1), density
}

func (t *margin) realBelow(y float64) (below, density float64) {
	for s, w := range t.m.Weights {
		mean, vr, _ := t.m.component(s, t.k)
		kernel := &t.kernels[min(s, len(t.kernels)-1)]
		z, cdf, pdf, inverse := t.room(len(kernel.Weight))
		for j, v := range kernel.Var {
			inverse[j] = v + math.Max(vr[0], 0)
		}
		vec.InverseRoots(inverse, inverse)
		for j, at := range kernel.At {
			z[j] = (at + y - mean[0]) * inverse[j]
		}
		vec.Normal(cdf, pdf, z)
		vec.Mul(pdf, pdf, inverse)
		below += w * vec.Dot(kernel.Weight, cdf)
		density += w * vec.Dot(kernel.Weight, pdf)
	}
	return below, density
}

func (t *margin) countBelow(y float64) (below, density float64) {
	t.setKernels(y)
	for s, w := range t.m.Weights {
		mean, vr, _ := t.m.component(s, t.k)
		kernel := &t.kernels[min(s, len(t.kernels)-1)]
		sd := math.Sqrt(kernel.Var[0] + math.Max(vr[0], 0))
		// Terms that are certain need no normal distribution function.
		first := sort.SearchFloat64s(kernel.At, mean[0]-certain*sd)
		last := first + sort.SearchFloat64s(kernel.At[first:], mean[0]+certain*sd)
		z, cdf, pdf, _ := t.room(last - first)
		for j, at := range kernel.At[first:last] {
			z[j] = (at - mean[0]) / sd
		}
		vec.Normal(cdf, pdf, z)
		weights := kernel.Weight[first:last]
		below += w * (vec.Dot(weights, cdf) + floats.Sum(kernel.Weight[last:]))
		density += w / sd * vec.Dot(weights, pdf)
	}
	return below, density
}

// room returns slices for n terms of a kernel.
func (t *margin) room(n int) (z, cdf, pdf, inverse []float64) {
	for len(t.terms[0]) < n {
		for i := range t.terms {
			t.terms[i] = make([]float64, 2*n)
		}
	}
	return t.terms[0][:n], t.terms[1][:n], t.terms[2][:n], t.terms[3][:n]
}

// quantile returns the quantile at a level. It applies Newton's method to the z of places, and halves the
// interval instead where a step would leave it or the steps are slow. The search begins between the places
// that are already known.
func (t *margin) quantile(level float64) float64 {
	z := stats.Quantile(level)
	lo := place{x: math.Inf(-1), u: math.Inf(-1), z: math.Inf(-1)}
	hi := place{x: math.Inf(1), u: math.Inf(1), z: math.Inf(1)}
	if t.m.Discrete() {
		lo.x, hi.x = -1, mostCount
	}
	narrow := func(p place) {
		if p.z < z && p.x > lo.x {
			lo = p
		}
		if p.z >= z && p.x < hi.x {
			hi = p
		}
	}
	for _, p := range t.seen {
		narrow(p)
	}
	for step := range quantileSteps {
		if t.m.Discrete() && hi.x-lo.x <= math.Max(1, 1e-12*hi.x) {
			break
		}
		near := lo
		if hi.z-z < z-lo.z {
			near = hi
		}
		u := near.u + (z-near.z)/near.slope
		if !t.m.Discrete() && math.Abs(u-near.u) <= lastStep {
			return t.center + t.unit*math.Sinh(u)
		}
		if !(u > lo.u && u < hi.u) || math.IsInf(u, 0) || step > quickSteps && step%2 == 0 {
			u = t.middle(lo, hi, z, float64(step+1))
		}
		if !(u > lo.u && u < hi.u) && !t.m.Discrete() {
			break // lo and hi are neighbours
		}
		p := t.at(u, lo, hi)
		t.seen = append(t.seen, p)
		narrow(p)
	}
	return hi.x
}

// middle returns the middle of an interval, a point on the open side of a half-open one, or the quantile of a
// distribution that is Gaussian in u. length is the length of the step to a point on the open side.
func (t *margin) middle(lo, hi place, z, length float64) float64 {
	switch {
	case !math.IsInf(lo.u, 0) && !math.IsInf(hi.u, 0):
		return lo.u + (hi.u-lo.u)/2
	case !math.IsInf(lo.u, 0):
		return lo.u + length
	case !math.IsInf(hi.u, 0):
		return hi.u - length
	case !t.m.Discrete():
		return math.Asinh(z)
	}
	center, variance := t.latent()
	for s, w := range t.m.Weights {
		_, vr, _ := t.m.component(s, t.k)
		variance += w * vr[0]
	}
	_, _, params := t.m.component(0, t.k)
	usual, spread := t.m.Observation.Moments([]float64{center}, []float64{0}, params)
	return math.Log1p(usual * math.Exp(z*math.Sqrt(variance+math.Log1p(spread/(usual*usual)))))
}

// at evaluates the distribution function at u, for a count at the next one between lo and hi.
func (t *margin) at(u float64, lo, hi place) place {
	p := place{u: u}
	scale := 1.0 // dx/du
	if t.m.Discrete() {
		p.x = math.Ceil(math.Expm1(u))
		p.x = math.Min(math.Max(p.x, lo.x+1), hi.x-1)
		p.u = math.Log1p(p.x)
	} else {
		p.x = t.center + t.unit*math.Sinh(u)
		scale = t.unit * math.Cosh(u)
	}
	below, density := t.below(p.x)
	p.z = math.Inf(1)
	switch {
	case below <= 0:
		p.z = math.Inf(-1)
	case below < 1:
		p.z = stats.Quantile(below)
		p.slope = density * scale / stats.PDF(p.z)
	}
	return p
}
