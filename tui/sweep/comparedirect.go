package sweep

import (
	"slices"

	"dgplab/session/compare"
	"dgplab/tui/report"
)

// rankLines returns the average ranks by the selected metric, their tests and the
// critical-difference diagram, or the reason why there are none.
func (p *Progress) rankLines(w int) []string {
	th, chosen := p.theme, p.metric()
	tables := p.comparing.report.Tables
	i := slices.IndexFunc(tables, func(t *compare.Table) bool { return t.Metric.Key == chosen.Key })
	if i < 0 {
		return paragraph(th.Dim, "no compared run has "+chosen.Name, w)
	}
	picture, ranked := report.Ranks(tables[i])
	if !ranked {
		return paragraph(th.Dim, p.noRanks(), w)
	}
	ranking := tables[i].Ranking
	lines := picture.Render(th.VizStyle(), w, len(picture.Labels)+3) // with the axis and the ruler
	lines = append(lines, "")
	lines = append(lines, paragraph(th.Text, report.RankTests(ranking), w)...)
	lines = append(lines, paragraph(th.Dim, report.RanksCaption, w)...)
	if ranking.Are == compare.BySplit {
		lines = append(lines, paragraph(th.Warn,
			"by split: splits share rows, so the tests are optimistic", w)...)
	}
	return lines
}

// noRanks returns the text if the requirements for ranks are not met.
func (p *Progress) noRanks() string {
	if p.comparing.blocks == compare.BySplit {
		return "ranks need at least 2 methods on 2 shared splits"
	}
	return "ranks need at least 2 methods on 2 shared data sets; " + keyOf(actRanksBy) + ": rank by split"
}

// directLines returns the direct comparisons of method A with each other method.
func (p *Progress) directLines(w int) []string {
	th, c := p.theme, &p.comparing
	a, ok := c.methodA()
	if !ok {
		return paragraph(th.Dim, "a comparison needs 2 methods", w)
	}
	d := c.direct
	label := c.report.Methods[a].Label
	if d.report == nil || d.report.Methods[d.a].Label != label {
		return paragraph(th.Dim, "comparing "+label+" point by point"+th.Glyphs.Ellipsis, w)
	}
	if d.err != nil {
		return paragraph(th.Bad, th.Glyphs.Cross+" "+d.err.Error(), w)
	}
	var lines []string
	if len(d.list) == 0 {
		lines = paragraph(th.Dim, "no other method shares test points with "+label, w)
	} else {
		sheet := compare.DirectSheet(d.list)
		lines = paragraph(th.Title, "A: "+label, w)
		lines = append(append(lines, p.sheetLines(sheet, w)...), "")
		for _, note := range report.SheetNotes(sheet) {
			lines = append(lines, paragraph(th.Dim, note, w)...)
		}
	}
	for _, text := range d.failed {
		lines = append(lines, paragraph(th.Warn, text, w)...)
	}
	return lines
}

// noteLines returns the excluded runs and the remarks on the others.
func (p *Progress) noteLines(w int) (lines []string) {
	c := &p.comparing
	var failed []string
	if c.direct.report == c.report {
		failed = c.direct.failed
	}
	for _, text := range report.Remarks(c.report, failed) {
		lines = append(lines, paragraph(p.theme.Text, text, w)...)
	}
	if len(lines) == 0 {
		return paragraph(p.theme.Dim, "no remarks", w)
	}
	return lines
}
