package dash

import (
	"io"
	"slices"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
)

// tablePanel is a row of numbers for each run.
type tablePanel struct{ plain }

func (tablePanel) Names(*Dash) (long, short string) { return "Table", "Table" }

// Title says what the table is sorted by.
func (tablePanel) Title(d *Dash) (title string, notes []string) {
	switch s := d.look.Sort; {
	case s.Column == "":
		return "Runs", nil
	case s.Descending:
		return "Runs", []string{"by " + s.Column + ", descending"}
	default:
		return "Runs", []string{"by " + s.Column + ", ascending"}
	}
}

func (tablePanel) Draw(d *Dash, w, h int) []string {
	return panel.Table(d.theme, d.panelRuns(), d.look.Sort, w, h)
}

// wholeRun is all of a run, for panels that say a little of everything.
type wholeRun struct {
	snap   *session.Snapshot
	chosen bool
}

func (tablePanel) Shows(d *Dash, r *shown) any { return wholeRun{r.snap, r == d.current()} }

func (tablePanel) Wide() bool { return true }

func (tablePanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(kit.ActReverse, "i", "", "Turn the order of the table round.", "i")}
}

func (tablePanel) Act(d *Dash, _ kit.Action) string {
	d.look.Sort.Descending = !d.look.Sort.Descending
	return ""
}

// Arrow sorts by another column, or chooses another row.
func (p tablePanel) Arrow(d *Dash, across, down int) string {
	if across != 0 {
		d.look.Sort = d.look.Sort.Next(d.panelRuns(), across)
		return ""
	}
	return d.chooseRow(down)
}

func (tablePanel) Mouse(d *Dash, _ placed, _, wheel int) {
	if wheel != 0 {
		d.chooseRow(wheel)
	}
}

// chooseRow chooses the run in the next row of the table.
func (d *Dash) chooseRow(by int) string {
	order := panel.Order(d.panelRuns(), d.look.Sort)
	at := slices.Index(order, d.chosen)
	if at < 0 {
		return d.choose(by)
	}
	d.chosen = order[min(max(at+by, 0), len(order)-1)]
	return ""
}

// Files has all columns of the table, of several runs.
func (tablePanel) Files(d *Dash) []exported {
	runs := d.panelRuns()
	if len(runs) < 2 {
		return nil
	}
	sort := d.look.Sort
	return []exported{{"table.csv",
		func(w io.Writer) error { return panel.TableCSV(w, d.theme, runs, sort) }}}
}
