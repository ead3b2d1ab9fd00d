package board

import (
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Board holds what pictures show: runs and settings of the user.
type Board struct {
	Theme  *kit.Theme
	Runs   []*Run // at most kit.MostWatched
	Chosen int
	// groups holds the indices of runs that differ only in the seed, one list per group.
	Groups [][]int
	// mixed is set while the runs of a group share its colour.
	mixed bool
	Pages []Page
	// The states of panels.
	curves     *curveView
	table      *tablePanel
	tested     *predictionsPanel
	covariance *covariancePanel
	health     *healthView
	compared   *comparison
	// fixed holds values that replace the chosen values, in copies of a board from which files are made.
	fixed []fixedPosition
	// inFiles is set in a copy of a board from which files are made, and onlyChosen if they show what is on
	// the screen.
	inFiles, onlyChosen bool
	// Key returns the label of the key of an action. It is empty if the action is unavailable.
	Key func(kit.Action) string
}

// New returns a board without runs.
func New(th *kit.Theme) *Board {
	b := &Board{
		Theme:      th,
		curves:     &curveView{curveSettings: firstSettings},
		table:      &tablePanel{},
		tested:     &predictionsPanel{},
		covariance: &covariancePanel{},
		health:     &healthView{},
		Key:        func(kit.Action) string { return "" },
	}
	b.table.board, b.tested.board, b.covariance.board = b, b, b
	b.Pages = newPages(b)
	return b
}

// fixedPosition is a value for all choices that share a position.
type fixedPosition struct {
	position *position
	value    int
}

// whichRun returns the marker and the name of the selected run. It is empty if there is only one run.
func (b *Board) whichRun() string {
	if len(b.Runs) < 2 {
		return ""
	}
	return b.Mark(b.Current()) + " " + b.Current().Label
}

// diagnosedStep returns the step of the diagnostics of the selected run for a file, for example
// "step 1,200". The selected run must have diagnostics.
func (b *Board) diagnosedStep() string {
	return "step " + report.Grouped(b.Snapshot().Diagnostics.Step)
}

// atStep is diagnosedStep for the title of a panel, such as "at step 1,200". It returns "" without
// diagnostics.
func (b *Board) atStep() string {
	snap := b.Snapshot()
	if snap == nil || snap.Diagnostics == nil {
		return ""
	}
	return "at step " + report.Grouped(snap.Diagnostics.Step)
}

// finder returns the view of a panel, or nil if the model does not have it.
type finder[V any] func(view.Views) *V

// finderOf returns a finder of a view that treats a view without parts as missing.
func finderOf[V any](of func(view.Views) *V, parts func(*V) int) finder[V] {
	return func(v view.Views) *V {
		if found := of(v); found != nil && parts(found) > 0 {
			return found
		}
		return nil
	}
}

// in returns the view of the selected run, or nil if it has none.
func (f finder[V]) in(b *Board) *V { return f(b.views()) }

// present reports whether the selected run has the view.
func (f finder[V]) present(b *Board) bool { return f.in(b) != nil }

// anywhere reports whether a run on the screen has the view.
func (f finder[V]) anywhere(b *Board) bool {
	n, _ := b.haveView(func(v view.Views) bool { return f(v) != nil })
	return n > 0
}

// count returns the function that counts the values of a choice that depends only on the view.
func (f finder[V]) count(of func(*V) int) func(*Board) int {
	return func(b *Board) int {
		if v := f.in(b); v != nil {
			return of(v)
		}
		return 0
	}
}

// views returns the latest views of a run, which may be nil. known is false before the first diagnostics.
func (r *Run) views() (v view.Views, known bool) {
	if r == nil || r.Snapshot == nil || r.Snapshot.Diagnostics == nil {
		return v, false
	}
	return r.Snapshot.Diagnostics.Views, true
}

// views returns the views of the selected run. It is empty if they are unknown.
func (b *Board) views() view.Views {
	v, _ := b.Current().views()
	return v
}

// haveView returns the number of runs on the screen with a view. open is true if the views of a run are still
// unknown, or if there is no run.
func (b *Board) haveView(has func(view.Views) bool) (n int, open bool) {
	for _, r := range b.Runs {
		v, known := r.views()
		if known && has(v) {
			n++
		}
		open = open || !known
	}
	return n, open || len(b.Runs) == 0
}

// mayHaveView reports whether a run on the screen has a view, or may have it but its views are still unknown.
func (b *Board) mayHaveView(has func(view.Views) bool) bool {
	n, open := b.haveView(has)
	return n > 0 || open
}

// anyRun reports whether a condition holds for a run on the screen that has a snapshot.
func (b *Board) anyRun(has func(*session.Snapshot) bool) bool { return b.countRuns(has) > 0 }

// countRuns counts the runs on the screen that satisfy a condition.
func (b *Board) countRuns(has func(*session.Snapshot) bool) (n int) {
	for _, r := range b.Runs {
		if r.Snapshot != nil && has(r.Snapshot) {
			n++
		}
	}
	return n
}

// noDataYet explains why a panel that needs the given data is empty.
func (b *Board) noDataYet(what string) string {
	s := b.Snapshot()
	switch {
	case s == nil || len(b.Runs) > 1 &&
		b.anyRun(func(s *session.Snapshot) bool { return s.State.Going() }):
		return "waiting for " + what
	case s.Err != nil:
		return s.Err.Error()
	case !s.State.Going() && len(b.Runs) > 1:
		return "the runs ended before " + what
	case !s.State.Going():
		return "the run ended before " + what
	}
	return "waiting for " + what
}
