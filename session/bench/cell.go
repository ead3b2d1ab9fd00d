package bench

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Cell is what was measured of one setting. Measures are NaN where nothing was.
type Cell struct {
	Setting `json:"-"`
	// Steps counts the steps that were measured, after those that warm up.
	Steps int `json:"steps"`
	// Median and Min are of the milliseconds of a step.
	Median Measure `json:"ms_median"`
	Min    Measure `json:"ms_min"`
	// FLOPs is the count of floating-point operations of a step.
	FLOPs Count `json:"flops_per_step"`
	// GFLOPS are the billions of them in a second of the median step, and PeakShare is
	// their part of the machine's peak.
	GFLOPS    Measure `json:"gflops"`
	PeakShare Measure `json:"peak_share"`
	// Allocs and Bytes are what a step allocates on the heap, on average.
	Allocs Measure `json:"allocs_per_step"`
	Bytes  Measure `json:"bytes_per_step"`
	// Err says why nothing was measured: a *memory.Error, or what the model failed of.
	Err error `json:"-"`
}

// Measure is a number that was measured, NaN if it was not. JSON has six digits of
// it, more than it is worth, and null for NaN.
type Measure float64

// Known says whether it was measured.
func (m Measure) Known() bool { return !math.IsNaN(float64(m)) }

// MarshalJSON implements json.Marshaler.
func (m Measure) MarshalJSON() ([]byte, error) {
	short, err := strconv.ParseFloat(strconv.FormatFloat(float64(m), 'g', 6, 64), 64)
	if err != nil || short-short != 0 {
		return []byte("null"), nil
	}
	return json.Marshal(short)
}

// Count is a number that is above 0 where it is known, and null in JSON where not.
type Count float64

// MarshalJSON implements json.Marshaler.
func (c Count) MarshalJSON() ([]byte, error) {
	if c <= 0 {
		return []byte("null"), nil
	}
	return json.Marshal(float64(c))
}

var nothing = Measure(math.NaN())

// newCell returns a cell of which nothing was measured.
func newCell(j job) Cell {
	return Cell{
		Setting: j.Setting, FLOPs: Count(j.size.StepFLOPs),
		Median: nothing, Min: nothing, GFLOPS: nothing, PeakShare: nothing, Allocs: nothing, Bytes: nothing,
	}
}

// summarise fills in the statistics of the times of steps, in seconds, and of
// what they allocated together. There must be at least one.
func (c *Cell) summarise(times []float64, allocs, bytes uint64) {
	n := Measure(len(times))
	c.Steps = len(times)
	c.Median = Measure(median(times) / milli)
	c.Min = Measure(slices.Min(times) / milli)
	c.Allocs = Measure(allocs) / n
	c.Bytes = Measure(bytes) / n
	if seconds := median(times); c.FLOPs > 0 && seconds > 0 {
		c.GFLOPS = Measure(float64(c.FLOPs) / seconds / giga)
	}
}

const (
	milli = 1e-3
	giga  = 1e9
)

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
