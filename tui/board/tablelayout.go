package board

import (
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dgplab/tui/kit"
	"dgplab/viz/tables"
)

// drawTable draws a row for each run in exactly h lines of w cells. A focus symbol marks the chosen
// run. A narrow table leaves columns out (see column.drop), but never the one that it is sorted by,
// and shows their values for the selected run below the rows. The last line explains the symbols.
//
// The symbol "-" marks a missing value. The symbol "~" marks a number that may still change because its run
// is training, or that was still improving when its run ended. The best value of a column has a star if two
// runs differ and, for metrics that depend on the data, all runs use the same data.
func drawTable(b *Board, s tableSort, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(b.Runs) == 0 {
		return b.Theme.Centred("no run to compare yet", w, h)
	}
	t := layTable(b, s, w)
	if h == 1 {
		return b.Theme.Box([]string{t.short(w)}, w, h)
	}
	return b.Theme.Box(t.lines(w, h), w, h)
}

// table holds the strings of runs and columns, and the columns that fit.
type table struct {
	th     *kit.Theme
	runs   []*Run
	order  []int
	chosen int
	sort   tableSort
	list   []column
	values [][]value // [column][run]
	best   [][]bool  // [column][run]
	// layout starts with the label of the run, followed by the columns in list.
	layout tables.Layout
	same   bool // all runs use the same data
}

// rowMarks is the width of the focus glyph and the marker with spaces. leastLabel is the width to which
// labels shrink before columns are omitted.
const (
	rowMarks   = 4
	leastLabel = 10
)

// layTable lays out a table of w cells.
func layTable(b *Board, s tableSort, w int) *table {
	th, runs := b.Theme, b.Runs
	t := &table{
		th:     th,
		runs:   runs,
		sort:   s,
		order:  tableOrder(runs, s),
		chosen: b.Chosen,
		list:   columns(th, runs),
		same:   sameData(runs),
	}
	heads := []tables.Column{{Title: "run", Least: leastLabel, Keep: true}}
	rows := make([][]string, len(runs))
	for k, r := range runs {
		rows[k] = []string{cutText(th, r.Brief, 32)}
	}
	for i, c := range t.list {
		values := make([]value, len(runs))
		for k, r := range runs {
			values[k] = c.value(r)
			values[k].text = cutText(th, values[k].text, 24)
		}
		best := c.best(values)
		if c.sameDataOnly() && !t.same {
			clear(best)
		}
		t.values = append(t.values, values)
		t.best = append(t.best, best)
		heads = append(heads, t.column(i))
		for k := range runs {
			rows[k] = append(rows[k], t.text(i, k))
		}
	}
	t.layout = tables.Fit(heads, tables.Natural(heads, rows), w-rowMarks)
	return t
}

// column returns the layout of column i of list. The sorted column is always kept.
func (t *table) column(i int) tables.Column {
	c := tables.Column{Title: t.list[i].title, Right: !t.isText(i), Drop: t.list[i].drop}
	if t.list[i].name == t.sort.Column {
		c.Order, c.Keep = t.th.Glyphs.Order(t.sort.Descending), true
	}
	return c
}

// shown reports whether column i of list fits.
func (t *table) shown(i int) bool { return t.layout.Widths[i+1] > 0 }

// text returns the text of column i for run k without colour. In a column with a best value, all other values
// leave room for its symbol.
func (t *table) text(i, k int) string {
	v := t.values[i][k]
	if v.missing() {
		v.text = "-"
	}
	if v.moving {
		v.text = "~" + v.text
	}
	switch {
	case t.best[i][k]:
		return v.text + t.th.Glyphs.Star
	case slices.Contains(t.best[i], true):
		return v.text + " "
	}
	return v.text
}

// look returns the style of column i for run k.
func (t *table) look(i, k int) lipgloss.Style {
	v := t.values[i][k]
	switch {
	case v.missing():
		return t.th.Dim
	case t.best[i][k]:
		return t.th.Good.Bold(true)
	case v.numeric && !v.finite():
		return t.th.Bad
	case v.moving:
		return t.th.Warn
	}
	return t.th.Text
}

// head returns the line of titles.
func (t *table) head() string {
	return t.th.Dim.Render(strings.Repeat(" ", rowMarks) + t.layout.Row(func(i, w int) string {
		c := t.layout.Columns[i]
		return t.th.Cell(c.Head(), w, c.Right)
	}))
}

// isText reports whether column i contains a value that is not a number.
func (t *table) isText(i int) bool {
	for _, v := range t.values[i] {
		if !v.missing() && !v.numeric {
			return true
		}
	}
	return false
}

// row returns the line of run k.
func (t *table) row(k int) string {
	sign, label := " ", t.th.Text
	if k == t.chosen {
		sign, label = t.th.Selected.Render(t.th.Glyphs.Focus), t.th.Selected
	}
	return sign + " " + t.th.Marker(t.runs[k].Index) + " " + t.layout.Row(func(i, w int) string {
		if i == 0 {
			return label.Render(t.th.Fit(cleanText(t.th, t.runs[k].Brief), w))
		}
		return t.look(i-1, k).Render(t.th.Cell(t.text(i-1, k), w, t.layout.Columns[i].Right))
	})
}
