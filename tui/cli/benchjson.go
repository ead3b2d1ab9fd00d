package cli

import (
	"math"
	"strconv"

	"dgplab/session/bench"
)

// cellJSON is a cell in JSON; what was not measured is null.
type cellJSON struct {
	Event  string `json:"event"`
	Family string `json:"family"`
	// Inducing is null where there are no inducing points.
	Inducing *int `json:"inducing"`
	Layers   int  `json:"layers"`
	// Width is null where there are no hidden layers.
	Width         *int     `json:"width"`
	Steps         int      `json:"steps"`
	MSMedian      *float64 `json:"ms_median"`
	MSMin         *float64 `json:"ms_min"`
	FLOPsPerStep  *float64 `json:"flops_per_step"`
	GFLOPS        *float64 `json:"gflops"`
	PeakShare     *float64 `json:"peak_share"`
	AllocsPerStep *float64 `json:"allocs_per_step"`
	BytesPerStep  *float64 `json:"bytes_per_step"`
	Error         string   `json:"error,omitempty"`
}

// benchSummaryJSON is the last line of dgplab bench --json.
type benchSummaryJSON struct {
	Event   string `json:"event"`
	Machine struct {
		CPU     string `json:"cpu"`
		Cores   int    `json:"cores"`
		Kernels string `json:"kernels"`
		Go      string `json:"go"`
	} `json:"machine"`
	// PeakGFLOPS is the larger of the other two; shares refer to it.
	PeakGFLOPS       *float64 `json:"peak_gflops"`
	PeakGFLOPSBefore *float64 `json:"peak_gflops_before"`
	PeakGFLOPSAfter  *float64 `json:"peak_gflops_after"`
	PeakSteady       bool     `json:"peak_steady"`
	N                int      `json:"n"`
	D                int      `json:"d"`
	Batch            int      `json:"batch"`
	Samples          int      `json:"samples"`
	Seconds          float64  `json:"seconds"`
	// Cells are those of the sweep, Measured those that have numbers.
	Cells       int            `json:"cells"`
	Measured    int            `json:"measured"`
	Interrupted bool           `json:"interrupted"`
	Scaling     []exponentJSON `json:"scaling"`
}

// exponentJSON is an exponent in JSON.
type exponentJSON struct {
	Family     string   `json:"family"`
	Axis       string   `json:"axis"`
	Values     []int    `json:"values"`
	Time       *float64 `json:"time"`
	Operations *float64 `json:"operations"`
	Theory     *int     `json:"theory"`
}

// given returns a pointer to a value that is known, else nil.
func given[T any](ok bool, value T) *T {
	if !ok {
		return nil
	}
	return &value
}

// rounded is given for a number that was measured: six digits are more than it has.
func rounded(ok bool, x float64) *float64 {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64); err == nil {
		x = short
	}
	return given(ok, x)
}

// benchJSON writes what a sweep came to as JSON lines.
func (c *console) benchJSON(plan *bench.Benchmark, r bench.Result, interrupted bool) error {
	for _, cell := range r.Cells {
		if err := c.json(cellFor(cell, r.Peak)); err != nil {
			return err
		}
	}
	return c.json(benchSummary(plan, r, interrupted))
}

func cellFor(c bench.Cell, p bench.Peak) cellJSON {
	ok, rate := c.Err == nil, c.Rate()
	out := cellJSON{
		Event: "cell", Family: c.Family, Inducing: given(c.Inducing > 0, c.Inducing), Layers: c.Layers, Width: given(c.Width > 0, c.Width),
		Steps: c.Steps, MSMedian: rounded(ok, c.Median/milli), MSMin: rounded(ok, c.Min/milli),
		FLOPsPerStep: given(c.FLOPs > 0, c.FLOPs), GFLOPS: rounded(rate > 0, rate/giga), PeakShare: rounded(p.Share(rate) > 0, p.Share(rate)),
		AllocsPerStep: rounded(ok, c.Allocs), BytesPerStep: rounded(ok, c.Bytes),
	}
	if !ok {
		out.Error = oneLine(c.Err)
	}
	return out
}

func benchSummary(plan *bench.Benchmark, r bench.Result, interrupted bool) benchSummaryJSON {
	peak := func(rate float64) *float64 { return rounded(rate > 0, rate/giga) }
	out := benchSummaryJSON{
		Event:      "summary",
		PeakGFLOPS: peak(r.Peak.Best()), PeakGFLOPSBefore: peak(r.Peak.Before), PeakGFLOPSAfter: peak(r.Peak.After), PeakSteady: r.Peak.Steady(),
		N: plan.N, D: plan.Inputs, Batch: plan.Batch, Samples: plan.Samples, Seconds: plan.Seconds,
		Cells: plan.Len(), Measured: len(r.Cells) - r.Failed(), Interrupted: interrupted, Scaling: []exponentJSON{},
	}
	out.Machine.CPU, out.Machine.Cores, out.Machine.Kernels, out.Machine.Go = r.Machine.CPU, r.Machine.Cores, r.Machine.Kernels, r.Machine.Go
	for _, e := range r.Scaling {
		out.Scaling = append(out.Scaling, exponentJSON{
			Family: e.Family, Axis: string(e.Axis), Values: e.Values,
			Time: rounded(!math.IsNaN(e.Time), e.Time), Operations: rounded(!math.IsNaN(e.Operations), e.Operations), Theory: given(e.Theory > 0, e.Theory),
		})
	}
	return out
}
