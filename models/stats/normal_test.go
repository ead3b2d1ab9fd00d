package stats

import (
	"math"
	"math/big"
	"testing"
)

const precision = 4096 // bits; leaves many spare digits for exp(z^2/2) up to z = 45

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func op(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
	return f(new(big.Float).SetPrec(precision), x, y)
}

func add(x, y *big.Float) *big.Float { return op((*big.Float).Add, x, y) }
func sub(x, y *big.Float) *big.Float { return op((*big.Float).Sub, x, y) }
func mul(x, y *big.Float) *big.Float { return op((*big.Float).Mul, x, y) }
func quo(x, y *big.Float) *big.Float { return op((*big.Float).Quo, x, y) }

// sumSeries adds terms until they no longer change the sum; next computes a term from its
// predecessor.
func sumSeries(first *big.Float, next func(term *big.Float, k int) *big.Float) *big.Float {
	sum, term := bigFloat(0), first
	for k := 1; ; k++ {
		sum = add(sum, term)
		term = next(term, k)
		if term.Sign() == 0 || (k > 10 && term.MantExp(nil) < sum.MantExp(nil)-precision) {
			return sum
		}
	}
}

// bigPi uses Machin's formula, pi = 16 atan(1/5) - 4 atan(1/239).
func bigPi() *big.Float {
	atanInv := func(n float64) *big.Float {
		x := quo(bigFloat(1), bigFloat(n))
		x2 := mul(x, x)
		power := x
		sum := bigFloat(0)
		for k := 0; power.MantExp(nil) > -precision; k++ {
			term := quo(power, bigFloat(float64(2*k+1)))
			if k%2 == 0 {
				sum = add(sum, term)
			} else {
				sum = sub(sum, term)
			}
			power = mul(power, x2)
		}
		return sum
	}
	return sub(mul(bigFloat(16), atanInv(5)), mul(bigFloat(4), atanInv(239)))
}

// exactMills returns (1 - Phi(z))/phi(z) for any sign of z, from
// Phi(z) = 1/2 + phi(z) (z + z^3/3 + z^5/15 + ...) and 1/phi(z) = sqrt(2 pi) exp(z^2/2).
func exactMills(z float64) *big.Float {
	x := bigFloat(z)
	x2 := mul(x, x)
	half := quo(x2, bigFloat(2))
	exp := sumSeries(bigFloat(1), func(t *big.Float, k int) *big.Float {
		return quo(mul(t, half), bigFloat(float64(k)))
	})
	odd := sumSeries(x, func(t *big.Float, k int) *big.Float {
		return quo(mul(t, x2), bigFloat(float64(2*k+1)))
	})
	root := new(big.Float).SetPrec(precision).Sqrt(quo(bigPi(), bigFloat(2)))
	return sub(mul(root, exp), odd)
}

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

func TestHighPrecisionSeries(t *testing.T) {
	for _, z := range []float64{0, 0.1, 0.5, 0.66, 0.6629, 0.663, 0.7, 1, 1.7, 2.5, 3.3, 4.9, 5.65, 5.66, 6,
		8, 12, 20, 30, 37.9, 40} {
		millsUp, _ := exactMills(z).Float64()
		if e := relative(Mills(z), millsUp); e > 2e-15 {
			t.Errorf("Mills(%v): relative error %.1e", z, e)
		}
		value, grad := LogCDFGrad(-z)
		if e := relative(grad, 1/millsUp); e > 2e-15 {
			t.Errorf("gradient at %v: relative error %.1e", -z, e)
		}
		want := math.Log(millsUp) - 0.5*z*z - halfLog2Pi
		if e := relative(value, want); e > 2e-15 {
			t.Errorf("LogCDF(%v): relative error %.1e", -z, e)
		}
		if z < 37 { // beyond 37 the density is subnormal
			checkUpper(t, z, millsUp)
		}
	}
}

// checkUpper checks z >= 0, where phi/Phi = 1/(1/phi - Mills) and log Phi is close to minus the
// probability above z.
func checkUpper(t *testing.T, z, millsUp float64) {
	t.Helper()
	value, grad := LogCDFGrad(z)
	below, _ := exactMills(-z).Float64() // Phi(z)/phi(z)
	if e := relative(grad, 1/below); e > 2e-13 {
		t.Errorf("gradient at %v: relative error %.1e", z, e)
	}
	want := -math.Log1p(millsUp / below) // Phi = below/(below + millsUp), times phi
	if e := relative(value, want); e > 2e-13 {
		t.Errorf("LogCDF(%v): relative error %.1e", z, e)
	}
}

func TestAsymptoticTail(t *testing.T) {
	// Abramowitz and Stegun 26.2.12: Mills(z) = 1/z (1 - 1/z^2 + 3/z^4 - ...).
	for _, z := range []float64{1e4, 1e8, 1e150} {
		value, grad := LogCDFGrad(-z)
		if e := relative(grad, z*(1+1/(z*z))); e > 1e-15 {
			t.Errorf("gradient at %v: relative error %.1e", -z, e)
		}
		if e := relative(value, -0.5*z*z-math.Log(z)-halfLog2Pi); e > 1e-15 {
			t.Errorf("LogCDF(%v): relative error %.1e", -z, e)
		}
	}
}

func TestGradientIsTheDerivative(t *testing.T) {
	for z := -9.0; z < 6; z += 0.37 {
		h := 1e-5
		_, grad := LogCDFGrad(z)
		numeric := (LogCDF(z+h) - LogCDF(z-h)) / (2 * h)
		if math.Abs(numeric-grad) > 1e-9*math.Max(1, math.Abs(grad)) {
			t.Errorf("at %v: gradient %v, central difference %v", z, grad, numeric)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	if v, g := LogCDFGrad(math.Inf(1)); v != 0 || g != 0 {
		t.Errorf("at +Inf: %v, %v; want 0, 0", v, g)
	}
	if v, g := LogCDFGrad(math.Inf(-1)); !math.IsInf(v, -1) || !math.IsInf(g, 1) {
		t.Errorf("at -Inf: %v, %v; want -Inf, +Inf", v, g)
	}
	if v, g := LogCDFGrad(math.NaN()); !math.IsNaN(v) || !math.IsNaN(g) {
		t.Errorf("at NaN: %v, %v; want NaN, NaN", v, g)
	}
	got := LogPDF(1.5, 0.5, 4)
	want := math.Log(PDF(0.5) / 2)
	if math.Abs(got-want) > 1e-15 {
		t.Errorf("LogPDF = %v, want %v", got, want)
	}
	if got := CDF(0); got != 0.5 {
		t.Errorf("CDF(0) = %v", got)
	}
}

// TestQuantile checks that the probability below a quantile is the level, and compares some
// quantiles with Python's statistics.NormalDist.
func TestQuantile(t *testing.T) {
	for p, want := range map[float64]float64{
		0.5: 0, 0.05: -1.6448536269514729, 0.975: 1.959963984540054, 1e-10: -6.361340902404056,
	} {
		if got := Quantile(p); math.Abs(got-want) > 2e-15*math.Max(1, math.Abs(want)) {
			t.Errorf("Quantile(%v) = %v, want %v", p, got, want)
		}
	}
	for _, p := range []float64{1e-300, 1e-20, 0.001, 0.3, 0.4999999, 0.5000001, 0.7, 0.999999} {
		z := Quantile(p)
		want := math.Log(min(p, 1-p))
		if e := relative(LogCDF(-math.Abs(z)), want); e > 4e-15 || z < 0 != (p < 0.5) {
			t.Errorf("Quantile(%v) = %v: relative error of the logarithm %.1e", p, z, e)
		}
	}
}

func BenchmarkLogCDFGrad(b *testing.B) {
	var sink float64
	for i := 0; b.Loop(); i++ {
		v, g := LogCDFGrad(float64(i%200)*0.1 - 10)
		sink += v + g
	}
	_ = sink
}
