package bench

import (
	"slices"
)

// Cell is what was measured of one setting.
type Cell struct {
	Setting
	// Steps counts the steps that were measured, after those that warm up.
	Steps int
	// Median and Min are of the seconds of a step.
	Median, Min float64
	// FLOPs is the count of floating-point operations of a step; 0 when not known.
	FLOPs float64
	// Allocs and Bytes are what a step allocates on the heap, on average.
	Allocs, Bytes float64
	// Err says why nothing was measured: a *memory.Error, or what the model failed
	// of. All the numbers but FLOPs are 0 then.
	Err error
}

// Rate returns the floating-point operations a second of the median step, 0 when
// not known.
func (c Cell) Rate() float64 {
	if c.Err != nil || c.Median <= 0 {
		return 0
	}
	return c.FLOPs / c.Median
}

// summarise fills in the statistics of the times of steps, in seconds, and of
// what they allocated together. There must be at least one.
func (c *Cell) summarise(times []float64, allocs, bytes uint64) {
	n := float64(len(times))
	c.Steps, c.Median, c.Min = len(times), median(times), slices.Min(times)
	c.Allocs, c.Bytes = float64(allocs)/n, float64(bytes)/n
}

// median returns the middle of the values, or the mean of the two middle ones.
// It panics without values and leaves them in their order.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
