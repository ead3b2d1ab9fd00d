package report

import (
	"strings"
	"testing"

	"dgplab/session/compare"
	"dgplab/viz/canvas"
)

// At every width, each column is in one of the tables, and all tables fit.
func TestSheetTables(t *testing.T) {
	s := compare.Sheet{Names: 1, Columns: []string{"method", "boston", "energy", "concrete", "rank"}}
	for _, name := range []string{"star", "mean-field"} {
		s.Rows = append(s.Rows, []compare.Entry{{Text: name}, {Text: "-2.430", SE: "0.050",
			Best: name == "star"}, {Text: "-0.75", SE: "0.02"}, {Text: "-3.04"}, {Text: "1.5"}})
	}
	for _, w := range []int{200, 50, 40, 30, 5} {
		shown := 0
		for _, table := range sheetTables(canvas.Style{}, s, w) {
			shown += len(table.Columns) - 1
			if len(table.Columns) > 2 && table.Width() > w {
				t.Errorf("%d cells: a table is %d cells wide", w, table.Width())
			}
			if width := table.Width(); width <= w &&
				!strings.Contains(strings.Join(table.Render(canvas.Style{}, w, 4), "\n"),
					table.Columns[len(table.Columns)-1].Title) {
				t.Errorf("%d cells: a column of width %d was dropped", w, width)
			}
		}
		if shown != 4 {
			t.Errorf("%d cells: %d columns are shown", w, shown)
		}
	}
}
