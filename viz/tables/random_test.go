package tables_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dgplab/viz/golden"
	"dgplab/viz/tables"
)

// TestRandomLinesAreUnchanged makes lines and layouts for random numbers and columns.
func TestRandomLinesAreUnchanged(t *testing.T) {
	var sums golden.Sums
	r := rand.New(rand.NewPCG(1, 2))
	lines := sums.Group("lines")
	layouts := sums.Group("layouts")
	for range 800 {
		style := golden.Styles[r.IntN(len(golden.Styles))]
		w := r.IntN(40) - 1
		values := make([]float64, r.IntN(60))
		counts := make([]int, r.IntN(30))
		for k := range values {
			values[k] = math.Round(8 * r.NormFloat64())
			if r.IntN(9) == 0 {
				values[k] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e9}[r.IntN(4)]
			}
		}
		for k := range counts {
			counts[k] = max(r.IntN(20)-4, -1)
		}
		done := []float64{r.Float64(), float64(r.IntN(102)) / 100, -0.1, math.NaN()}[r.IntN(4)]
		fmt.Fprintln(lines, tables.Sparkline(style, values, w), tables.HistogramBar(style, counts, w))
		fmt.Fprintln(lines, tables.ProgressBar(style, done, w), string(tables.HistogramRunes(counts, w)))

		columns := make([]tables.Column, r.IntN(6))
		natural := make([]int, len(columns))
		for k := range columns {
			columns[k] = tables.Column{Least: r.IntN(8), Drop: r.IntN(4), Keep: r.IntN(5) == 0}
			natural[k] = max(r.IntN(14)-1, 0)
		}
		l := tables.Fit(columns, natural, w)
		row := l.Row(func(i, w int) string { return strings.Repeat(fmt.Sprint(i), w) })
		fmt.Fprintf(layouts, "%v %d %d %q\n", l.Widths, l.Width(), l.At(r.IntN(40)-1), row)
		first, shown := tables.Window(r.IntN(30), r.IntN(30), r.IntN(12)-1)
		tables.Widen(natural, []string{"a", "star, layers=3", "宽", "x"}[:r.IntN(5)])
		fmt.Fprintln(layouts, first, shown, natural)
	}
	sums.Check(t, "random")
}
