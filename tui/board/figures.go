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
	s := b.forFiles()
	for _, p := range b.Panels(page) {
		if len(b.Runs) == 1 || p.All {
			list = append(list, p.exported(s)...)
			continue
		}
		for _, i := range b.representatives() {
			for _, f := range p.exported(s.choosing(i)) {
				f.Name += fmt.Sprintf("-run-%d", i+1)
				list = append(list, about(f, b.Runs[i]))
			}
		}
	}
	return list
}

// ShownFigures returns the figures of panels as they are on the screen: of the selected run where a panel is
// about a single run, and of the chosen input, layer or GP.
func (b *Board) ShownFigures(panels ...*Panel) (list []report.Figure) {
	s := b.forFiles()
	s.onlyChosen = true
	for _, p := range panels {
		for _, f := range p.exported(s) {
			if len(b.Runs) > 1 && !p.All {
				f = about(f, b.Current())
			}
			list = append(list, f)
		}
	}
	return list
}

// about adds the label of a run to the title of a figure of that run.
func about(f report.Figure, r *Run) report.Figure {
	if f.Options.Title != "" {
		f.Options.Title += ", " + r.Label
	}
	return f
}

// forFiles returns a copy of the board with runs that have their full labels. If pictures show a run of each
// group, its label has only what differs among these runs.
func (b *Board) forFiles() *Board {
	s := *b
	s.inFiles = true
	s.Runs = nil
	for _, r := range b.Runs {
		s.Runs = append(s.Runs, r.forFiles())
	}
	if !s.ManyRuns() {
		return &s
	}
	shown := slices.DeleteFunc(s.representativeRuns(), func(r *Run) bool { return r.Snapshot == nil })
	labels := labelsOf(shown, differencesOf(shown))
	for i, r := range shown {
		if labels[i] != "" && !repeated(labels, i) && r.Name == "" {
			r.Brief = labels[i]
		}
	}
	return &s
}

// choosing returns a copy of the board with another selected run.
func (b *Board) choosing(run int) *Board {
	other := *b
	other.Chosen = run
	return &other
}
