package board

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
	board *Board
	sort  tableSort
}

// newTablePanel returns the panel of the table of all runs.
func newTablePanel(b *Board) *Panel {
	t := b.table
	return &Panel{
		Name: "Table", short: "Table", title: "Runs", Wide: true,
		Guide: tableGuide,
		row:   func(*Board) bool { return true },
		lines: func(b *Board, w int) int {
			return layTable(b, t.sort, w).height(w)
		},
		heading: func(*Board) (title string, notes []string) {
			switch {
			case t.sort.Column == "":
				return "", nil
			case t.sort.Descending:
				return "", []string{"by " + t.sort.Column + ", descending"}
			}
			return "", []string{"by " + t.sort.Column + ", ascending"}
		},
		draw: func(b *Board, w, h int) []string {
			return drawTable(b, t.sort, w, h)
		},
		All:     true,
		actions: []kit.Action{kit.ActReverse},
		Mover:   t,
		figures: func(b *Board) []report.Figure {
			if len(b.Runs) < 2 {
				return nil
			}
			sort := t.sort
			return []report.Figure{{Name: "table",
				CSV: func(w io.Writer) error { return tableCSV(w, b, sort) }}}
		},
	}
}

// Move sorts by another column, or selects the run in another row.
func (t *tablePanel) Move(_ Screen, across, down int) (message string, taken bool) {
	if across != 0 {
		t.sort = t.sort.Next(t.board.Runs, across)
		return "", true
	}
	t.chooseRow(down)
	return "", len(t.board.Runs) > 1
}

// Act reverses the order.
func (t *tablePanel) Act(_ Screen, act kit.Action) (message string, taken bool) {
	if act != kit.ActReverse {
		return "", false
	}
	t.sort.Descending = !t.sort.Descending
	return "", true
}

// Point selects the run in another row.
func (t *tablePanel) Point(_ Screen, _ kit.Rect, _, wheel int) (taken bool) {
	t.chooseRow(wheel)
	return true
}

// chooseRow moves the selection of the run down the table by the given number of rows.
func (t *tablePanel) chooseRow(by int) {
	order := tableOrder(t.board.Runs, t.sort)
	if at := slices.Index(order, t.board.Chosen); at >= 0 {
		t.board.Chosen = order[min(max(at+by, 0), len(order)-1)]
	}
}

// tableCSV writes the table of all runs in its order, with every column and all digits. Values that were not
// measured are empty.
func tableCSV(w io.Writer, b *Board, s tableSort) error {
	list := columns(b.Theme, b.Runs)
	head := []string{"run", "label"}
	for _, c := range list {
		head = append(head, c.title)
	}
	t := figure.NewTable(w, head...)
	for _, k := range tableOrder(b.Runs, s) {
		r := b.Runs[k]
		row := []string{runID(r), r.Brief}
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

func runID(r *Run) string {
	if r.Snapshot == nil {
		return ""
	}
	return r.Snapshot.ID
}
