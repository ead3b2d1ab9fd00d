package board

import (
	"fmt"
	"slices"

	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Of returns a board of runs without a screen, with the initial choices. The first run is selected.
func Of(runs ...*Run) *Board {
	b := New(kit.NewTheme(termenv.Ascii, false, kit.Unicode))
	for _, r := range runs {
		b.Add(r)
	}
	b.Chosen = 0
	return b
}

// FigureNames returns the names of all panels that have figures, in the order of Figures.
func FigureNames() (list []string) {
	for _, p := range New(nil).AllPanels() {
		if key := p.exportKey(); key != "" && !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}

// Figures returns the figures of all panels that apply to the runs. Curves have the axes, the window and the
// smoothing of the board. Runs have their full labels. Panels about a single run have a
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
	s.Runs = nil
	for _, r := range b.Runs {
		s.Runs = append(s.Runs, r.forFiles())
	}
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
