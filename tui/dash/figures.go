package dash

import (
	"fmt"
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
func Figures(runs []Shown) []report.Figure { return boardOf(runs).Figures() }

// Labels returns the labels of runs in their figures.
func Labels(runs []Shown) (list []string) {
	for _, r := range boardOf(runs).Runs {
		list = append(list, r.Label)
	}
	return list
}

// boardOf returns a board with runs.
func boardOf(runs []Shown) *Board {
	b := New2(kit.NewTheme(termenv.Ascii, false, kit.Unicode))
	for _, r := range runs {
		b.Add(&Run{ID: r.Snapshot.ID, Name: r.Name, Snapshot: r.Snapshot})
	}
	b.Chosen = 0
	return b
}

// FigureNames returns the names of all panels that have figures, in the order of Figures.
func FigureNames() (list []string) {
	for _, p := range New2(nil).AllPanels() {
		if key := p.exportKey(); key != "" && !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}

// figures returns the figures of all panels that apply to the runs on the screen. Curves have the axes, the
// window and the smoothing of the screen. Runs have their full labels. Panels about a single run have a
// figure for each run, with the number of the run in the file name.
func (b *Board) Figures() (list []report.Figure) {
	for page := range b.Pages {
		for _, f := range b.figuresOf(page) {
			f.Page = b.Pages[page].Name
			list = append(list, f)
		}
	}
	return list
}

// figuresOf returns the figures of a page.
func (b *Board) figuresOf(page int) (list []report.Figure) {
	s := *b
	s.full = true
	for _, p := range b.Panels(page) {
		if len(b.Runs) == 1 || p.All {
			list = append(list, p.exported(&s)...)
			continue
		}
		for _, i := range b.representatives() {
			for _, f := range p.exported(s.choosing(i)) {
				f.Name += fmt.Sprintf("-run-%d", i+1)
				if f.Options.Title != "" {
					f.Options.Title += ", " + b.Runs[i].Label
				}
				list = append(list, f)
			}
		}
	}
	return list
}

// choosing returns a copy of the board with another selected run.
func (b *Board) choosing(run int) *Board {
	other := *b
	other.Chosen = run
	return &other
}
