package stats

import "math"

const (
	invSqrt2Pi  = 0.398942280401432677939946059934381868 // 1/sqrt(2 pi)
	halfLog2Pi  = 0.918938533204672741780329736405617640 // log(2 pi)/2
	sqrtHalfPi  = 1.253314137315500251207882642405522627 // sqrt(pi/2)
	invSqrtPi   = 0.564189583547756286948079451560772586 // 1/sqrt(pi)
	smallZ      = 0.46875 * math.Sqrt2                   // edge of the first approximation
	largeErfcxX = 4                                      // edge of the last one
)

// PDF returns the standard normal density at z.
func PDF(z float64) float64 {
	return invSqrt2Pi * math.Exp(-0.5*z*z)
}

// LogPDF returns the logarithm of the density at x of a normal distribution with the given mean and
// variance.
func LogPDF(x, mean, variance float64) float64 {
	d := x - mean
	return -halfLog2Pi - 0.5*math.Log(variance) - 0.5*d*d/variance
}

// CDF returns Phi(z), the probability of a value below z, accurate to a few units in the last
// place.
func CDF(z float64) float64 {
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}

// Quantile returns the z with Phi(z) = p, for p between 0 and 1. It applies Newton's method to log
// Phi. Because log Phi is concave, iterates that start below z increase towards z.
func Quantile(p float64) float64 {
	switch {
	case p == 0.5:
		return 0
	case p > 0.5:
		return -Quantile(1 - p)
	}
	target := math.Log(p)
	z := -math.Sqrt(-2 * target) // Phi(z) < exp(-z^2/2)/2 = p/2
	for {
		value, grad := LogCDFGrad(z)
		next := z + (target-value)/grad
		if !(next-z > 1e-15*math.Abs(next)) {
			return next
		}
		z = next
	}
}

// LogCDF returns log Phi(z).
func LogCDF(z float64) float64 {
	l, _ := LogCDFGrad(z)
	return l
}

// LogCDFGrad returns log Phi(z) and its derivative phi(z)/Phi(z), each with a relative error near
// 1e-15 for every z. No intermediate value underflows before the result does.
func LogCDFGrad(z float64) (value, grad float64) {
	switch {
	case z < smallZ && z > -smallZ:
		cdf := 0.5 + 0.5*erfSmall(z/math.Sqrt2)
		return math.Log(cdf), PDF(z) / cdf
	case z < 0:
		r := Mills(-z)
		return math.Log(r) - 0.5*z*z - halfLog2Pi, 1 / r
	default:
		pdf := PDF(z)
		above := pdf * Mills(z)
		return math.Log1p(-above), pdf / (1 - above)
	}
}

// Mills returns Mills' ratio (1 - Phi(z)) / phi(z) for z >= 0.
func Mills(z float64) float64 {
	x := z / math.Sqrt2
	if z < smallZ {
		return (0.5 - 0.5*erfSmall(x)) / PDF(z)
	}
	return sqrtHalfPi * erfcx(x)
}

// The rational approximations below are from W. J. Cody, "Rational Chebyshev Approximations for the
// Error Function", Mathematics of Computation 23 (1969), 631-637,
// https://doi.org/10.1090/S0025-5718-1969-0247736-4: to erf(x) for |x| <= 0.46875, and to exp(x^2)
// erfc(x) up to 4 and beyond. Their maximal relative error is below 1e-16. Each slice starts at the
// highest power.
var (
	erfNum = [...]float64{1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2,
		3.77485237685302021e2, 3.20937758913846947e3}
	erfDen = [...]float64{1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3,
		2.84423683343917062e3}
	midNum = [...]float64{2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
		6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3,
		2.05107837782607147e3, 1.23033935479799725e3}
	midDen = [...]float64{1, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
		1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3,
		1.23033935480374942e3}
	farNum = [...]float64{1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
		1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4}
	farDen = [...]float64{1, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1,
		6.05183413124413191e-2, 2.33520497626869185e-3}
)

// erfSmall returns erf(x) for |x| <= 0.46875.
func erfSmall(x float64) float64 {
	t := x * x
	num, den := erfNum[0], erfDen[0]
	for i := 1; i < len(erfNum); i++ {
		num = num*t + erfNum[i]
		den = den*t + erfDen[i]
	}
	return x * num / den
}

// erfcx returns exp(x^2) erfc(x) for x >= 0.46875.
func erfcx(x float64) float64 {
	if x <= largeErfcxX {
		num, den := midNum[0], midDen[0]
		for i := 1; i < len(midNum); i++ {
			num = num*x + midNum[i]
			den = den*x + midDen[i]
		}
		return num / den
	}
	t := 1 / (x * x)
	num, den := farNum[0], farDen[0]
	for i := 1; i < len(farNum); i++ {
		num = num*t + farNum[i]
		den = den*t + farDen[i]
	}
	return (invSqrtPi - t*num/den) / x
}
