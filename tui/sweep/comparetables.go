package sweep

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/session/compare"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// tableLines returns the tables of the usual metrics and of the selected metric, side by side if there is
// room.
func (p *Progress) tableLines(w int) []string {
	th, c := p.theme, &p.comparing
	lines := paragraph(th.Text, p.extent(), w)
	if c.err != nil {
		lines = append(lines, paragraph(th.Bad,
			th.Glyphs.Cross+" cannot compare: "+c.err.Error()+"; showing the previous comparison", w)...)
	}
	var shown []metricTable
	width := 0
	for _, t := range p.shownTables() {
		m := metricTable{Table: t, sheet: t.Sheet(), chosen: t.Metric.Key == p.metric().Key}
		for _, part := range report.SheetTables(th.VizStyle(), m.sheet, w) {
			width = max(width, part.Width())
		}
		width = max(width, kit.Cells(p.tableTitle(m)))
		shown = append(shown, m)
	}
	common := commonNotes(shown)
	lines = append(lines, "")
	lines = append(lines, sideBySide(th, len(shown), width, w, func(i, w int) []string {
		return p.tableBlock(shown[i], common, w)
	})...)
	for _, note := range common {
		lines = append(lines, paragraph(th.Dim, note, w)...)
	}
	return lines
}

// metricTable is the table of a metric.
type metricTable struct {
	*compare.Table
	sheet  compare.Sheet
	chosen bool
}

// extent returns the numbers of compared, finished and planned runs.
func (p *Progress) extent() string {
	r, s := p.comparing.report, p.state
	return fmt.Sprintf("%s compared: %s on %s; %s of %s runs done",
		report.Plural(len(r.Runs), "run", "runs"),
		report.Plural(len(r.Methods), "method", "methods"),
		report.Plural(len(r.Datasets), "data set", "data sets"),
		report.Grouped(s.Count(sweeps.Done)), report.Grouped(len(s.Cells)))
}

// shownTables returns the tables of the usual metrics and of the selected metric, in the order of the report.
func (p *Progress) shownTables() (list []*compare.Table) {
	chosen := p.metric().Key
	for _, t := range p.comparing.report.Tables {
		if compare.Usual(t.Metric) || t.Metric.Key == chosen {
			list = append(list, t)
		}
	}
	return list
}

// commonNotes returns the notes that all tables share; they are printed once.
func commonNotes(list []metricTable) (common []string) {
	if len(list) < 2 {
		return nil
	}
	for _, note := range report.SheetNotes(list[0].sheet) {
		if !slices.ContainsFunc(list[1:], func(m metricTable) bool {
			return !slices.Contains(report.SheetNotes(m.sheet), note)
		}) {
			common = append(common, note)
		}
	}
	return common
}

// tableTitle returns the metric of a table, with a mark if it is selected.
func (p *Progress) tableTitle(m metricTable) string {
	title := report.Capitalised(m.Metric.Title() + ", " + m.Metric.Sense())
	if m.chosen {
		return p.theme.Glyphs.Cursor + " " + title
	}
	return title
}

// tableBlock draws a table with its own notes, w cells wide. Methods that are worse than the baseline are
// highlighted.
func (p *Progress) tableBlock(m metricTable, common []string, w int) []string {
	th := p.theme
	lines := paragraph(th.Title, p.tableTitle(m), w)
	lines = append(lines, p.sheetLines(m.sheet, w)...)
	losses := m.Losses()
	for _, note := range report.SheetNotes(m.sheet) {
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

// sheetLines draws a sheet as a single table, or as several tables if it is wider than w cells.
func (p *Progress) sheetLines(s compare.Sheet, w int) (lines []string) {
	style := p.theme.VizStyle()
	for i, t := range report.SheetTables(style, s, w) {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, t.Render(style, min(w, t.Width()), len(t.Rows)+1)...)
	}
	return lines
}

// columnGap is the space between adjacent blocks.
const columnGap = 4

// sideBySide draws n blocks row by row, in as many columns of equal width as fit into w cells. width is the
// width of the widest block.
func sideBySide(th *kit.Theme, n, width, w int, draw func(i, w int) []string) (lines []string) {
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
