package browse

import (
	"slices"

	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// arrangeRuns filters and sorts the runs, and keeps the run that the user selected. If that run is not shown,
// the next shown run is selected instead.
func (b *Browse) arrangeRuns() {
	before := b.shown
	b.shown = b.query.Filter(b.all)
	// The key was checked when it was set.
	_ = query.Sort(b.shown, b.look.Sort, b.look.Descending)
	b.cells = make([][]string, len(b.shown))
	for i := range b.shown {
		b.cells[i] = rowCells(&b.shown[i])
	}
	b.natural = naturalWidths(b.cells)
	b.redundant = redundant(b.cells)
	b.marks = slices.DeleteFunc(b.marks, func(id string) bool { return b.find(id) == nil })
	for _, id := range append([]string{b.wanted, b.chosen}, ids(before[min(b.at, len(before)):])...) {
		if at := b.index(id); at >= 0 {
			b.selectRow(at)
			return
		}
	}
	b.selectRow(b.at)
}

// choose selects the nearest existing row on behalf of the user.
func (b *Browse) choose(row int) {
	b.selectRow(row)
	if b.chosen != "" {
		b.wanted = b.chosen
	}
}

// selectRow selects the nearest existing row.
func (b *Browse) selectRow(row int) {
	b.at = max(min(row, len(b.shown)-1), 0)
	before := b.chosen
	b.chosen = ""
	if run := b.current(); run != nil {
		b.chosen = run.ID
	}
	if b.chosen != before {
		b.details = kit.Scrolled{}
	}
}

// index returns the row of a run, or -1 if it is not shown.
func (b *Browse) index(id string) int {
	return slices.IndexFunc(b.shown, func(run rundir.Info) bool { return run.ID == id })
}

// current returns the selected run, or nil if there is none.
func (b *Browse) current() *rundir.Info {
	if b.at >= len(b.shown) {
		return nil
	}
	return &b.shown[b.at]
}

// find returns the run with an ID, shown or not, or nil if there is none.
func (b *Browse) find(id string) *rundir.Info {
	i := slices.IndexFunc(b.all, func(run rundir.Info) bool { return run.ID == id })
	if i < 0 {
		return nil
	}
	return &b.all[i]
}

// toggleMark marks or unmarks the selected run and selects the next one.
func (b *Browse) toggleMark() {
	run := b.current()
	if run == nil {
		return
	}
	if i := slices.Index(b.marks, run.ID); i >= 0 {
		b.marks = slices.Delete(b.marks, i, i+1)
	} else {
		b.marks = append(b.marks, run.ID)
	}
	b.choose(b.at + 1)
}

// marked returns the marked runs in the order of their marks.
func (b *Browse) marked() []rundir.Info {
	var list []rundir.Info
	for _, id := range b.marks {
		if run := b.find(id); run != nil {
			list = append(list, *run)
		}
	}
	return list
}

// hiddenMarks counts the marked runs that the filter hides.
func (b *Browse) hiddenMarks() (n int) {
	for _, id := range b.marks {
		if !slices.ContainsFunc(b.shown, func(run rundir.Info) bool { return run.ID == id }) {
			n++
		}
	}
	return n
}

// targets returns the runs to which an action applies: the marked runs, or the selected run if none is
// marked.
func (b *Browse) targets() []rundir.Info {
	if list := b.marked(); len(list) > 0 {
		return list
	}
	if run := b.current(); run != nil {
		return []rundir.Info{*run}
	}
	return nil
}

func ids(runs []rundir.Info) []string {
	list := make([]string, len(runs))
	for i, run := range runs {
		list[i] = run.ID
	}
	return list
}

// sortBy sorts by another column, cyclically, in its default direction.
func (b *Browse) sortBy(step int) {
	at := slices.IndexFunc(columns, func(c column) bool { return c.Key == b.look.Sort })
	if at < 0 && step < 0 {
		at = 0
	}
	b.sortColumn(columns[(at+step+len(columns))%len(columns)])
}

// sortColumn sorts by a column, or reverses the order if the list is already sorted by it.
func (b *Browse) sortColumn(c column) {
	if b.look.Sort == c.Key {
		b.look.Descending = !b.look.Descending
	} else {
		b.look.Sort, b.look.Descending = c.Key, c.LargestFirst()
	}
	b.arrangeRuns()
}
