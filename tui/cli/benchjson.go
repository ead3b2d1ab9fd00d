package cli

import (
	"encoding/json"
	"strconv"

	"dgplab/session/bench"
)

// cellJSON is a line of dgplab bench --json: a cell, with what it has of the usual
// axes, null of the others, and what it has of further ones.
type cellJSON struct {
	Event    string         `json:"event"`
	Family   string         `json:"family"`
	Inducing any            `json:"inducing"`
	Layers   any            `json:"layers"`
	Width    any            `json:"width"`
	Set      map[string]any `json:"set,omitempty"`
	bench.Cell
	Error string `json:"error,omitempty"`
}

// benchSummaryJSON is the last line of dgplab bench --json.
type benchSummaryJSON struct {
	Event   string        `json:"event"`
	Machine bench.Machine `json:"machine"`
	// PeakGFLOPS is the larger of the other two; shares refer to it.
	PeakGFLOPS       bench.Rate  `json:"peak_gflops"`
	PeakGFLOPSBefore bench.Rate  `json:"peak_gflops_before"`
	PeakGFLOPSAfter  bench.Rate  `json:"peak_gflops_after"`
	PeakSteady       bool        `json:"peak_steady"`
	N                bench.Count `json:"n"`
	D                int         `json:"d"`
	// Batch and Samples are null where no family has them, or several values.
	Batch   any     `json:"batch"`
	Samples any     `json:"samples"`
	Seconds float64 `json:"seconds"`
	// Cells are those of the sweep, Measured those that have numbers.
	Cells       int              `json:"cells"`
	Measured    int              `json:"measured"`
	Interrupted bool             `json:"interrupted"`
	Scaling     []bench.Exponent `json:"scaling"`
}

// benchJSON writes what a sweep came to as JSON lines.
func (c *console) benchJSON(plan *bench.Benchmark, r bench.Result, interrupted bool) error {
	for _, cell := range r.Cells {
		if err := c.json(cellFor(cell)); err != nil {
			return err
		}
	}
	return c.json(benchSummaryJSON{
		Event: "summary", Machine: r.Machine,
		PeakGFLOPS: r.Peak.Best(), PeakGFLOPSBefore: r.Peak.Before, PeakGFLOPSAfter: r.Peak.After, PeakSteady: r.Peak.Steady(),
		N: bench.Count(plan.N), D: plan.Inputs, Batch: valueJSON(plan.Set["batch"]), Samples: valueJSON(plan.Set["samples"]), Seconds: plan.Seconds,
		Cells: plan.Len(), Measured: len(r.Cells) - r.Failed(), Interrupted: interrupted, Scaling: append([]bench.Exponent{}, r.Scaling...),
	})
}

func cellFor(c bench.Cell) cellJSON {
	out := cellJSON{
		Event: "cell", Family: c.Family, Cell: c, Error: oneLine(c.Err),
		Inducing: valueJSON(c.On("inducing")), Layers: valueJSON(c.On("layers")), Width: valueJSON(c.On("width")),
	}
	for _, v := range c.Without("inducing", "layers", "width").Values {
		if out.Set == nil {
			out.Set = map[string]any{}
		}
		out.Set[v.Name] = valueJSON(v.Text)
	}
	return out
}

// valueJSON returns a value as JSON has it: a number, a text, or null.
func valueJSON(text string) any {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return json.Number(text)
	}
	if text == "" {
		return nil
	}
	return text
}
