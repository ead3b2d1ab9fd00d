package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"dgplab/viz/blocks"
	"dgplab/viz/layers"
)

// exact writes v so that reading it back gives v; NaN, +Inf and -Inf as such.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// table writes rows of CSV and remembers the first error.
type table struct {
	w   *csv.Writer
	err error
}

func newTable(out io.Writer, header ...string) *table {
	t := &table{w: csv.NewWriter(out)}
	t.row(header...)
	return t
}

func (t *table) row(fields ...string) {
	if t.err == nil {
		t.err = t.w.Write(fields)
	}
}

func (t *table) close() error {
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
	header := []string{"row_layer", "row_gp", "row_cell", "column_layer", "column_gp", "column_cell", "log10_abs"}
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
	t := newTable(out, header...)
	for i, r := range names {
		for j, c := range names {
			t.row(append(slices.Concat(r, c), exact(b.Log10[i*len(names)+j]))...)
		}
	}
	return t.close()
}

// LayersCSV writes one row for every GP of every layer, both counted from 1.
func LayersCSV(out io.Writer, layers []layers.Panel) error {
	t := newTable(out, "layer", "gp", "mean", "sd", "min", "max", "share", "collapsed")
	for _, p := range layers {
		for i, g := range p.GPs {
			t.row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), exact(g.Mean), exact(g.SD),
				exact(g.Min), exact(g.Max), exact(g.Share), strconv.FormatBool(g.Collapsed))
		}
	}
	return t.close()
}

// LayerCurvesCSV writes every point of the sampled functions of every layer.
func LayerCurvesCSV(out io.Writer, layers []layers.Panel) error {
	t := newTable(out, "layer", "gp", "sample", "x", "value")
	for _, p := range layers {
		for i, g := range p.GPs {
			for k, curve := range g.Curves {
				for j, v := range curve[:min(len(curve), len(p.Grid))] {
					t.row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), strconv.Itoa(k+1), exact(p.Grid[j]), exact(v))
				}
			}
		}
	}
	return t.close()
}
