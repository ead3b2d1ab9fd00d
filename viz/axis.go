package viz

import (
	"math"
	"strconv"
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
)

// name is what stands at the axis.
func (a Axis) name() string {
	switch a {
	case Seconds:
		return "time"
	case Plain:
		return "x"
	case Epochs:
		return "epoch"
	default:
		return "step"
	}
}

// text returns x as a person says it; steps in full.
func (a Axis) text(x float64) string {
	switch {
	case a == Seconds:
		return seconds(x)
	case a == Steps && x == math.Trunc(x) && math.Abs(x) < 1e9:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return Short(x)
}

// Ticks returns about n ticks at round values from lo to hi, both finite. A range
// of one value has one tick.
func (a Axis) Ticks(lo, hi float64, n int) []Tick {
	if lo == hi {
		if a == Seconds {
			return []Tick{{lo, seconds(lo)}}
		}
		return []Tick{{lo, Short(lo)}}
	}
	switch a {
	case Seconds:
		return timeTicks(lo, hi, n)
	case Steps:
		if ticks := linearTicks(lo, hi, n, 1); len(ticks) > 0 {
			return ticks
		}
	}
	return someTicks(lo, hi, n)
}
