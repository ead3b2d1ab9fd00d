package sweep

import (
	"fmt"

	"github.com/charmbracelet/lipgloss"

	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// sectionTabs holds the titles of the sections of the comparison.
var sectionTabs = kit.Tabs{"Tables", "Ranks", "Direct", "Notes"}

// arrangeSections returns the current layout of the sections.
func (p *Progress) arrangeSections() kit.Layout {
	return arrangeComparison(p.w, p.h, p.comparing.focus, p.comparing.whole,
		func(id section, w int) int { return len(p.sectionLines(id, w)) })
}

// roomForSections reports whether there is room for all sections.
func (p *Progress) roomForSections() bool {
	return p.w >= wideCompare && p.h >= highCompare
}

// sectionView draws the visible lines of a section and returns its title and note.
func (p *Progress) sectionView(id section, inner kit.Rect) (title, note string, lines []string) {
	all := p.sectionLines(id, inner.W)
	s := &p.comparing.windows[id]
	s.h, s.n = inner.H, len(all)
	s.top = max(min(s.top, s.n-s.h), 0)
	title, about := p.sectionTitle(id)
	where := ""
	if s.n > s.h && s.h > 0 {
		where = fmt.Sprintf("%d-%d of %d", s.top+1, min(s.top+s.h, s.n), s.n)
	}
	note = kit.JoinFitting(inner.W-kit.Cells(title)-7, "  ", where, p.busyNote(id), about)
	return title, note, all[s.top:min(s.top+max(s.h, 0), s.n)]
}

// sectionTitle returns the title of a section and the meaning of its numbers.
func (p *Progress) sectionTitle(id section) (title, about string) {
	title = sectionTabs[id]
	if p.state == nil {
		return title, ""
	}
	switch id {
	case sectionTables:
		about = "mean (standard error)"
	case sectionRanks:
		title = "Ranks by " + p.metric().Short
	case sectionDirect:
		title = "Direct comparison"
	}
	return title, about
}

// busyNote returns a note if the content of a section is being recomputed, and "" otherwise.
func (p *Progress) busyNote(id section) string {
	c := &p.comparing
	pairing := id == sectionDirect && c.pairing.report != nil &&
		(c.direct.report != c.pairing.report || c.direct.a != c.pairing.a)
	if c.busy || pairing {
		return "comparing" + p.theme.Glyphs.Ellipsis
	}
	return ""
}

// drawn caches the lines of a section together with their inputs.
type drawn struct {
	of    drawnInputs
	lines []string
}

type drawnInputs struct {
	report, paired      *compare.Report
	a, pairedA          int
	err, metric, counts string
	style               canvas.Style
	w                   int
}

// sectionLines returns all lines of a section, w cells wide. There can be hundreds of lines, so it redraws
// them only if their inputs have changed.
func (p *Progress) sectionLines(id section, w int) []string {
	if w <= 0 {
		return nil
	}
	if p.state == nil {
		return p.emptyText(w)
	}
	c := &p.comparing
	if c.report == nil {
		return p.noComparison(w)
	}
	a, _ := c.methodA()
	of := drawnInputs{
		report: c.report, paired: c.direct.report, a: a, pairedA: c.direct.a,
		metric: p.metric().Key, counts: p.cache.counts, style: p.theme.VizStyle(), w: w,
	}
	if c.err != nil {
		of.err = c.err.Error()
	}
	if d := &c.drawn[id]; d.of != of {
		*d = drawn{of, p.drawSection(id, w)}
	}
	return c.drawn[id].lines
}

// drawSection draws all lines of a section after a comparison.
func (p *Progress) drawSection(id section, w int) []string {
	switch id {
	case sectionRanks:
		return p.rankLines(w)
	case sectionDirect:
		return p.directLines(w)
	case sectionNotes:
		return p.noteLines(w)
	}
	return p.tableLines(w)
}

// noComparison returns the reason why there is no comparison yet.
func (p *Progress) noComparison(w int) []string {
	th, c := p.theme, &p.comparing
	switch {
	case c.err != nil && !c.busy:
		return paragraph(th.Bad, th.Glyphs.Cross+" "+c.err.Error(), w)
	case p.ends() == "":
		return paragraph(th.Dim, "no finished runs to compare yet", w)
	}
	return paragraph(th.Dim, "comparing finished runs"+th.Glyphs.Ellipsis, w)
}

// paragraph is kit.Paragraph for text that may come from files.
func paragraph(style lipgloss.Style, text string, w int) []string {
	return kit.Paragraph(style, report.Printable(text), w)
}
