package param

import (
	"fmt"
	"math"
)

// Interval keeps values from Lower to Upper: value = Lower + (Upper - Lower) / (1 + exp(-free)). Close to
// Lower it behaves like Exponential, and close to Upper like its mirror image.
//
// The slope vanishes at the bounds, so that a value there could never leave. Inverse therefore moves it
// inside by a thousandth of the width.
type Interval struct{ Lower, Upper float64 }

// startInside is the distance from a bound at which values on it start, relative to the width.
const startInside = 1e-3

// String returns the interval as users write it, for example "0.1..10".
func (t Interval) String() string { return fmt.Sprintf("%g..%g", t.Lower, t.Upper) }

// Size implements Transform.
func (Interval) Size(n int) int { return n }

// Forward implements Transform. Each value is computed from the closer bound, which keeps it within the
// interval to the last bit.
func (t Interval) Forward(value, free []float64) {
	width := t.Upper - t.Lower
	for i, x := range free {
		share := width / (1 + math.Exp(math.Abs(x)))
		if x < 0 {
			value[i] = math.Min(t.Lower+share, t.Upper)
		} else {
			value[i] = math.Max(t.Upper-share, t.Lower)
		}
	}
}

// Inverse implements Transform. It rejects values outside the interval.
func (t Interval) Inverse(free, value []float64) error {
	inside := startInside * (t.Upper - t.Lower)
	for i, v := range value {
		if !(v >= t.Lower && v <= t.Upper) {
			return &RangeError{Index: i, Value: v, Want: "from " + t.words()}
		}
		switch v {
		case t.Lower:
			v += inside
		case t.Upper:
			v -= inside
		}
		free[i] = math.Log((v - t.Lower) / (t.Upper - v))
	}
	return nil
}

func (t Interval) words() string { return fmt.Sprintf("%g to %g", t.Lower, t.Upper) }

// Pullback implements Transform.
func (t Interval) Pullback(dFree, dValue, free []float64) {
	for i, x := range free {
		e := math.Exp(-math.Abs(x))
		dFree[i] = dValue[i] * (t.Upper - t.Lower) * e / ((1 + e) * (1 + e))
	}
}
