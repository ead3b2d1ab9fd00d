package metric

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// The standard error determines the digits of a mean.
func TestWithError(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		mean, se   float64
		text, want string
	}{
		{-2.618734, 0.006756, "-2.6187", "0.0068"},
		{-2.605012, 0.000085, "-2.605012", "0.000085"},
		{3.276601, 4e-16, "3.277", "0"},
		{-2.624, 0, "-2.624", "0"},
		{1.3e-7, nan, "1.300e-07", ""},
		{1.3e-7, 1.2e-8, "1.300e-07", "1.2e-08"},
		{0.5, 1.3e-9, "0.50000000", "1.3e-09"},
		{0.25, 0.0999, "0.25", "0.10"},
		{0.0123, 4567, "0.012", "4567"},
		{0, 0.031, "0", "0.031"},
		{0, nan, "0", ""},
		{123456, nan, "123456", ""},
		{1234.6, 12.4, "1235", "12"},
		{1.23456e12, 5.6e10, "1.235e+12", "5.6e+10"},
		{nan, 1, "NaN", "1.0"},
		{math.Inf(-1), nan, "-Inf", ""},
	} {
		text, se := WithError(c.mean, c.se)
		if text != c.text || se != c.want {
			t.Errorf("%v with the standard error %v: want %s (%s), found %s (%s)", c.mean, c.se, c.text,
				c.want, text, se)
		}
	}
}

// The texts of a mean and of its error lie within the rounding of their digits, and are 0 only for 0, for
// numbers of all sizes.
func TestWithErrorKeepsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 9))
	for range 20_000 {
		mean := math.Copysign(math.Pow(10, 40*r.Float64()-20), r.Float64()-0.5)
		size := math.Pow(10, 40*r.Float64()-20)
		text, se := WithError(mean, size)
		a, badA := strconv.ParseFloat(text, 64)
		b, badB := strconv.ParseFloat(se, 64)
		if badA != nil || badB != nil || a == 0 || b == 0 && size > 1e-12*math.Abs(mean) {
			t.Fatalf("%v with the standard error %v: %s (%s)", mean, size, text, se)
		}
		if b > 0 && math.Abs(b-size) > 0.051*size {
			t.Fatalf("the standard error %v of %v became %s", size, mean, se)
		}
		if math.Abs(a-mean) > 0.051*math.Max(math.Abs(mean), size) {
			t.Fatalf("%v with the standard error %v became %s", mean, size, text)
		}
	}
}
