package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// forAll runs a test with every set of routines that this machine supports.
func forAll(t *testing.T, run func(t *testing.T)) {
	t.Helper()
	kept := active
	defer func() { active = kept }()
	for _, set := range SupportedSets() {
		active = routinesOf(set)
		t.Run(string(set), run)
	}
}

// precision is the precision of the reference values, in bits.
const precision = 160

// bigExp evaluates the Taylor series of exp(x/2^30) and squares it 30 times.
func bigExp(x *big.Float) *big.Float {
	const halvings, terms = 30, 12
	wide := uint(precision + 40)
	r := new(big.Float).SetPrec(wide).SetMantExp(x, -halvings)
	sum := new(big.Float).SetPrec(wide).SetInt64(1)
	term := new(big.Float).SetPrec(wide).SetInt64(1)
	for i := int64(1); i <= terms; i++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog improves a starting value by one step of Halley's method, which triples the number of
// correct digits: y + 2 (x - e^y)/(x + e^y).
func bigLog(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	y := new(big.Float).SetPrec(precision).SetFloat64(math.Log(fraction) + float64(exponent)*math.Ln2)
	e := bigExp(y)
	exact := new(big.Float).SetPrec(precision).SetFloat64(x)
	step := new(big.Float).SetPrec(precision).Sub(exact, e)
	step.Quo(step, new(big.Float).SetPrec(precision).Add(exact, e))
	return y.Add(y, step.Add(step, step))
}

// ulps returns the distance between got and want in units of the last place of a float64 near want.
func ulps(got float64, want *big.Float) float64 {
	near, _ := want.Float64()
	unit := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
	difference := new(big.Float).SetPrec(precision).Sub(new(big.Float).SetFloat64(got), want)
	difference.Quo(difference, new(big.Float).SetFloat64(unit))
	d, _ := difference.Float64()
	return math.Abs(d)
}

// expPoints cover the whole range of exp, with more points at common arguments, at the largest
// reduced arguments, and at results that are denormal or overflow.
func expPoints(rng *rand.Rand) []float64 {
	var x []float64
	for range 1500 {
		x = append(x,
			-745+rng.Float64()*1454,
			-20+rng.Float64()*20,
			-745.13+rng.Float64()*37,
			709+rng.Float64()*0.78,
			(math.Floor(rng.Float64()*2000-1000)+0.5)*math.Ln2*0.7,
			rng.NormFloat64()*math.Pow(2, -float64(rng.IntN(60))))
	}
	return append(x, 709.782712893384, -708.3964185322641, -745.1332191019411, 1, -1, 0x1p-1074, -0x1p-1074)
}

func TestExp(t *testing.T) {
	forAll(t, func(t *testing.T) {
		x := expPoints(rand.New(rand.NewPCG(1, 1)))
		got := make([]float64, len(x))
		Exp(got, x)
		worst, where := 0.0, 0.0
		for i, v := range x {
			if d := ulps(got[i], bigExp(new(big.Float).SetFloat64(v))); d > worst || math.IsNaN(got[i]) {
				worst, where = d, v
			}
		}
		t.Logf("largest error %.3f units in the last place, at %v", worst, where)
		limit := 1.0
		if active == nil {
			limit = 2
		}
		if !(worst <= limit) {
			t.Errorf("exp(%v) is wrong by %v units in the last place", where, worst)
		}
	})
}

func TestLog(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 2))
		var x []float64
		for range 2000 {
			x = append(x, math.Exp(rng.Float64()*1400-700),
				1+rng.NormFloat64()*math.Pow(2, -4-float64(rng.IntN(45))),
				rng.Float64()*3, math.Ldexp(rng.Float64(), -1030-rng.IntN(40)))
		}
		x = append(x, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, math.Sqrt2, math.Sqrt2/2)
		got := make([]float64, len(x))
		Log(got, x)
		for i, v := range x {
			if v == 0 || v == 1 {
				continue
			}
			if d := ulps(got[i], bigLog(v)); !(d <= 1) {
				t.Fatalf("log(%v) is wrong by %v units in the last place", v, d)
			}
		}
	})
}

func TestSpecialValues(t *testing.T) {
	inf := math.Inf(1)
	nan := math.NaN()
	zero := math.Copysign(0, -1)
	forAll(t, func(t *testing.T) {
		cases := []struct {
			name    string
			f       func(dst, src []float64)
			x, want float64
		}{
			{"exp", Exp, inf, inf}, {"exp", Exp, -inf, 0}, {"exp", Exp, nan, nan},
			{"exp", Exp, 0, 1}, {"exp", Exp, zero, 1},
			{"exp", Exp, 709.79, inf}, {"exp", Exp, 1e300, inf},
			{"exp", Exp, -745.2, 0}, {"exp", Exp, -1e300, 0},
			{"exp", Exp, -744.5, 5e-324}, {"exp", Exp, math.MaxFloat64, inf},
			{"log", Log, inf, inf}, {"log", Log, -inf, nan}, {"log", Log, nan, nan},
			{"log", Log, 0, -inf}, {"log", Log, zero, -inf},
			{"log", Log, -1, nan}, {"log", Log, -5e-324, nan}, {"log", Log, 1, 0},
		}
		for _, c := range cases {
			for _, n := range []int{1, 8, 13} {
				x := make([]float64, n)
				for i := range x {
					x[i] = c.x
				}
				c.f(x, x)
				for _, got := range x {
					if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
						t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
					}
				}
			}
		}
	})
}

// TestIndependentOfPosition checks that a value is the same, bit for bit, at any position in an
// array, and that nothing outside the array is written.
func TestIndependentOfPosition(t *testing.T) {
	forAll(t, func(t *testing.T) {
		x := expPoints(rand.New(rand.NewPCG(3, 3)))[:100]
		whole := make([]float64, len(x))
		for name, f := range map[string]func(dst, src []float64){"Exp": Exp, "Log": Log} {
			f(whole, x)
			for n := range 20 {
				for at := range 20 {
					got := make([]float64, 60)
					f(got[at:at+n], x[at+1:at+1+n])
					for i, v := range got {
						want := 0.0
						if i >= at && i < at+n {
							want = whole[i+1]
						}
						if math.Float64bits(v) != math.Float64bits(want) && !math.IsNaN(want) {
							t.Fatalf("%s of %d values at %d: element %d is %v, want %v",
								name, n, at, i, v, want)
						}
					}
				}
			}
		}
	})
}

// TestVersionsAgree checks that AVX-512 and AVX2 give the same bits.
func TestVersionsAgree(t *testing.T) {
	var first []float64
	forAll(t, func(t *testing.T) {
		if active == nil {
			t.Skip("plain Go rounds differently")
		}
		x := expPoints(rand.New(rand.NewPCG(4, 4)))
		got := make([]float64, 2*len(x))
		Exp(got[:len(x)], x)
		Log(got[len(x):], x)
		if first == nil {
			first = got
		}
		for i, v := range got {
			if v != first[i] && !(math.IsNaN(v) && math.IsNaN(first[i])) {
				t.Fatalf("value %d, of %v: %v and %v", i, x[i%len(x)], v, first[i])
			}
		}
	})
}
