package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"dgplab/viz"
)

// number writes v so that reading it back gives v; NaN, +Inf and -Inf as such.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

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

// CurvesCSV writes every point of a curve, neither thinned nor cut to a zoom:
// series, step (or epoch, seconds, x), value, and smoothed where the curve is
// smoothed. The members of groups follow the series, each with the label of its
// group and its own.
func CurvesCSV(out io.Writer, c viz.Curve) error {
	x := map[viz.Axis]string{viz.Steps: "step", viz.Seconds: "seconds", viz.Epochs: "epoch"}[c.X]
	if x == "" {
		x = "x"
	}
	header := []string{"series", x, "value"}
	if c.Smoothing > 0 {
		header = append(header, "smoothed")
	}
	t := newTable(out, header...)
	series := slices.Clone(c.Series)
	for _, g := range c.Groups {
		for _, s := range g.Members {
			s.Label = g.Label + "/" + s.Label
			series = append(series, s)
		}
	}
	for _, s := range series {
		xs, ys := s.Points()
		smooth := viz.Smooth(ys, c.Smoothing)
		for i, y := range ys {
			at := float64(i)
			if xs != nil {
				at = xs[i]
			}
			fields := []string{s.Label, number(at), number(y)}
			if c.Smoothing > 0 {
				fields = append(fields, number(smooth[i]))
			}
			t.row(fields...)
		}
	}
	return t.close()
}

// BlockMapCSV writes every cell of a map: layer, GP and cell of its row and of
// its column, all from 1, and log10|S_M|, which is -Inf for a structural zero.
func BlockMapCSV(out io.Writer, b viz.BlockMap) error {
	var names [][3]string
	for layer, gps := range b.GPs {
		for gp := range gps {
			for cell := range b.Cells {
				names = append(names, [3]string{strconv.Itoa(layer + 1), strconv.Itoa(gp + 1), strconv.Itoa(cell + 1)})
			}
		}
	}
	if len(names)*len(names) != len(b.Log10) {
		return fmt.Errorf("covariance map: %w: %d values for %d rows", ErrNothing, len(b.Log10), len(names))
	}
	t := newTable(out, "row_layer", "row_gp", "row_cell", "column_layer", "column_gp", "column_cell", "log10_abs")
	for i, r := range names {
		for j, c := range names {
			t.row(r[0], r[1], r[2], c[0], c[1], c[2], number(b.Log10[i*len(names)+j]))
		}
	}
	return t.close()
}

// LayersCSV writes one row for every GP of every layer, both counted from 1.
func LayersCSV(out io.Writer, layers []viz.LayerPanel) error {
	t := newTable(out, "layer", "gp", "mean", "sd", "min", "max", "share", "collapsed")
	for _, p := range layers {
		for i, g := range p.GPs {
			t.row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), number(g.Mean), number(g.SD),
				number(g.Min), number(g.Max), number(g.Share), strconv.FormatBool(g.Collapsed))
		}
	}
	return t.close()
}

// LayerCurvesCSV writes every point of the sampled functions of every layer.
func LayerCurvesCSV(out io.Writer, layers []viz.LayerPanel) error {
	t := newTable(out, "layer", "gp", "sample", "x", "value")
	for _, p := range layers {
		for i, g := range p.GPs {
			for k, curve := range g.Curves {
				for j, v := range curve[:min(len(curve), len(p.Grid))] {
					t.row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), strconv.Itoa(k+1), number(p.Grid[j]), number(v))
				}
			}
		}
	}
	return t.close()
}

// ScatterCSV writes every point of all clouds: series, x, y.
func ScatterCSV(out io.Writer, s viz.Scatter) error {
	t := newTable(out, "series", "x", "y")
	for _, c := range s.Clouds {
		for i := range min(len(c.X), len(c.Y)) {
			t.row(c.Label, number(c.X[i]), number(c.Y[i]))
		}
	}
	return t.close()
}

// ErrorBarsCSV writes every mean: series, x (the name of a category), mean,
// standard error, n.
func ErrorBarsCSV(out io.Writer, b viz.ErrorBars) error {
	t := newTable(out, "series", "x", "mean", "se", "n")
	for _, s := range b.Series {
		for _, p := range s.Points {
			x := number(p.X)
			if i := int(p.X); b.Categories != nil && p.X == float64(i) && i >= 0 && i < len(b.Categories) {
				x = b.Categories[i]
			}
			t.row(s.Label, x, number(p.Mean), number(p.SE), strconv.Itoa(p.N))
		}
	}
	return t.close()
}
