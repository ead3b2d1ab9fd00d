package bench

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Cell holds the measurements of one setting. Measures are NaN if they are missing.
type Cell struct {
	Setting `json:"-"`
	// Sizes holds the sizes of the model: N, and M, B and S of families that have them.
	Sizes []Value `json:"-"`
	// Steps is the number of measured steps, without the warm-up.
	Steps int `json:"steps"`
	// Floor is the shortest possible time per step in milliseconds: the operations of the step at the
	// rates that the machine reaches for products of their shape and for elementwise operations.
	Floor Measure `json:"ms_floor"`
	// Median and Min are times per step in milliseconds. If the operations of a step differ between
	// steps, they refer to means over the cycles of steps; see family.Size.
	Median Measure `json:"ms_median"`
	Min    Measure `json:"ms_min"`
	// CPU is the mean processor time per step in milliseconds, summed over the cores.
	CPU Measure `json:"ms_cpu"`
	// FLOPs is the number of floating-point operations per step.
	FLOPs Count `json:"flops_per_step"`
	// GFLOPS is the rate at the median step, in 1e9 operations per second. PeakShare is the rate
	// relative to the peak of the machine.
	GFLOPS    Measure `json:"gflops"`
	PeakShare Measure `json:"peak_share"`
	// Allocs and Bytes are the average heap allocations per step.
	Allocs Measure `json:"allocs_per_step"`
	Bytes  Measure `json:"bytes_per_step"`
	// OnCores holds the times of a step on Options.Cores, and Loops its parallel loops. Both are nil without
	// Options.Cores.
	OnCores []OnCores  `json:"on_cores,omitempty"`
	Loops   []LoopCost `json:"loops,omitempty"`
	// Err explains why there are no measurements: a *memory.Error or an error of the model.
	Err error `json:"-"`
}

// Measure is a measured number, or NaN. It is written to JSON with six significant digits, and as
// null if it is NaN.
type Measure float64

// Known reports whether m is not NaN.
func (m Measure) Known() bool { return !math.IsNaN(float64(m)) }

// MarshalJSON implements json.Marshaler.
func (m Measure) MarshalJSON() ([]byte, error) {
	short, err := strconv.ParseFloat(strconv.FormatFloat(float64(m), 'g', 6, 64), 64)
	if err != nil || short-short != 0 {
		return []byte("null"), nil
	}
	return json.Marshal(short)
}

// Count is a positive number. It is 0 if unknown, which is null in JSON.
type Count float64

// MarshalJSON implements json.Marshaler.
func (c Count) MarshalJSON() ([]byte, error) {
	if c <= 0 {
		return []byte("null"), nil
	}
	return json.Marshal(float64(c))
}

var notMeasured = Measure(math.NaN())

// newCell returns a cell without measurements.
func newCell(j job) Cell {
	return Cell{
		Setting: j.Setting, Sizes: j.sizes(), FLOPs: Count(j.size.StepFLOPs),
		Median: notMeasured, Min: notMeasured, GFLOPS: notMeasured, PeakShare: notMeasured,
		Allocs: notMeasured, Bytes: notMeasured, Floor: notMeasured, CPU: notMeasured,
	}
}

// sizes returns the sizes of the model. M may be a list, with one number per layer.
func (j job) sizes() []Value {
	list := []Value{{Rows, strconv.Itoa(j.rows)}}
	without := unused(j.spec, j.values)
	for _, name := range []string{"inducing", "batch", "samples"} {
		if text, has := j.values[name]; has && !slices.Contains(without, name) {
			list = append(list, Value{name, text})
		}
	}
	return list
}

// Ratio returns the median time per step relative to the floor. It is NaN if one of them is missing. The
// shortest time would not do: a trajectory of HMC that diverges ends early.
func (c *Cell) Ratio() Measure { return c.Median / c.Floor }

// CPURatio returns the processor time per step relative to the floor on all cores. Other processes on the
// machine affect it less than Ratio.
func (c *Cell) CPURatio(cores int) Measure { return c.CPU / (Measure(cores) * c.Floor) }

// summarise sets the statistics from the step times in seconds and the total allocations. The operations of
// steps repeat after cycle steps. summarise panics if there are fewer times than steps in a cycle.
func (c *Cell) summarise(times []float64, cycle int, allocs, bytes uint64) {
	n := Measure(len(times))
	c.Steps = len(times)
	times = means(times, cycle)
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

// means returns the means of groups of n consecutive values. It leaves out the values after the last group.
func means(values []float64, n int) []float64 {
	list := make([]float64, len(values)/n)
	for i := range list {
		for _, v := range values[i*n : (i+1)*n] {
			list[i] += v / float64(n)
		}
	}
	return list
}

// median returns the median of values without reordering them. It panics if values is empty.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
