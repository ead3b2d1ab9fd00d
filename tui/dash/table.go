package dash

import (
	"io"
	"slices"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// tablePanel is the state of the table, which is kept across restarts of the program.
type tablePanel struct {
	cursorless
	sort tableSort
}

// newTablePanel returns the panel of the table of all runs.
func newTablePanel(t *tablePanel) *panel {
	return &panel{
		name: "Table", short: "Table", wide: true, row: true,
		guide: tableGuide,
		lines: func(b *Board, w int) int {
			return layTable(b.Theme, b.comparedRuns(), t.sort, w).height(w)
		},
		heading: func(*Board) (title string, notes []string) {
			switch {
			case t.sort.Column == "":
				return "Runs", nil
			case t.sort.Descending:
				return "Runs", []string{"by " + t.sort.Column + ", descending"}
			}
			return "Runs", []string{"by " + t.sort.Column + ", ascending"}
		},
		draw: func(b *Board, w, h int) []string {
			return drawTable(b.Theme, b.comparedRuns(), t.sort, w, h)
		},
		all: true,
		keys: []kit.Binding{
			kit.Bind(kit.Look, kit.ActReverse, "i", "", "Reverse the order of the table.", "i"),
		},
		moves: t,
		figures: func(b *Board) []report.Figure {
			runs := b.comparedRuns()
			if len(runs) < 2 {
				return nil
			}
			sort := t.sort
			return []report.Figure{{Name: "table",
				CSV: func(w io.Writer) error { return tableCSV(w, b.Theme, runs, sort) }}}
		},
	}
}

func (t *tablePanel) move(on screen, across, down int) string {
	if across != 0 {
		t.sort = t.sort.Next(on.board().comparedRuns(), across)
		return ""
	}
	return t.chooseRow(on, down)
}

func (t *tablePanel) act(_ screen, act kit.Action) (message string, taken bool) {
	if act == kit.ActReverse {
		t.sort.Descending = !t.sort.Descending
		return "", true
	}
	return "", false
}

func (t *tablePanel) point(on screen, _ kit.Rect, _, wheel int) {
	if wheel != 0 {
		t.chooseRow(on, wheel)
	}
}

// chooseRow moves the selection of the run down the table by the given number of rows.
func (t *tablePanel) chooseRow(on screen, by int) string {
	b := on.board()
	order := tableOrder(b.comparedRuns(), t.sort)
	at := slices.Index(order, b.Chosen)
	if at < 0 {
		return on.choose(by)
	}
	b.Chosen = order[min(max(at+by, 0), len(order)-1)]
	return ""
}

// tableCSV writes the table of all runs in its order, with every column and all digits. Values that were not
// measured are empty.
func tableCSV(w io.Writer, th *kit.Theme, runs []comparedRun, s tableSort) error {
	list := columns(th, runs)
	head := []string{"run", "label"}
	for _, c := range list {
		head = append(head, c.title)
	}
	t := figure.NewTable(w, head...)
	for _, k := range tableOrder(runs, s) {
		r := runs[k]
		row := []string{runID(r), r.Label}
		for _, c := range list {
			v := c.value(r)
			if v.finite() {
				v.text = figure.Exact(v.number)
			}
			row = append(row, v.text)
		}
		t.Row(row...)
	}
	return t.Close()
}

func runID(r comparedRun) string {
	if r.Snapshot == nil {
		return ""
	}
	return r.Snapshot.ID
}
