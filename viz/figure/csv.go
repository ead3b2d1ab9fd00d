package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dgplab/viz/blocks"
	"dgplab/viz/curves"
	"dgplab/viz/layers"
)

// Exact writes v so that reading it back gives v; NaN, +Inf and -Inf as such.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Table writes rows of CSV and remembers the first error, which Close returns.
type Table struct {
	w   *csv.Writer
	row []string // the last one
	err error
}

// NewTable writes the header.
func NewTable(out io.Writer, header ...string) *Table {
	t := &Table{w: csv.NewWriter(out)}
	t.Row(header...)
	return t
}

// Row writes a row, every field as plainField has it.
func (t *Table) Row(fields ...string) {
	if t.err != nil {
		return
	}
	t.row = t.row[:0]
	for _, field := range fields {
		t.row = append(t.row, plainField(field))
	}
	t.err = t.w.Write(t.row)
}

// plainField returns a field with an apostrophe before it if it begins with =, +, -, @, a tab or
// a carriage return and is no number: spreadsheets run such a cell as a formula, and names may
// come from other people's files.
func plainField(field string) string {
	if field == "" || !strings.ContainsRune("=+-@\t\r", rune(field[0])) {
		return field
	}
	if _, err := strconv.ParseFloat(field, 64); err == nil {
		return field
	}
	return "'" + field
}

// Close writes what is left. out stays open.
func (t *Table) Close() error {
	t.w.Flush()
	if t.err == nil {
		t.err = t.w.Error()
	}
	if t.err != nil {
		return fmt.Errorf("writing CSV: %w", t.err)
	}
	return nil
}

// BlockMapCSV writes every cell of a map: layer, GP and cell of its row and of
// its column, all from 1, and log10|S_M|, which is -Inf for a structural zero. Where parts
// have names these take the place of layer and GP.
func BlockMapCSV(out io.Writer, b blocks.Map) error {
	header := []string{"row_layer", "row_gp", "row_cell", "column_layer", "column_gp",
		"column_cell", "log10_abs"}
	if b.Named() {
		header = []string{"row_part", "row_cell", "column_part", "column_cell", "log10_abs"}
	}
	var names [][]string
	for _, layer := range b.Layers() {
		for gp, part := range b.Parts[layer[0]:layer[1]] {
			for cell := range part.Cells {
				name := []string{strconv.Itoa(part.Group + 1), strconv.Itoa(gp + 1), strconv.Itoa(cell + 1)}
				if b.Named() {
					name = []string{part.Name, name[2]}
				}
				names = append(names, name)
			}
		}
	}
	if len(names)*len(names) != len(b.Log10) {
		return fmt.Errorf("covariance map: %w: %d values for %d rows", ErrNothing, len(b.Log10), len(names))
	}
	t := NewTable(out, header...)
	for i, r := range names {
		for j, c := range names {
			t.Row(append(slices.Concat(r, c), Exact(b.Log10[i*len(names)+j]))...)
		}
	}
	return t.Close()
}

// LayersCSV writes one row for every GP of every layer, both counted from 1.
func LayersCSV(out io.Writer, layers []layers.Panel) error {
	t := NewTable(out, "layer", "gp", "mean", "sd", "min", "max", "share", "collapsed")
	for _, p := range layers {
		for i, g := range p.GPs {
			t.Row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), Exact(g.Mean), Exact(g.SD),
				Exact(g.Min), Exact(g.Max), Exact(g.Share), strconv.FormatBool(g.Collapsed))
		}
	}
	return t.Close()
}

// LayerCurvesCSV writes every point of the sampled functions of every layer.
func LayerCurvesCSV(out io.Writer, layers []layers.Panel) error {
	t := NewTable(out, "layer", "gp", "sample", "x", "value")
	for _, p := range layers {
		for i, g := range p.GPs {
			for k, curve := range g.Curves {
				for j, v := range curve[:min(len(curve), len(p.Grid))] {
					t.Row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), strconv.Itoa(k+1),
						Exact(p.Grid[j]), Exact(v))
				}
			}
		}
	}
	return t.Close()
}

// SeriesCSV writes every point of the series of a curve.
func SeriesCSV(out io.Writer, c curves.Curve) error {
	t := NewTable(out, "name", "x", "y")
	for _, s := range c.Series {
		x, y := s.Points()
		for k, v := range y {
			at := strconv.Itoa(k)
			if x != nil {
				at = Exact(x[k])
			}
			t.Row(s.Label, at, Exact(v))
		}
	}
	return t.Close()
}
