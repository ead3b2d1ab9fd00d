package ablate

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/sweep"
	"dgplab/tui/comparison"
	"dgplab/tui/kit"
)

// tableLines are the tables of the usual metrics and of the chosen one, beside each other
// as far as there is room.
func (p *Progress) tableLines(w int) []string {
	th, c := p.theme, &p.comparing
	lines := paragraph(th.Text, p.extent(), w)
	if c.err != nil {
		lines = append(lines, paragraph(th.Bad,
			th.Glyphs.Cross+" cannot compare again: "+c.err.Error()+"; this is what was found before", w)...)
	}
	var shown []metricTable
	width := 0
	for _, t := range p.shownTables() {
		m := metricTable{Table: t, sheet: t.Sheet(), chosen: t.Metric.Key == p.metric().Key}
		for _, part := range comparison.Cut(th.VizStyle(), m.sheet, w) {
			width = max(width, part.Width())
		}
		width = max(width, kit.Cells(p.tableTitle(m)))
		shown = append(shown, m)
	}
	common := commonNotes(shown)
	lines = append(lines, "")
	lines = append(lines, beside(th, len(shown), width, w, func(i, w int) []string {
		return p.tableBlock(shown[i], common, w)
	})...)
	for _, note := range common {
		lines = append(lines, paragraph(th.Dim, note, w)...)
	}
	return lines
}

// metricTable is the table of a metric as it is shown.
type metricTable struct {
	*compare.Table
	sheet  compare.Sheet
	chosen bool
}

// extent says what is compared, and how much of what was planned is done.
func (p *Progress) extent() string {
	r, s := p.comparing.report, p.state
	return fmt.Sprintf("%s compared: %s on %s; %s of %s planned runs are done",
		kit.Plural(len(r.Runs), "run", "runs"),
		kit.Plural(len(r.Methods), "method", "methods"), kit.Plural(len(r.Datasets), "data set", "data sets"),
		kit.Grouped(s.Count(sweep.Done)), kit.Grouped(len(s.Cells)))
}

// shownTables are those of the usual metrics and of the chosen one, in the order of the
// report.
func (p *Progress) shownTables() (list []*compare.Table) {
	chosen := p.metric().Key
	for _, t := range p.comparing.report.Tables {
		if compare.Usual(t.Metric) || t.Metric.Key == chosen {
			list = append(list, t)
		}
	}
	return list
}

// commonNotes are the notes that all of several tables have, which are said once.
func commonNotes(list []metricTable) (common []string) {
	if len(list) < 2 {
		return nil
	}
	for _, note := range comparison.Notes(list[0].sheet) {
		if !slices.ContainsFunc(list[1:], func(m metricTable) bool {
			return !slices.Contains(comparison.Notes(m.sheet), note)
		}) {
			common = append(common, note)
		}
	}
	return common
}

// tableTitle names the metric of a table; the chosen one is marked.
func (p *Progress) tableTitle(m metricTable) string {
	title := comparison.Title(m.Metric.Title() + ", " + m.Metric.Sense())
	if m.chosen {
		return p.theme.Glyphs.Cursor + " " + title
	}
	return title
}

// tableBlock draws a table with the notes that others have not, w cells wide: methods
// that lose to the baseline stand out.
func (p *Progress) tableBlock(m metricTable, common []string, w int) []string {
	th := p.theme
	lines := paragraph(th.Title, p.tableTitle(m), w)
	lines = append(lines, p.sheetLines(m.sheet, w)...)
	losses := m.Losses()
	for _, note := range comparison.Notes(m.sheet) {
		switch {
		case slices.Contains(common, note):
		case slices.Contains(losses, note):
			lines = append(lines, paragraph(th.Warn, "! "+note, w)...)
		default:
			lines = append(lines, paragraph(th.Dim, note, w)...)
		}
	}
	return append(lines, "")
}

// sheetLines draws a sheet as one table or, where it is wider than w cells, as several.
func (p *Progress) sheetLines(s compare.Sheet, w int) (lines []string) {
	style := p.theme.VizStyle()
	for i, t := range comparison.Cut(style, s, w) {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, t.Render(style, min(w, t.Width()), len(t.Rows)+1)...)
	}
	return lines
}

// columnGap is the room between blocks that stand beside each other.
const columnGap = 4

// beside draws n blocks of which the widest takes width cells in columns of the same
// width, row by row, as many as fit in w cells.
func beside(th *kit.Theme, n, width, w int, draw func(i, w int) []string) (lines []string) {
	columns := max(min((w+columnGap)/(width+columnGap), n), 1)
	each := (w - (columns-1)*columnGap) / columns
	for first := 0; first < n; first += columns {
		var row [][]string
		height := 0
		for i := first; i < min(first+columns, n); i++ {
			block := draw(i, each)
			row = append(row, block)
			height = max(height, len(block))
		}
		for y := range height {
			line := ""
			for i, block := range row {
				text := ""
				if y < len(block) {
					text = block[y]
				}
				if i > 0 {
					line += strings.Repeat(" ", columnGap)
				}
				line += th.Fit(text, each)
			}
			lines = append(lines, line)
		}
	}
	return lines
}
