package likelihood

import (
	"math"

	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// Kernels are integrals over analytic functions on the whole line, by the trapezoidal rule at equidistant
// nodes. Its error is the size of the integrand's Fourier transform at 2 pi / step (Trefethen, Weideman, "The
// Exponentially Convergent Trapezoidal Rule", 2014, https://doi.org/10.1137/130932132).
const (
	// digits is the negative logarithm of the error of a kernel, about 1e-13.
	digits = 30
	// tail is the negative logarithm of the densities that a kernel omits, relative to the largest one.
	tail = 36
	// farthest limits logarithms of ratios of Gamma variables: Below every rate is exp(maxLog).
	farthest = 700
	// tilt is the step of the mean over imaginary shifts in deconvolved, and mostTilts their number.
	tilt, mostTilts = 0.75, 16
)

// decay returns, up to small errors, log |Gamma(a) / Gamma(a + i w)|, the decay of the Fourier transform of
// the density of the logarithm of a Gamma variable with the shape a. It is 0 for infinite a.
func decay(a, w float64) float64 {
	if math.IsInf(a, 1) {
		return 0
	}
	return w*math.Atan(w/a) - 0.5*(a-0.5)*math.Log1p(w/a*w/a)
}

// bandwidth returns the frequency at which the Fourier transform of the density of log(G/H), of Gamma
// variables with the shapes a <= b, has fallen to exp(-fall).
func bandwidth(a, b, fall float64) float64 {
	lo, hi := 0.0, 2*fall+2*math.Sqrt(fall*a)
	for range 30 {
		w := 0.5 * (lo + hi)
		if decay(a, w)+decay(b, w) < fall {
			lo = w
		} else {
			hi = w
		}
	}
	return hi
}

// plainBandwidth returns a frequency above which the Fourier transform of the product of two functions is
// below exp(-digits): the density of log(G/H) as in bandwidth, and a normal distribution function of at least
// the variance v.
func plainBandwidth(a, b, v float64) (w float64) {
	const parts = 32
	highest := bandwidth(a, b, digits)
	for i := range parts + 1 {
		u := highest * float64(i) / parts
		rest := math.Max(0, digits-decay(a, u)-decay(b, u))
		w = math.Max(w, u+math.Sqrt(2*rest/v))
	}
	return 1.02 * w // the maximum may lie between two values of u
}

// addRatio adds the terms of P(f <= g + shift), where g is the logarithm of the ratio of Gamma variables with
// the shapes a and b, or of the first one if b is infinite. The variance of f is at least `least`.
//
// The terms lie on a lattice, in ascending order. If the variance of f is large, their heights are the
// density of g, and their variance is 0. Otherwise the terms are Gaussians of one variance v, and their
// heights are the density of g, deconvolved by this Gaussian, so that f may have any variance, however small.
// The density p is analytic, so its deconvolution at x is the mean of p(x + i sqrt(v) t) over t ~ N(0, 1).
func addRatio(k *predictive.Kernel, a, b, shift, least float64) {
	sign := 1.0
	if a > b { // log(G/H) = -log(H/G)
		a, b, sign = b, a, -1
	}
	log := logRatio(a, b)
	center := math.Log(a)
	if !math.IsInf(b, 1) {
		center = math.Log(a / b)
	}
	// The integrand is the deconvolved density times a normal distribution function of at least variance v.
	// At this width and step, the products of their Fourier transforms are below exp(-digits).
	width := 1.5 * bandwidth(a, b, 2*digits)
	plain := math.Inf(1)
	if least > 0 {
		plain = plainBandwidth(a, b, least)
	}
	var variance float64
	var density func(d float64) float64
	if plain < width {
		width, density = plain, log.density
	} else {
		variance = 4 * digits / (width * width)
		density = log.deconvolved(math.Sqrt(variance))
	}
	k.Var = append(k.Var, variance)
	step := 2 * math.Pi / width
	first, last := log.support(step)
	for i := range last - first + 1 {
		j := first + i
		if sign < 0 {
			j = last - i
		}
		d := float64(j) * step
		k.Add(step*density(d), shift+sign*(center+d))
	}
}

// ratio is the logarithm of the density of log(G/H) at distances d from its mode, for Gamma variables with
// the shapes a <= b, where b may be infinite.
type ratio struct {
	a, b, top float64 // top is the value at the mode
}

func logRatio(a, b float64) ratio {
	top := 0.5*math.Log(a/(2*math.Pi)) - stirling(a)
	if !math.IsInf(b, 1) {
		top = 0.5*math.Log(a/(2*math.Pi)*(b/(a+b))) - stirling(a) - stirling(b) + stirling(a+b)
	}
	return ratio{a, b, top}
}

// at returns the logarithm at d relative to the mode, and the share of e^(g+d) in 1 + e^(g+d), for infinite b
// times b, where g is the mode.
func (r ratio) at(d float64) (value, share float64) {
	if math.IsInf(r.b, 1) {
		return -r.a * expm2(d), r.a * math.Exp(d)
	}
	part := r.a / (r.a + r.b)
	spread := part * math.Expm1(d)
	return r.a*d - (r.a+r.b)*math.Log1p(spread), part * math.Exp(d) / (1 + spread)
}

// density returns the density at d.
func (r ratio) density(d float64) float64 {
	at, _ := r.at(d)
	return math.Exp(r.top + at)
}

// support returns the range of the j for which the density at j times step is not negligible.
func (r ratio) support(step float64) (first, last int) {
	negligible := func(j int) bool {
		d := float64(j) * step
		at, _ := r.at(d)
		return at < -tail || math.Abs(d) > farthest
	}
	for !negligible(last + 1) {
		last++
	}
	for !negligible(first - 1) {
		first--
	}
	return first, last
}

// deconvolved returns the density, deconvolved by a Gaussian with the standard deviation sd.
func (r ratio) deconvolved(sd float64) func(d float64) float64 {
	var angles, cosines, sines [mostTilts]float64 // cosines are 1 - cos
	for i := range angles {
		angles[i] = float64(i) * tilt * sd
		half := math.Sin(0.5 * angles[i])
		cosines[i], sines[i] = 2*half*half, math.Sin(angles[i])
	}
	height := math.Exp(r.top) * tilt / math.Sqrt(2*math.Pi)
	return func(d float64) float64 {
		at, share := r.at(d)
		sum := math.Exp(at)
		rise := math.Expm1(d)
		for i := 1; i < mostTilts && angles[i] < 3; i++ { // There is a pole at pi.
			t := float64(i) * tilt
			size, phase := r.shifted(rise, share, angles[i], cosines[i], sines[i])
			exponent := at + size - 0.5*t*t
			if exponent < -tail-10 && t > 3 {
				break
			}
			sum += 2 * math.Exp(exponent) * math.Cos(phase)
		}
		return height * sum
	}
}

// shifted returns the logarithm of the ratio of the densities at d + i angle and at d, given rise = e^d - 1,
// and 1 - cos and sin of the angle.
func (r ratio) shifted(rise, share, angle, cosine, sine float64) (size, phase float64) {
	if math.IsInf(r.b, 1) {
		return share * cosine, r.a * (angleExcess(angle, sine) - rise*sine)
	}
	n := r.a + r.b
	return -0.5 * n * math.Log1p(-2*share*(1-share)*cosine),
		r.a*angle - n*math.Atan2(share*sine, 1-share*cosine)
}

// expm2 returns e^x - 1 - x.
func expm2(x float64) float64 {
	if math.Abs(x) > 0.1 {
		return math.Expm1(x) - x
	}
	sum := 1.0
	for n := 12; n > 2; n-- {
		sum = 1 + sum*x/float64(n)
	}
	return 0.5 * x * x * sum
}

// angleExcess returns x - sin x.
func angleExcess(x, sine float64) float64 {
	if math.Abs(x) > 0.3 {
		return x - sine
	}
	square := x * x
	return x * square / 6 * (1 - square/20*(1-square/42*(1-square/72*(1-square/110))))
}

// addInverseGamma adds the terms of the distribution function of N(0, scale a/G) at y, with a Gamma variable
// G of the shape a.
func addInverseGamma(k *predictive.Kernel, y, a, scale float64) {
	log := logRatio(a, math.Inf(1))
	step := 2 * math.Pi / bandwidth(a, math.Inf(1), digits)
	for _, side := range [2]float64{1, -1} {
		for j := int(0.5 - 0.5*side); ; j++ {
			d := side * float64(j) * step
			at, _ := log.at(d)
			if at < -tail {
				break
			}
			k.Add(step*math.Exp(log.top+at), y)
			k.Var = append(k.Var, scale*math.Exp(-d))
		}
	}
}

// addLogNormal adds the terms of the distribution function of N(0, exp(x)) at y, with x ~ N(mean, vr), for a
// latent function of variance other. The distribution function of N(0, other + exp(x)) is analytic in x up to
// a distance of pi/2 from the real line, so its Fourier transform falls like exp(-pi/2 w).
func addLogNormal(k *predictive.Kernel, y, mean, vr, other float64) {
	const fall = digits + 3
	sd := math.Sqrt(math.Max(vr, 0))
	width := 2*fall/math.Pi + math.Pi/(4*vr)
	if sd*math.Sqrt(2*fall) < math.Pi/2 {
		width = math.Sqrt(2*fall) / sd
	}
	step := 2 * math.Pi / width
	// Below low the noise is negligible, and above maxLog it is limited.
	low := math.Max(mean-reach*sd, math.Max(math.Log(leastNoise), math.Log(other)-tail-2))
	high := math.Min(mean+reach*sd, maxLog)
	first, last := math.Ceil((low-mean)/step), math.Floor((high-mean)/step)
	if !(vr > 0 && first <= last) {
		k.Add(1, y)
		k.Var = append(k.Var, math.Max(rate(mean), leastNoise))
		return
	}
	rest := 1.0
	add := func(weight, log float64) {
		k.Add(weight, y)
		k.Var = append(k.Var, rate(log))
		rest -= weight
	}
	for j := first; j <= last; j++ {
		add(step/sd*stats.PDF(j*step/sd), mean+j*step)
	}
	if next := (last + 1) * step / sd; next < reach {
		// The sum beyond the limit, by the Euler-Maclaurin formula.
		add(stats.CDF(-next)+step/sd*stats.PDF(next)*(0.5+step/sd*next/12), maxLog)
	}
	if rest > 0 {
		add(rest, low)
	}
}
