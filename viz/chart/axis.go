package chart

import (
	"math"
	"strconv"

	"dgplab/viz/canvas"
)

// Axis is the unit of the x values of a curve.
type Axis int

const (
	// Steps counts training steps: 0, 500, 1k.
	Steps Axis = iota
	// Seconds measures time: 40s, 3m20s.
	Seconds
	// Plain is any other number.
	Plain
	// Epochs counts passes over the training data, with fractions: 0, 0.5, 1.
	Epochs
	// Draws counts the draws that a chain has kept. Lags measures the distance between two draws.
	Draws
	Lags
)

// logged marks an axis whose values are logarithms.
const logged Axis = 1 << 8

// Log returns the axis for decimal logarithms of its values. Its labels and ticks show the values.
func (a Axis) Log() Axis { return a | logged }

// Base returns the axis without logarithms.
func (a Axis) Base() Axis { return a &^ logged }

// Value returns the value at x. It inverts Position.
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

// Position returns the x of a value, which is positive on a logarithmic axis.
func (a Axis) Position(v float64) float64 {
	if a == a.Base() {
		return v
	}
	return math.Log10(math.Max(v, math.SmallestNonzeroFloat64))
}

// Name returns the name of the axis.
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

// counts reports whether values are whole numbers.
func (a Axis) counts() bool { return a == Steps || a == Draws || a == Lags }

// Text formats the value at x. Steps are written in full.
func (a Axis) Text(x float64) string {
	x = a.Value(x)
	a = a.Base()
	switch {
	case a == Seconds:
		return canvas.Seconds(x)
	case a.counts() && x == math.Trunc(x) && math.Abs(x) < 1e9:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return canvas.Number(x)
}

// Ticks returns about n ticks at round values from lo to hi, both finite. An empty range has one
// tick.
func (a Axis) Ticks(lo, hi float64, n int) []Tick {
	if a != a.Base() {
		return a.logTicks(lo, hi, n)
	}
	if lo == hi {
		if a == Seconds {
			return []Tick{{lo, canvas.Seconds(lo)}}
		}
		return []Tick{{lo, canvas.Number(lo)}}
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

// logTicks returns Ticks at powers of ten, and at multiples of them if there is room.
func (a Axis) logTicks(lo, hi float64, n int) (list []Tick) {
	base := a.Base()
	values := powersOfTen(a.Value(lo), a.Value(hi), n)
	if len(values) < 2 {
		for _, t := range base.Ticks(a.Value(lo), a.Value(hi), n) {
			list = append(list, Tick{a.Position(t.At), t.Label})
		}
		return list
	}
	for _, v := range values {
		label := canvas.Number(v)
		if base == Seconds {
			label = canvas.Seconds(v)
		}
		list = append(list, Tick{a.Position(v), label})
	}
	return list
}

// Best selects the value of a series that is marked as the best.
type Best int

const (
	// NoBest marks no value.
	NoBest Best = iota
	// Highest marks the largest finite value.
	Highest
	// Lowest marks the smallest finite value.
	Lowest
)

// XY is a point in the units of its axes.
type XY struct{ X, Y float64 }
