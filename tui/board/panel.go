package board

import (
	"cmp"
	"slices"
	"strings"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
)

// Panel describes a picture of runs: its view of the runs, the choices of the user, and the exported figures.
// Functions may be nil; their defaults are stated below.
type Panel struct {
	// Name is the text of the tab, and short is the text of a narrow tab. title replaces Name in the border.
	Name, short, title string
	// Guide is a paragraph that explains how to read the drawing and which values are good. It cites the
	// source.
	Guide string
	// guide returns the title and the guide of what is selected in the panel. They are "" if nothing is
	// selected. It is nil for panels with a single guide.
	guide func(b *Board) (title, text string)
	// names returns Name and short if they depend on the runs.
	names func(b *Board) (name, short string)
	// Wide marks a panel that needs width more than height.
	Wide bool
	// row reports whether the panel has a row of its own, such as a table or a message.
	row func(b *Board) bool
	// lines returns the number of lines that the content fills in w cells, or 0 if it fills any height, which
	// is the default.
	lines func(b *Board, w int) int
	// uses returns the number of lines that the content can use in w x h cells, for panels that need height
	// to show details. Their rows become higher.
	uses func(b *Board, w, h int) int
	// applies reports whether the panel applies to a run on the board. By default it always does. A panel of
	// most models also applies before the views of a model are known, so that the layout does not change when
	// a run starts.
	applies func(b *Board) bool
	// absent returns the reason why there is nothing to show now, which the panel shows instead, or "" if
	// there is something, which is the default.
	absent func(b *Board) string
	// Choices holds the choices offered to the user. The notes in the title have the same order.
	Choices []*Choice
	// lead returns the notes that precede the notes of the choices, such as the run and the step.
	lead func(b *Board) []string
	// heading returns the title, or "" for the usual one, and the notes that follow the notes of the choices,
	// the most important first. It is called only if the panel has something to show.
	heading func(b *Board) (title string, notes []string)
	// picture returns the picture, or nil if there is none. draw replaces it in panels that are not a single
	// picture and returns at most h lines of at most w cells.
	picture func(b *Board) viz.Picture
	draw    func(b *Board, w, h int) []string
	// footnote is a line below the drawing, or "" for none.
	footnote func(b *Board) string
	// All marks a panel that draws all that is known of the runs. Other panels draw only diagnostics, which
	// change rarely, and their figures are exported for each of several runs.
	All bool

	// file is the name of the exported files, without extension, and caption is the title of the
	// figure. figures replaces both in panels that export anything but one picture with its numbers.
	// It is called if the panel has something to show.
	file    string
	caption func(b *Board) string
	figures func(b *Board) []report.Figure

	// actions holds the actions of the panel besides those of its choices. They are also possible on other
	// pages.
	actions []kit.Action
	// Mover is set for a panel in which the user moves.
	Mover Mover
}

// modelPanel completes a panel that shows a view of the selected run. none explains why a model does
// not have the view.
func modelPanel[V any](find finder[V], none string, p Panel) *Panel {
	if p.lead == nil {
		p.lead = func(b *Board) []string { return []string{b.whichRun(), b.atStep()} }
	}
	if p.applies == nil {
		p.applies = find.anywhere
	}
	if p.absent == nil {
		p.absent = func(b *Board) string { return unless(find.present(b), b.withoutView(none)) }
	}
	return &p
}

// unless returns the reason why a panel has nothing to show, or "" if it has something.
func unless(shows bool, reason string) string {
	if shows {
		return ""
	}
	return reason
}

// firstDiagnostics describes the data that panels of the posterior wait for.
const firstDiagnostics = "the first diagnostics"

// withoutView explains why the selected run has no view: none if the model does not have it.
func (b *Board) withoutView(none string) string {
	if _, known := b.Current().views(); known {
		return none
	}
	return b.noDataYet(firstDiagnostics)
}

// appliesTo reports whether the panel applies to a run on the board.
func (p *Panel) appliesTo(b *Board) bool { return p.applies == nil || p.applies(b) }

// Shows reports whether there is something to show now.
func (p *Panel) Shows(b *Board) bool { return p.absent == nil || p.absent(b) == "" }

// Names returns the long and the short name on a tab.
func (p *Panel) Names(b *Board) (name, short string) {
	if p.names != nil {
		return p.names(b)
	}
	return p.Name, p.short
}

// OwnRow reports whether the panel has a row of its own now.
func (p *Panel) OwnRow(b *Board) bool { return p.row != nil && p.Shows(b) && p.row(b) }

// Lines returns the number of lines that the content fills in w cells, or 0 if it fills any height.
func (p *Panel) Lines(b *Board, w int) int {
	if p.lines == nil || len(b.Runs) == 0 || w <= 0 || !p.Shows(b) {
		return 0
	}
	return p.lines(b, w)
}

// Uses returns the number of lines that the content can use in w x h cells, or 0 if it does not need more
// than others.
func (p *Panel) Uses(b *Board, w, h int) int {
	if p.uses == nil || len(b.Runs) == 0 || w <= 0 || h <= 0 || !p.Shows(b) {
		return 0
	}
	return p.uses(b, w, h)
}

// Title returns the title of the panel.
func (p *Panel) Title(b *Board) string {
	title, _ := p.border(b)
	return title
}

// Border returns the title of the panel, and the notes that fit beside it into a border of w cells.
func (p *Panel) Border(b *Board, w int) (title, note string) {
	const around = 10 // corners, focus glyph and spaces
	title, notes := p.border(b)
	return title, kit.JoinFitting(w-kit.Cells(title)-around, " "+b.Theme.Glyphs.Dot+" ", notes...)
}

// Explanation returns the title and the guide of what is selected in the panel or else of the panel.
func (p *Panel) Explanation(b *Board) (title, text string) {
	if p.guide != nil {
		title, text = p.guide(b)
	}
	return cmp.Or(title, p.Title(b)), cmp.Or(text, p.Guide)
}

// border returns the title of the panel and its notes, the most important first.
func (p *Panel) border(b *Board) (title string, notes []string) {
	name, _ := p.Names(b)
	title = cmp.Or(p.title, name)
	if p.lead != nil {
		notes = p.lead(b)
	}
	if !p.Shows(b) {
		return title, notes
	}
	for _, c := range p.Choices {
		notes = append(notes, b.noteOf(c))
	}
	if p.heading != nil {
		special, own := p.heading(b)
		title = cmp.Or(special, title)
		notes = append(notes, own...)
	}
	return title, notes
}

// leastFootnote is the minimum height of a panel with a footnote.
const leastFootnote = 6

// Body draws the inside of the panel, at most h lines of at most w cells.
func (p *Panel) Body(b *Board, w, h int) []string {
	if p.absent != nil {
		if reason := p.absent(b); reason != "" {
			return b.Theme.Centred(reason, w, h)
		}
	}
	note := ""
	if p.footnote != nil && h >= leastFootnote {
		note = p.footnote(b)
	}
	if note == "" {
		return p.drawing(b, w, h)
	}
	return append(b.Theme.Box(p.drawing(b, w, h-1), w, h-1), b.Theme.Dim.Render(b.Theme.Fit(note, w)))
}

// drawing draws the picture or calls draw.
func (p *Panel) drawing(b *Board, w, h int) []string {
	if p.draw != nil {
		return p.draw(b, w, h)
	}
	if picture := p.picture(b); picture != nil {
		return picture.Render(b.Theme.VizStyle(), w, h)
	}
	return b.Theme.Centred("nothing to draw for these choices", w, h)
}

// exportKey returns the name of the panel in exports, or "" if it is not exported.
func (p *Panel) exportKey() string {
	if p.figures == nil && p.file == "" {
		return ""
	}
	return strings.ToLower(p.Name)
}

// exported returns the figures of the panel of a board with full labels.
func (p *Panel) exported(b *Board) (list []report.Figure) {
	switch {
	case !p.Shows(b):
	case p.figures != nil:
		list = p.figures(b)
	case p.file != "":
		if picture := p.picture(b); picture != nil {
			o := figure.Options{Title: p.caption(b)}
			list = []report.Figure{report.NewFigure(b.fileOf(p.file, p.Choices...), picture, o)}
		}
	}
	for i := range list {
		list[i].Panel = p.exportKey()
	}
	return list
}

// Acts reports whether the panel performs an action, and returns the choice that it changes, or nil if it
// changes none.
func (p *Panel) Acts(act kit.Action) (c *Choice, acts bool) {
	for _, c := range p.Choices {
		if act != "" && c.action == act {
			return c, true
		}
	}
	return nil, slices.Contains(p.actions, act)
}
