package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/bench"
	"dgplab/viz/number"
	"dgplab/viz/tables"
)

// benchText writes what a sweep came to as a person wants to read it.
func (c *console) benchText(plan *bench.Benchmark, r bench.Result) error {
	text := benchHeader(plan, r)
	if len(r.Cells) > 0 {
		text += "\n" + c.tableText(benchTable(r))
	}
	if len(r.Scaling) > 0 {
		text += "\n" + c.tableText(scalingTable(r.Scaling)) + "\n" + scalingNote
	}
	return c.print(text)
}

// scalingNote says what the exponents mean.
const scalingNote = `A step takes time and operations as M, L or the width to these powers, with
the other two held fixed. Theory is the leading term for many points, layers and
GPs; for large M the terms in M^3 (factorisations, covariance blocks) raise it.
`

// benchHeader says what was measured, and on what.
func benchHeader(plan *bench.Benchmark, r bench.Result) string {
	var rows facts
	m := r.Machine
	rows.add("machine", "%s, %s, %s kernels, %s", m.CPU, plural(m.Cores, "core"), m.Kernels, m.Go)
	rows.peak(r.Peak)
	common := []string{fmt.Sprintf("N=%d", plan.N), fmt.Sprintf("D=%d", plan.Inputs)}
	layers, widths := layersAndWidths(r.Cells)
	if len(layers) == 1 {
		common = append(common, fmt.Sprintf("L=%d", layers[0]))
	}
	if len(widths) == 1 && widths[0] > 0 {
		common = append(common, fmt.Sprintf("width %d", widths[0]))
	}
	common = append(common, fmt.Sprintf("batch %d", plan.Batch), plural(plan.Samples, "sample"))
	rows.add("setting", "%s", strings.Join(common, ", "))
	return rows.String()
}

// peak adds what the machine can do, as far as that was measured.
func (f *facts) peak(p bench.Peak) {
	product := fmt.Sprintf("Dgemm at %dx%dx%d", bench.PeakSide, bench.PeakSide, bench.PeakSide)
	switch {
	case p.Best() == 0:
	case p.Steady():
		f.add("peak", "%.1f GFLOP/s, %s", p.Best()/giga, product)
	default:
		f.add("peak", "%.1f GFLOP/s before, %.1f after, %s", p.Before/giga, p.After/giga, product)
		f.add("", "something else uses this machine; shares are of the larger")
	}
}

const (
	giga  = 1e9
	milli = 1e-3
)

// layersAndWidths returns the different numbers of layers and widths of cells.
func layersAndWidths(cells []bench.Cell) (layers, widths []int) {
	haveLayers, haveWidths := map[int]bool{}, map[int]bool{}
	for _, c := range cells {
		haveLayers[c.Layers], haveWidths[c.Width] = true, true
	}
	return slices.Sorted(maps.Keys(haveLayers)), slices.Sorted(maps.Keys(haveWidths))
}

// benchTable has one row for each cell. Layers and width have columns where they
// are not the same for all.
func benchTable(r bench.Result) tables.Table {
	layers, widths := layersAndWidths(r.Cells)
	t := tables.Table{Columns: []tables.Column{{Title: "family"}, {Title: "M", Right: true}}}
	if len(layers) > 1 {
		t.Columns = append(t.Columns, tables.Column{Title: "L", Right: true})
	}
	if len(widths) > 1 {
		t.Columns = append(t.Columns, tables.Column{Title: "width", Right: true})
	}
	t.Columns = append(t.Columns,
		tables.Column{Title: "ms/step", Right: true}, tables.Column{Title: "min", Right: true, Drop: 1},
		tables.Column{Title: "FLOP", Right: true, Drop: 2}, tables.Column{Title: "GFLOP/s", Right: true},
		tables.Column{Title: "of peak", Right: true}, tables.Column{Title: "allocs", Right: true, Drop: 3},
		tables.Column{Title: "bytes", Right: true, Drop: 4})
	decimals := timeDecimals(r.Cells)
	for _, c := range r.Cells {
		row := []string{c.Family, dashed(c.Inducing > 0, "%d", c.Inducing)}
		if len(layers) > 1 {
			row = append(row, strconv.Itoa(c.Layers))
		}
		if len(widths) > 1 {
			row = append(row, dashed(c.Width > 0, "%d", c.Width))
		}
		t.Rows = append(t.Rows, append(row, measured(c, r.Peak, decimals)...))
	}
	return t
}

// timeDecimals returns how many decimals times in milliseconds have, so that the
// column lines up and the shortest time still has digits.
func timeDecimals(cells []bench.Cell) int {
	for _, c := range cells {
		if c.Err == nil && c.Min < milli {
			return 3
		}
	}
	return 2
}

// measured returns the numbers of a cell, times with so many decimals.
func measured(c bench.Cell, p bench.Peak, decimals int) []string {
	if c.Err != nil {
		return []string{"failed", "-", "-", "-", "-", "-", "-"}
	}
	time := func(seconds float64) string { return strconv.FormatFloat(seconds/milli, 'f', decimals, 64) }
	rate := c.Rate()
	return []string{
		time(c.Median), time(c.Min),
		dashed(c.FLOPs > 0, "%s", number.Short(c.FLOPs)), dashed(rate > 0, "%.1f", rate/giga),
		dashed(p.Share(rate) > 0, "%.1f %%", 100*p.Share(rate)),
		fmt.Sprintf("%.1f", c.Allocs), number.Bytes(int64(math.Round(c.Bytes))),
	}
}

// dashed writes a value, or a dash where there is none.
func dashed(ok bool, format string, value any) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf(format, value)
}

// axisLetters name the axes as formulas do.
var axisLetters = map[bench.Axis]string{bench.Inducing: "M", bench.Layers: "L", bench.Width: "width"}

// scalingTable has one row for each exponent.
func scalingTable(list []bench.Exponent) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "exponents"}, {Title: "of"}, {Title: "over", Least: 8, Drop: 1},
		{Title: "time", Right: true}, {Title: "operations", Right: true}, {Title: "theory", Right: true},
	}}
	for _, e := range list {
		t.Rows = append(t.Rows, []string{
			e.Family, axisLetters[e.Axis], joined(e.Values), dashed(!math.IsNaN(e.Time), "%.2f", e.Time),
			dashed(!math.IsNaN(e.Operations), "%.2f", e.Operations), dashed(e.Theory > 0, "%d", e.Theory),
		})
	}
	return t
}
