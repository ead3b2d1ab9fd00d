package sweep

import (
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/viz/tables"
)

// As a table of splits and scores gets narrower, first the second score is dropped, and then words are cut to
// keep the first score. If the first score does not fit either, the words are whole.
func TestWordCutting(t *testing.T) {
	metrics := []metric.Column{metric.Get("log_lik"), metric.Get("rmse")}
	table := func(least int, metrics []metric.Column) tables.Table {
		x := tables.Table{
			Columns: []tables.Column{{Title: "split", Least: least, Drop: 1}, {Title: "state"}},
			Rows:    [][]string{{"standard:0", "done"}},
		}
		for i, m := range metrics {
			x.Columns = append(x.Columns, tables.Column{Title: m.Short, Drop: 2 + 2*i})
			x.Rows[0] = append(x.Rows[0], "-2.5000")
		}
		return x
	}
	for _, c := range []struct{ w, split, scores int }{{40, 10, 2}, {35, 10, 2}, {34, 10, 1}, {26, 10, 1},
		{25, 9, 1}, {23, 7, 1}, {22, 10, 0}} {
		l := cutIfNeeded(c.w, table, metrics).Layout(c.w)
		scores := 0
		for _, w := range l.Widths[2:] {
			scores += min(w, 1)
		}
		if l.Widths[0] != c.split || scores != c.scores {
			t.Errorf("in %d cells: %d letters of the split and %d scores, want %d and %d",
				c.w, l.Widths[0], scores, c.split, c.scores)
		}
	}
}

// TestValueCutting checks values on axes in narrow columns.
func TestValueCutting(t *testing.T) {
	p := newHarness(t, 120, 40).progress
	for _, c := range []struct {
		value string
		least int
		want  string
	}{
		{"standard:0", cutWord, "stan…:0"}, {"interpolation:12", 9, "inter…:12"},
		{"star", cutWord, "star"},
		{"x:1234567890", cutWord, "x:1234567890"},
		{"standard:0", 9, "standa…:0"}, {"standard:0", 10, "standard:0"}, {"abcdef:12345", 8, "a…:12345"},
		{"abcdef:12345", 7, "abcdef:12345"},
	} {
		if got := p.cutValue(c.value, c.least); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.value, c.least, got, c.want)
		}
	}
	if got := p.cutValue("standard:0", wholeWord); got != "standard:0" {
		t.Errorf("a whole word is %q", got)
	}
}

// If the rung or the metric of a cell is unknown, its text leaves the item out.
func TestCellTexts(t *testing.T) {
	p := submitted(t, 120, 40).progress
	p.state.Grid.Rungs = 4
	for rung, want := range []string{"", "1/4", "2/4"} {
		if got := p.rungText(&sweeps.CellState{Rung: rung}); got != want {
			t.Errorf("rung %d is %q, want %q", rung, got, want)
		}
	}
	pruned := &sweeps.CellState{Status: sweeps.Pruned, Summary: &rundir.Summary{}}
	if got := p.cellScore(pruned, metric.Get("rmse")); got != "-*" {
		t.Errorf("a pruned cell without a score: %q", got)
	}
}

// The number of parallel runs is that of the sweep, or else that of the program.
func TestWorkers(t *testing.T) {
	for jobs, want := range map[int]int{0: 5, 3: 3} {
		if got := (&Progress{state: &sweeps.State{Jobs: jobs}, work: &work{jobs: 5}}).workers(); got != want {
			t.Errorf("%d jobs of the sweep: %d workers", jobs, got)
		}
	}
}
