package canvas

import "math"

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return v-v == 0 }

// Fraction returns the position of v between lo and hi, from 0 to 1. It is 0.5 if the range is
// empty. No argument may be NaN.
func Fraction(v, lo, hi float64) float64 {
	d := hi - lo
	if d <= 0 {
		return 0.5
	}
	t := (v - lo) / d
	if math.IsInf(d, 0) || math.IsInf(v-lo, 0) {
		t = (v/2 - lo/2) / (hi/2 - lo/2)
	}
	return math.Max(0, math.Min(1, t))
}

// Share returns the range of the count items that pixel i of n covers. It has at least one item,
// and every item is covered.
func Share(i, n, count int) (lo, hi int) {
	lo, hi = i*count/n, ((i+1)*count+n-1)/n
	return lo, max(hi, lo+1)
}
