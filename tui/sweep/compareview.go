package sweep

import (
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// sectionTabs holds the titles of the sections of the comparison.
var sectionTabs = kit.Tabs{"Tables", "Ranks", "Direct", "Notes"}

// arrangeSections returns the current layout of the sections.
func (p *Progress) arrangeSections() kit.Layout {
	return arrangeComparison(p.w, p.h, p.comparing.focus, p.comparing.whole,
		func(id section, w int) int {
			if id == sectionRanks && p.noRanks() != "" {
				return 0
			}
			return len(p.sectionLines(id, w))
		})
}

// noRanks returns the reason why there are no ranks by the selected metric, or "".
func (p *Progress) noRanks() string {
	if p.comparing.report == nil {
		return ""
	}
	t := p.chosenTable()
	if t == nil {
		return "no compared run has " + p.metric().Name
	}
	if _, ranked := report.Ranks(t); ranked {
		return ""
	}
	reason := compare.NoRanks(p.comparing.blocks)
	if p.comparing.blocks != compare.BySplit {
		reason += ranksHint()
	}
	return reason
}

// chosenTable returns the table of the selected metric, or nil if no compared run has it.
func (p *Progress) chosenTable() *compare.Table {
	for _, t := range p.comparing.report.Tables {
		if t.Metric.Key == p.metric().Key {
			return t
		}
	}
	return nil
}

// roomForSections reports whether there is room for all sections.
func (p *Progress) roomForSections() bool {
	return p.w >= wideCompare && p.h >= highCompare
}

// sectionView draws the visible lines of a section.
func (p *Progress) sectionView(id section, inner kit.Rect) kit.Content {
	c := &p.comparing
	title := sectionTabs[id]
	switch {
	case id == sectionRanks && p.state != nil:
		title = "Ranks by " + p.metric().Short
	case id == sectionDirect:
		title = "Direct comparison"
	}
	lines, where := c.texts[id].Window(p.sectionLines(id, inner.W), inner.H)
	busy := ""
	if c.reports.Running || id == sectionDirect && c.pairs.Running {
		busy = "comparing" + p.theme.Glyphs.Ellipsis
	}
	return kit.Content{
		Title: title,
		Note:  kit.JoinFitting(inner.W-kit.Cells(title)-7, "  ", where, busy),
		Lines: lines,
		Bar:   c.texts[id].Bar(),
	}
}

// sectionLines returns all lines of a section, w cells wide.
func (p *Progress) sectionLines(id section, w int) []string {
	th, c := p.theme, &p.comparing
	switch {
	case w <= 0:
		return nil
	case p.state == nil:
		return p.emptyText(w)
	case c.report == nil && c.reports.Err != nil:
		return paragraph(th.Bad, th.Glyphs.Cross+" "+c.reports.Err.Error(), w)
	case c.report == nil && c.of == "":
		return paragraph(th.Dim, "no finished runs to compare yet", w)
	case c.report == nil:
		return paragraph(th.Dim, "comparing finished runs"+th.Glyphs.Ellipsis, w)
	case id == sectionTables:
		return p.tableLines(w)
	case id == sectionRanks:
		return p.rankLines(w)
	case id == sectionDirect:
		return p.directLines(w)
	}
	return p.noteLines(w)
}

// paragraph is kit.Paragraph for text that may come from files.
func paragraph(style lipgloss.Style, text string, w int) []string {
	return kit.Paragraph(style, report.Printable(text), w)
}

// tableLines returns the tables of the usual metrics and of the selected metric, side by side if there is
// room. Each note is printed once, except that losses against the baseline are below their table.
func (p *Progress) tableLines(w int) []string {
	th, c := p.theme, &p.comparing
	lines := paragraph(th.Text, "compared "+report.Extent(c.report), w)
	if err := c.reports.Err; err != nil {
		lines = append(lines, paragraph(th.Bad,
			th.Glyphs.Cross+" cannot compare: "+err.Error()+"; showing the previous comparison", w)...)
	}
	lines = append(lines, "")
	row := "" // of tables side by side
	var notes []string
	for _, t := range c.report.Tables {
		chosen := t.Metric.Key == p.metric().Key
		if !chosen && !compare.Usual(t.Metric) {
			continue
		}
		sheet := t.Sheet()
		title := report.Capitalised(sheet.Title)
		if chosen {
			title = th.Glyphs.Cursor + " " + title
		}
		block := append(paragraph(th.Title, title, w), report.SheetLines(th.VizStyle(), sheet, w)...)
		width := lipgloss.Width(strings.Join(block, "\n"))
		losses := t.Losses()
		for _, note := range report.SheetNotes(sheet) {
			switch {
			case slices.Contains(losses, note):
				block = append(block, paragraph(th.Warn, "! "+note, width)...)
			case !slices.Contains(notes, note):
				notes = append(notes, note)
			}
		}
		text := strings.Join(append(block, ""), "\n")
		beside := lipgloss.JoinHorizontal(lipgloss.Top, row, strings.Repeat(" ", columnGap), text)
		switch {
		case row == "":
			row = text
		case lipgloss.Width(beside) <= w:
			row = beside
		default:
			lines = append(lines, kit.Lines(row)...)
			row = text
		}
	}
	lines = append(lines, kit.Lines(row)...)
	for _, note := range notes {
		lines = append(lines, paragraph(th.Dim, note, w)...)
	}
	return lines
}

// columnGap is the space between tables side by side.
const columnGap = 4

// rankLines returns the average ranks by the selected metric, their tests and the critical-difference
// diagram, or the reason why there are none.
func (p *Progress) rankLines(w int) []string {
	th := p.theme
	if reason := p.noRanks(); reason != "" {
		return paragraph(th.Dim, reason, w)
	}
	picture, _ := report.Ranks(p.chosenTable())
	tests := paragraph(th.Text, picture.Note, w)
	picture.Note = ""
	lines := picture.Render(th.VizStyle(), w, len(picture.Labels)+3) // with the axis and the ruler
	return slices.Concat(lines, []string{""}, tests, paragraph(th.Dim, report.RanksCaption, w))
}

// ranksHint tells the user how to get ranks for a single data set.
func ranksHint() string { return "; " + keyOf(actRanksBy) + ": rank by split" }

// directLines returns the direct comparisons of method A with each other method.
func (p *Progress) directLines(w int) []string {
	th, c := p.theme, &p.comparing
	a, ok := c.methodA()
	if !ok {
		return paragraph(th.Dim, "a comparison needs 2 methods", w)
	}
	label := c.report.Methods[a].Label
	d := c.pairs.Known
	if d == nil || d.report.Methods[d.a].Label != label {
		return paragraph(th.Dim, "comparing "+label+" point by point"+th.Glyphs.Ellipsis, w)
	}
	if len(d.list) == 0 {
		return paragraph(th.Dim, "no other method shares test points with "+label, w)
	}
	sheet := compare.DirectSheet(d.list)
	title := paragraph(th.Title, report.Capitalised(sheet.Title), w)
	return append(title, p.sheetLines(sheet, report.SheetNotes(sheet), w)...)
}

// noteLines returns the excluded runs and the remarks on the others.
func (p *Progress) noteLines(w int) (lines []string) {
	c := &p.comparing
	var failed []string
	if d := c.pairs.Known; d != nil && d.report == c.report {
		failed = d.failed
	}
	for _, text := range report.Remarks(c.report, failed) {
		lines = append(lines, paragraph(p.theme.Text, text, w)...)
	}
	if len(lines) == 0 {
		return paragraph(p.theme.Dim, "no remarks", w)
	}
	return lines
}
