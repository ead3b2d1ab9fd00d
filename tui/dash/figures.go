package dash

import (
	"slices"

	"github.com/muesli/termenv"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Shown is a run to draw with Figures.
type Shown struct {
	Snapshot *session.Snapshot
	// Name is the name that the user gave to the run, or "" if there is none.
	Name string
}

// Figures returns the figures of runs without a screen. They are the figures that the dashboard exports with
// the initial choices.
func Figures(runs []Shown) []report.Figure { return unseen(runs).figures() }

// Labels returns the labels of runs in their figures.
func Labels(runs []Shown) (list []string) {
	for _, r := range unseen(runs).runs {
		list = append(list, r.label)
	}
	return list
}

// unseen returns a dashboard with runs but without a screen.
func unseen(runs []Shown) *Dash {
	d := newDash(kit.NewTheme(termenv.Ascii, false, kit.Unicode))
	for _, r := range runs {
		d.add(&watchedRun{id: r.Snapshot.ID, name: r.Name, snap: r.Snapshot, over: true})
	}
	d.chosen = 0
	return d
}

// FigureNames returns the names of all panels that have figures, in the order of Figures.
func FigureNames() (list []string) {
	for _, p := range newDash(nil).allPanels() {
		if key := p.exportKey(); key != "" && !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}
