package ablate

import (
	"testing"

	"dgplab/session/metric"
	"dgplab/viz/tables"
)

// TestWordsAreCutOnlyForWhatMatters fits a table of splits and scores into less and less:
// first the second score goes, then words are cut so that the first one stays, and where it
// cannot they are whole again.
func TestWordsAreCutOnlyForWhatMatters(t *testing.T) {
	metrics := []metric.Metric{metric.Get("log_lik"), metric.Get("rmse")}
	table := func(least int, metrics []metric.Metric) tables.Table {
		x := tables.Table{Columns: []tables.Column{{Title: "split", Least: least, Drop: 1}, {Title: "state"}}, Rows: [][]string{{"standard:0", "done"}}}
		for i, m := range metrics {
			x.Columns = append(x.Columns, tables.Column{Title: m.Short, Drop: 2 + 2*i})
			x.Rows[0] = append(x.Rows[0], "-2.5000")
		}
		return x
	}
	for _, c := range []struct{ w, split, scores int }{{40, 10, 2}, {35, 10, 2}, {34, 10, 1}, {26, 10, 1}, {25, 9, 1}, {23, 7, 1}, {22, 10, 0}} {
		l := cutIfNeeded(c.w, table, metrics).Layout(c.w)
		scores := 0
		for _, w := range l.Widths[2:] {
			scores += min(w, 1)
		}
		if l.Widths[0] != c.split || scores != c.scores {
			t.Errorf("in %d cells: %d of the split and %d scores, want %d and %d", c.w, l.Widths[0], scores, c.split, c.scores)
		}
	}
}
