package dash

import (
	"slices"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
)

// Panel is a picture on the dashboard: all there is to know about it. Panels keep
// nothing; what a person chose is in the look, what runs show in their snapshots.
// They are compared by ==.
type Panel interface {
	// Names are those on its tab, long and short.
	Names(d *Dash) (long, short string)
	// Applies reports whether a run on the screen has what is shown. A panel that
	// every model may have applies also while nothing is known yet, so that the
	// layout keeps still when a run begins.
	Applies(d *Dash) bool
	// Title is in the border, with what to know about how it is drawn, what matters
	// most first.
	Title(d *Dash) (title string, notes []string)
	// Draw draws the inside, at most h lines of at most w cells. There is a run on the
	// screen; a single one has a snapshot.
	Draw(d *Dash, w, h int) []string
	// Shows returns, of a run with a snapshot, the part that is drawn: comparable, and
	// another value if and only if there is something else to draw.
	Shows(d *Dash, r *shown) any
	// Wide reports whether the panel needs width more than height.
	Wide() bool
	// Keys are those of the panel alone, on whichever page; Act does what one of them
	// asks for. It returns what to say about it, "" when a panel on the screen says it.
	Keys() []kit.Binding
	Act(d *Dash, act kit.Action) string
	// Arrow does what the arrow keys mean in the panel in focus.
	Arrow(d *Dash, across, down int) string
	// Wheel returns the arrow key that a turn of the wheel stands for, 0 and 0 if Mouse
	// takes it.
	Wheel() (across, down int)
	// Mouse takes a turn of the wheel at column x of the screen, or, if wheel is 0, a
	// click on the panel in focus.
	Mouse(d *Dash, p placed, x, wheel int)
	// Files are those of an export, none where there is nothing to see.
	Files(d *Dash) []exported
}

// plain is what most panels do: they are always there, have no keys of their own,
// and arrows choose another run.
type plain struct{}

func (plain) Applies(*Dash) bool                     { return true }
func (plain) Wide() bool                             { return false }
func (plain) Keys() []kit.Binding                    { return nil }
func (plain) Act(*Dash, kit.Action) string           { return "" }
func (plain) Arrow(d *Dash, across, down int) string { return d.choose(across + down) }
func (plain) Wheel() (across, down int)              { return 0, 0 }
func (plain) Mouse(d *Dash, p placed, x, wheel int)  {}
func (plain) Files(*Dash) []exported                 { return nil }

// inModel is what panels of the model of the chosen run have in common: there is something
// else to draw when it was looked into again.
type inModel struct{ plain }

func (inModel) Shows(d *Dash, r *shown) any {
	if r != d.current() {
		return nil
	}
	return diagnosticsOf(r)
}

// state is what a panel shows of a run that it has no part of yet.
type state struct {
	err   string
	state session.State
}

func stateOf(s *session.Snapshot) state { return state{errorText(s.Err), s.State} }

// panels returns the panels of a page that apply to the runs on the screen.
func (d *Dash) panels(p int) []Panel {
	return slices.DeleteFunc(slices.Clone(pages[p].panels), func(p Panel) bool { return !p.Applies(d) })
}

// actor returns the panel that has a key of its own for an action, nil if none has.
func actor(act kit.Action) Panel {
	for _, page := range pages {
		for _, p := range page.panels {
			if slices.ContainsFunc(p.Keys(), func(b kit.Binding) bool { return b.Action == act }) {
				return p
			}
		}
	}
	return nil
}

// views returns what the model of a run showed of itself last; it is not known
// before the first look.
func (r *shown) views() (v view.Views, known bool) {
	if r.snap == nil || r.snap.Diagnostics == nil {
		return v, false
	}
	return r.snap.Diagnostics.Views, true
}

// choice is how a panel finds what it shows among the views of a model; nil where a model
// does not have it.
type choice[V any] func(view.Views) *V

// somewhere reports whether a run on the screen has what is shown: few models have, so that
// no place is kept for those that may turn out to.
func (c choice[V]) somewhere(d *Dash) bool {
	n, _ := d.haveView(func(v view.Views) bool { return c(v) != nil })
	return n > 0
}

// chosen returns what the chosen run has, nil if it has not.
func (c choice[V]) chosen(d *Dash) *V {
	if r := d.current(); r != nil {
		v, _ := r.views()
		return c(v)
	}
	return nil
}

// without says why a panel of the chosen run is empty: its model has no such thing, or
// it was not looked at yet.
func (d *Dash) without(none string, w, h int) []string {
	if _, known := d.current().views(); known {
		return d.theme.Centred(none, w, h)
	}
	return d.theme.Centred(d.noDataYet(firstDiagnostics), w, h)
}

// views returns those of the chosen run as far as they are known.
func (d *Dash) views() (v view.Views) {
	if r := d.current(); r != nil {
		v, _ = r.views()
	}
	return v
}

// haveView returns how many runs on the screen have a view, and whether one of the
// others, or of those to come, may still turn out to.
func (d *Dash) haveView(has func(view.Views) bool) (n int, open bool) {
	for _, r := range d.runs {
		v, known := r.views()
		if known && has(v) {
			n++
		}
		open = open || !known
	}
	return n, open || len(d.runs) == 0
}

// mayHaveView reports whether a run on the screen has a view or may turn out to.
func (d *Dash) mayHaveView(has func(view.Views) bool) bool {
	n, open := d.haveView(has)
	return n > 0 || open
}
