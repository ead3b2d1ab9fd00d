package viz

// Axis is what the x values of a Curve are.
type Axis int

const (
	// Steps counts: 0, 500, 1k.
	Steps Axis = iota
	// Seconds measures time: 40s, 3m20s.
	Seconds
	// Plain is any other number.
	Plain
)

// name is what stands at the axis.
func (a Axis) name() string {
	switch a {
	case Seconds:
		return "time"
	case Plain:
		return "x"
	default:
		return "step"
	}
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
	case Plain:
		return linearTicks(lo, hi, n, 0)
	default:
		return linearTicks(lo, hi, n, 1)
	}
}
