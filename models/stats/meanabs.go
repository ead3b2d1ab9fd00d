package stats

import "math"

// beyond is the number of standard deviations at which E|x| equals |mean| to rounding.
const beyond = 8

// MeanAbs returns the expectation of |x| under a normal distribution with the given mean and
// standard deviation, which may be 0. The CRPS of a Gaussian mixture is a sum of such terms.
func MeanAbs(mean, sd float64) float64 {
	mean = math.Abs(mean)
	if mean >= beyond*sd {
		return mean
	}
	t := mean / sd
	return mean + 2*sd*PDF(t)*(1-t*Mills(t))
}

// MeanAbsSum returns the sum of weights[i] E|x_i| over normally distributed x_i with mean m -
// mean[i] and variance v + vr[i], which may be 0. It takes a fifth of the time of separate calls of
// MeanAbs; the relative error is near 1e-15. It panics if mean or vr is shorter than weights.
func MeanAbsSum(weights, mean, vr []float64, m, v float64) (sum float64) {
	mean = mean[:len(weights)]
	vr = vr[:len(weights)]
	for i, w := range weights {
		d := math.Abs(m - mean[i])
		sd := math.Sqrt(v + vr[i])
		if !(d < beyond*sd) {
			sum += w * (d + 0*sd) // NaN if the variance is NaN or negative
			continue
		}
		t := d / sd * perSD
		k := int(t)
		x := t - (float64(k) + 0.5)
		c, x2 := &taylor[k], x*x
		low, high := (c[0]+c[1]*x)+(c[2]+c[3]*x)*x2, (c[4]+c[5]*x)+(c[6]+c[7]*x)*x2
		sum += w * sd * (low + high*(x2*x2))
	}
	return sum
}

// perSD is the number of table intervals per standard deviation.
const perSD = 16

// taylor holds, for every interval of t, the leading coefficients of the Taylor series of g(t) =
// E|x|, with x normal with mean t and variance 1, around the midpoint of the interval, in units of
// its width. The truncation error is below 5e-16, and g is at least 0.79. The last interval is for
// values of t that are rounded up to beyond.
var taylor = func() (table [beyond*perSD + 1][8]float64) {
	for k := range table {
		table[k] = taylorAt((float64(k) + 0.5) / perSD)
	}
	return table
}()

// taylorAt returns the coefficients around t. The first derivative of g is erf(t/sqrt 2), the
// second is 2 phi(t), and the derivatives of the density phi are (-1)^n He_n(t) phi(t), where He
// are the Hermite polynomials, He_n+1 = t He_n - n He_n-1.
func taylorAt(t float64) (c [8]float64) {
	c[0] = MeanAbs(t, 1)
	c[1] = math.Erf(t/math.Sqrt2) / perSD
	previous, hermite := 0.0, 1.0
	scale := 2 * PDF(t) / (2 * perSD * perSD) // squared width over 2!, for the second coefficient
	for n := range len(c) - 2 {
		c[n+2] = hermite * scale
		previous, hermite = hermite, t*hermite-float64(n)*previous
		scale /= -perSD * float64(n+3)
	}
	return c
}
