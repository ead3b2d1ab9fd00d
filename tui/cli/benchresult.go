package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/bench"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// benchText prints the result as text.
func (c *console) benchText(plan *bench.Benchmark, r bench.Result) error {
	text := benchHeader(plan, r)
	if len(r.Cells) > 0 {
		text += "\n" + c.tableText(benchTable(plan, r))
	}
	if len(r.Scaling) > 0 {
		text += "\n" + c.tableText(scalingTable(r.Scaling)) + "\n" + scalingNote(r.Scaling)
	}
	return c.print(text)
}

// benchFloors prints a table of the families with their floors.
func (c *console) benchFloors(plan *bench.Benchmark, r bench.Result) error {
	text := benchHeader(plan, r)
	if len(r.Cells) > 0 {
		text += "\n" + c.tableText(floorTable(r)) + `
N rows, M inducing points, B points per step, S samples. The floor is the time of
the operations at the speeds of matrix products of their shape and of elementwise
operations on this machine. The ratios are the median divided by the floor, and
the processor time divided by the floor and by the number of cores; the second
depends less on other load.
`
	}
	return c.print(text)
}

// benchCores prints the times on several numbers of cores, and the loops of a step.
func (c *console) benchCores(plan *bench.Benchmark, r bench.Result, loops bool) error {
	text := benchHeader(plan, r)
	if len(r.Cells) > 0 {
		text += "\n" + c.tableText(coresTable(plan, r)) + `
* the shortest time. Predicted times follow from a step on one core and assume
equally fast caches and memory; of peak is the share of the peak of so many cores.
`
	}
	for _, cell := range r.Cells {
		if loops && len(cell.Loops) > 0 {
			text += "\n" + cell.Setting.String() + "\n\n" + c.tableText(loopsTable(cell.Loops))
		}
	}
	return c.print(text)
}

// coresTable returns a table with a row for each cell and number of cores.
func coresTable(plan *bench.Benchmark, r bench.Result) tables.Table {
	axes := benchColumns(plan, r.Cells)
	t := tables.Table{Columns: []tables.Column{{Title: "family"}}}
	for _, axis := range axes {
		t.Columns = append(t.Columns, tables.Column{Title: bench.Letter(axis), Right: true})
	}
	for _, title := range []string{"cores", "ms/step", "predicted", "speed-up", "of peak", ""} {
		t.Columns = append(t.Columns, tables.Column{Title: title, Right: title != ""})
	}
	peak := float64(r.Peak.Best()) / float64(r.Machine.Cores)
	for _, cell := range r.Cells {
		name := []string{cell.Family}
		for _, axis := range axes {
			name = append(name, cmp.Or(cell.On(axis), "-"))
		}
		if cell.Err != nil {
			t.Rows = append(t.Rows, append(name, "failed", "-", "-", "-", "-", ""))
			continue
		}
		fastest := bench.Fastest(cell.OnCores)
		for _, on := range cell.OnCores {
			mark := ""
			if on.Cores == fastest.Cores {
				mark = "*"
			}
			rate := float64(cell.FLOPs) / float64(on.Best()) * 1e3
			time := func(m bench.Measure) string { return dashed(m.Known(), "%.3g", float64(m)) }
			t.Rows = append(t.Rows, append(slices.Clone(name), strconv.Itoa(on.Cores), time(on.Median),
				time(on.Predicted), fmt.Sprintf("%.2f", float64(cell.OnCores[0].Best()/on.Best())),
				dashed(cell.FLOPs > 0, "%.0f %%", 100*rate/(peak*float64(on.Cores))), mark))
		}
	}
	return t
}

// loopsTable returns a table of the loops of a step.
func loopsTable(list []bench.LoopCost) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "loop or product"}, {Title: "runs", Right: true}, {Title: "parts", Right: true},
		{Title: "ms", Right: true},
	}}
	for _, n := range bench.PredictedCores {
		t.Columns = append(t.Columns, tables.Column{Title: fmt.Sprintf("on %d", n), Right: true})
	}
	for _, l := range list {
		row := []string{l.Name, strconv.Itoa(l.Runs), fmt.Sprintf("%.1f", float64(l.Parts)),
			fmt.Sprintf("%.3f", float64(l.Milliseconds))}
		for _, ms := range l.Predicted {
			row = append(row, fmt.Sprintf("%.3f", float64(ms)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// floorTable returns a table with a row per cell, with its sizes and its floor.
func floorTable(r bench.Result) tables.Table {
	sizes := []string{bench.Rows, "inducing", "batch", "samples"}
	t := tables.Table{Columns: []tables.Column{{Title: "family"}}}
	for _, name := range sizes {
		t.Columns = append(t.Columns, tables.Column{Title: bench.Letter(name), Right: true})
	}
	for _, title := range []string{"floor, ms", "ms/step", "min", "ratio", "cpu", "ratio"} {
		t.Columns = append(t.Columns, tables.Column{Title: title, Right: true})
	}
	for _, c := range r.Cells {
		row := []string{c.Family}
		for _, name := range sizes {
			row = append(row, cmp.Or(bench.Setting{Values: c.Sizes}.On(name), "-"))
		}
		time := func(m bench.Measure) string { return dashed(m.Known(), "%.3f", float64(m)) }
		t.Rows = append(t.Rows, append(row, time(c.Floor), time(c.Median), time(c.Min),
			dashed(c.Ratio().Known(), "%.2f", float64(c.Ratio())), time(c.CPU),
			dashed(c.CPURatio(r.Machine.Cores).Known(), "%.2f", float64(c.CPURatio(r.Machine.Cores)))))
	}
	return t
}

// scalingNote explains the exponents.
func scalingNote(list []bench.Exponent) string {
	along, held := "M, L or the width", "the others"
	if slices.ContainsFunc(list, func(e bench.Exponent) bool { return !slices.Contains(usualAxes, e.Axis) }) {
		along, held = "the value on the axis", "all others"
	}
	return "Time and operations per step grow as " + along + " to these powers, with\n" + held +
		` held fixed. The theory is the leading term for many points, layers
and GPs; for large M, terms in M^3 (factorisations, covariance blocks) raise it.
`
}

var usualAxes = []string{"inducing", "layers", "width"}

// benchHeader describes the machine and the common settings.
func benchHeader(plan *bench.Benchmark, r bench.Result) string {
	var rows facts
	m := r.Machine
	rows.add("machine", "%s, %s, %s kernels, %s", m.CPU, plural(m.Cores, "core"), m.Kernels, m.Go)
	rows.peak(r.Peak)
	near, far := r.Trips.Near, r.Trips.Far
	switch {
	case !(near > 0): // not measured
	case near == far:
		rows.add("cores", "%.0f ns for a round trip between two cores", float64(near))
	default:
		rows.add("cores", "%.0f to %.0f ns for a round trip between two cores", float64(near), float64(far))
	}
	var common []string
	if plan.N > 0 {
		common = append(common, fmt.Sprintf("N=%d", plan.N))
	}
	common = append(common, fmt.Sprintf("D=%d", plan.Inputs))
	if plan.Outputs > 1 {
		common = append(common, fmt.Sprintf("P=%d", plan.Outputs))
	}
	columns := benchColumns(plan, r.Cells)
	for _, axis := range plan.AxesOf(r.Cells) {
		if !slices.Contains(columns, axis) {
			common = append(common, bench.Value{Name: axis, Text: r.Cells[0].On(axis)}.String())
		}
	}
	if batch, ok := plan.Set["batch"]; ok {
		common = append(common, "batch "+batch)
	}
	if samples, err := strconv.Atoi(plan.Set["samples"]); err == nil {
		common = append(common, plural(samples, "sample"))
	}
	rows.add("setting", "%s", strings.Join(common, ", "))
	return rows.String()
}

// peak adds the measured peak of the machine.
func (f *facts) peak(p bench.Peak) {
	product := fmt.Sprintf("Dgemm at %dx%dx%d", p.Shape.Rows, p.Shape.Inner, p.Shape.Cols)
	switch {
	case p.Best() == 0:
	case p.Steady():
		f.add("peak", "%.1f GFLOP/s, %s", p.Best().Giga(), product)
	default:
		f.add("peak", "%.1f GFLOP/s before, %.1f after, %s", p.Before.Giga(), p.After.Giga(), product)
		f.add("", "the machine is under other load; shares refer to the larger value")
	}
}

// benchColumns returns the axes that have a column: M and the axes with several values.
func benchColumns(plan *bench.Benchmark, cells []bench.Cell) (columns []string) {
	for _, axis := range plan.AxesOf(cells) {
		if axis == "inducing" || slices.ContainsFunc(cells, func(c bench.Cell) bool {
			return c.On(axis) != cells[0].On(axis)
		}) {
			columns = append(columns, axis)
		}
	}
	return columns
}

// benchTable returns a table with a row per cell.
func benchTable(plan *bench.Benchmark, r bench.Result) tables.Table {
	axes := benchColumns(plan, r.Cells)
	t := tables.Table{Columns: []tables.Column{{Title: "family"}}}
	for _, axis := range axes {
		t.Columns = append(t.Columns, tables.Column{Title: bench.Letter(axis), Right: true})
	}
	t.Columns = append(t.Columns,
		tables.Column{Title: "ms/step", Right: true}, tables.Column{Title: "min", Right: true, Drop: 1},
		tables.Column{Title: "FLOP", Right: true, Drop: 2}, tables.Column{Title: "GFLOP/s", Right: true},
		tables.Column{Title: "of peak", Right: true}, tables.Column{Title: "allocs", Right: true, Drop: 3},
		tables.Column{Title: "bytes", Right: true, Drop: 4})
	decimals := timeDecimals(r.Cells)
	for _, c := range r.Cells {
		row := []string{c.Family}
		for _, axis := range axes {
			row = append(row, cmp.Or(c.On(axis), "-"))
		}
		t.Rows = append(t.Rows, append(row, measured(c, decimals)...))
	}
	return t
}

// timeDecimals returns the number of decimals for times in milliseconds. It is large enough for significant
// digits in the shortest time.
func timeDecimals(cells []bench.Cell) int {
	if slices.ContainsFunc(cells, func(c bench.Cell) bool { return c.Err == nil && c.Min < 1 }) {
		return 3
	}
	return 2
}

// measured returns the measurements of a cell. Times have the given number of decimals.
func measured(c bench.Cell, decimals int) []string {
	if c.Err != nil {
		return []string{"failed", "-", "-", "-", "-", "-", "-"}
	}
	time := func(m bench.Measure) string { return strconv.FormatFloat(float64(m), 'f', decimals, 64) }
	return []string{
		time(c.Median), time(c.Min),
		dashed(c.FLOPs > 0, "%s", canvas.Number(float64(c.FLOPs))),
		dashed(c.GFLOPS.Known(), "%.1f", float64(c.GFLOPS)),
		dashed(c.PeakShare.Known(), "%.1f %%", 100*float64(c.PeakShare)),
		fmt.Sprintf("%.1f", c.Allocs), canvas.Bytes(int64(math.Round(float64(c.Bytes)))),
	}
}

// dashed formats a value, or returns a dash if ok is false.
func dashed(ok bool, format string, value any) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf(format, value)
}

// scalingTable returns a table with a row per exponent.
func scalingTable(list []bench.Exponent) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "exponents"}, {Title: "of"}, {Title: "over", Least: 8, Drop: 1},
		{Title: "time", Right: true}, {Title: "operations", Right: true}, {Title: "theory", Right: true},
	}}
	for _, e := range list {
		t.Rows = append(t.Rows, []string{
			e.Family, bench.Letter(e.Axis), joined(e.Values), dashed(e.Time.Known(), "%.2f", e.Time),
			dashed(e.Operations.Known(), "%.2f", e.Operations), dashed(e.Theory > 0, "%g", e.Theory),
		})
	}
	return t
}

// joined formats a list of numbers.
func joined(list []float64) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strings.Join(parts, ",")
}

// cellJSON is a line of dgplab bench --json. Inducing, Layers and Width are null if the cell has no
// value on that axis. Set holds the values on other axes.
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
	// PeakGFLOPS is the larger of the two measurements, to which shares refer.
	PeakGFLOPS bench.Rate `json:"peak_gflops"`
	bench.Peak
	bench.Trips
	PeakSteady bool        `json:"peak_steady"`
	N          bench.Count `json:"n"`
	D          int         `json:"d"`
	P          int         `json:"p"`
	// Batch and Samples are null if no family has them or if they have several values.
	Batch   any     `json:"batch"`
	Samples any     `json:"samples"`
	Seconds float64 `json:"seconds"`
	// Cells is the number of cells, and Measured is the number of cells without an error.
	Cells       int              `json:"cells"`
	Measured    int              `json:"measured"`
	Interrupted bool             `json:"interrupted"`
	Scaling     []bench.Exponent `json:"scaling"`
}

// benchJSON writes the result as JSON lines.
func (c *console) benchJSON(plan *bench.Benchmark, r bench.Result, interrupted bool) error {
	for _, cell := range r.Cells {
		if err := c.json(cellFor(cell)); err != nil {
			return err
		}
	}
	return c.json(benchSummaryJSON{
		Event: "summary", Machine: r.Machine,
		PeakGFLOPS: r.Peak.Best(), Peak: r.Peak, Trips: r.Trips, PeakSteady: r.Peak.Steady(),
		N: bench.Count(plan.N), D: plan.Inputs, P: plan.Outputs, Batch: valueJSON(plan.Set["batch"]),
		Samples: valueJSON(plan.Set["samples"]), Seconds: plan.Seconds,
		Cells: plan.Len(), Measured: len(r.Cells) - r.Failed(), Interrupted: interrupted,
		Scaling: append([]bench.Exponent{}, r.Scaling...),
	})
}

func cellFor(c bench.Cell) cellJSON {
	out := cellJSON{
		Event: "cell", Family: c.Family, Cell: c, Error: oneLine(c.Err),
		Inducing: valueJSON(c.On("inducing")), Layers: valueJSON(c.On("layers")),
		Width: valueJSON(c.On("width")),
	}
	for _, v := range c.Without("inducing", "layers", "width").Values {
		if out.Set == nil {
			out.Set = map[string]any{}
		}
		out.Set[v.Name] = valueJSON(v.Text)
	}
	return out
}

// valueJSON returns a value as a JSON number, a string, or nil for an empty text.
func valueJSON(text string) any {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return json.Number(text)
	}
	if text == "" {
		return nil
	}
	return text
}
