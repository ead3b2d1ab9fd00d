package axes

import (
	"math"
	"strconv"

	"dgplab/viz/number"
)

// Axis is what the x values of a Curve are.
type Axis int

const (
	// Steps counts: 0, 500, 1k.
	Steps Axis = iota
	// Seconds measures time: 40s, 3m20s.
	Seconds
	// Plain is any other number.
	Plain
	// Epochs counts passes over the training data, in parts too: 0, 0.5, 1.
	Epochs
	// Draws counts what a chain has kept, and Lags how far two draws are apart.
	Draws
	Lags
)

// logged marks an axis whose values are logarithms.
const logged Axis = 1 << 8

// Log is the same axis for the decimal logarithms of its values: its texts and ticks are
// those of the values.
func (a Axis) Log() Axis { return a | logged }

// Base is the axis of the values themselves.
func (a Axis) Base() Axis { return a &^ logged }

// Value returns the value at x, and Place is the x of a positive value.
func (a Axis) Value(x float64) float64 {
	if a == a.Base() {
		return x
	}
	v := math.Min(math.Pow(10, x), math.MaxFloat64)
	if whole := math.Round(v); a.Base().counts() && math.Abs(v-whole) < 1e-9*v {
		return whole
	}
	return v
}

// Place undoes Value.
func (a Axis) Place(v float64) float64 {
	if a == a.Base() {
		return v
	}
	return math.Log10(math.Max(v, math.SmallestNonzeroFloat64))
}

// Name is what stands at the axis.
func (a Axis) Name() string {
	switch a.Base() {
	case Seconds:
		return "time"
	case Plain:
		return "x"
	case Epochs:
		return "epoch"
	case Draws:
		return "draw"
	case Lags:
		return "lag, draws"
	default:
		return "step"
	}
}

// counts says whether values are whole numbers.
func (a Axis) counts() bool { return a == Steps || a == Draws || a == Lags }

// Text returns x as a person says it; steps in full.
func (a Axis) Text(x float64) string {
	x = a.Value(x)
	a = a.Base()
	switch {
	case a == Seconds:
		return number.Seconds(x)
	case a.counts() && x == math.Trunc(x) && math.Abs(x) < 1e9:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return number.Short(x)
}

// Ticks returns about n ticks at round values from lo to hi, both finite. A range
// of one value has one tick.
func (a Axis) Ticks(lo, hi float64, n int) []Tick {
	if a != a.Base() {
		return a.logTicks(lo, hi, n)
	}
	if lo == hi {
		if a == Seconds {
			return []Tick{{lo, number.Seconds(lo)}}
		}
		return []Tick{{lo, number.Short(lo)}}
	}
	switch a {
	case Seconds:
		return timeTicks(lo, hi, n)
	case Steps, Draws, Lags:
		if ticks := LinearTicks(lo, hi, n, 1); len(ticks) > 0 {
			return ticks
		}
	}
	return someTicks(lo, hi, n)
}

// logTicks are Ticks at powers of ten of the values, and with room between them.
func (a Axis) logTicks(lo, hi float64, n int) (list []Tick) {
	base := a.Base()
	values := powersOfTen(a.Value(lo), a.Value(hi), n)
	if len(values) < 2 {
		for _, t := range base.Ticks(a.Value(lo), a.Value(hi), n) {
			list = append(list, Tick{a.Place(t.At), t.Label})
		}
		return list
	}
	for _, v := range values {
		label := number.Short(v)
		if base == Seconds {
			label = number.Seconds(v)
		}
		list = append(list, Tick{a.Place(v), label})
	}
	return list
}

// Best is which value of a series is marked as the best.
type Best int

const (
	// NoBest marks none.
	NoBest Best = iota
	// Highest marks the greatest finite value.
	Highest
	// Lowest marks the least.
	Lowest
)

// XY is a point in the units of its axes.
type XY struct{ X, Y float64 }
