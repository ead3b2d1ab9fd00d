package browse

import (
	"regexp"
	"slices"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// column is a column of the list: a column of the catalogue, its layout and its strings.
type column struct {
	metric.Column
	layout tables.Column
	cell   func(metric.Run) string
}

// listed returns the column with the given key. The title and the alignment come from the catalogue.
func listed(key string, layout tables.Column) column {
	c := metric.Get(key)
	return column{c, report.Column(c, layout), func(r metric.Run) string { return report.Cell(c, r) }}
}

// columns holds the columns of the list from left to right.
var columns = []column{
	{metric.Get("created"), tables.Column{Title: "run", Keep: true}, metric.Run.Label},
	listed("dataset", tables.Column{Least: 11, Drop: 3}),
	listed("family", tables.Column{Least: 13, Drop: 2}),
	listed("split", tables.Column{Drop: 7}),
	listed("seed", tables.Column{Drop: 4}),
	listed("state", tables.Column{Keep: true}),
	listed("step", tables.Column{Drop: 6}),
	listed("val.best", tables.Column{Drop: 5}),
	listed("log_lik", tables.Column{Drop: 1}),
	listed("rmse", tables.Column{Drop: 10}),
	listed("seconds", tables.Column{Drop: 11}),
	listed("tag", tables.Column{Least: 6, Drop: 8}),
	listed("sweep", tables.Column{Least: 12, Drop: 9}),
}

// configColumns holds the keys of the wide columns with configuration values. If all listed runs have the
// same value, the column is redundant and is dropped first.
var configColumns = []string{"dataset", "family", "split", "sweep"}

// redundant reports for each column whether it is redundant in a list of cells.
func redundant(cells [][]string) []bool {
	out := make([]bool, len(columns))
	for i, c := range columns {
		out[i] = len(cells) > 1 && slices.Contains(configColumns, c.Key) &&
			!slices.ContainsFunc(cells, func(row []string) bool { return row[i] != cells[0][i] })
	}
	return out
}

// fit returns the text of a table cell in w cells.
func (c *column) fit(th *kit.Theme, text string, w int) string {
	switch c.Key {
	case "created":
		return fitLabel(th, text, w)
	case "sweep":
		return th.FitSweep(text, w)
	}
	return th.Cell(text, w, c.layout.Right)
}

// label returns the name of a run, or its ID if it has no name.
func label(run *rundir.Info) string { return metric.OfInfo(run).Label() }

// nameShare is the reciprocal of the share of the width that names get before other columns are dropped.
const nameShare = 4

// shortID is the length of an ID without the year and without the part after the time.
const shortID = len("0131-142501")

// shortened returns an ID without the year and the parts that other columns show. It keeps the end,
// which distinguishes IDs that were created in the same second. Names are not changed.
func shortened(th *kit.Theme, text string) string {
	const year, until, end = 4, 4 + shortID, len("ce148f") // in an ID
	if len(text) <= until+end || !idPattern.MatchString(text) {
		return text
	}
	return text[year:until] + th.Glyphs.Ellipsis + text[len(text)-end:]
}

// shortest reduces an ID to its time. Names are not changed.
func shortest(th *kit.Theme, text string) string {
	if short := shortened(th, text); short != text {
		return short[:shortID]
	}
	return text
}

// fitLabel returns a label in w cells. Depending on w, an ID is complete, shortened or reduced to its time.
func fitLabel(th *kit.Theme, text string, w int) string {
	short := shortened(th, text)
	switch {
	case kit.Cells(text) <= w:
	case kit.Cells(short) <= w:
		text = short
	default:
		text = shortest(th, text)
	}
	return th.Fit(text, w)
}

// idPattern matches the beginning of run IDs.
var idPattern = regexp.MustCompile(`^\d{8}-\d{6}-`)

// rowCells returns the cells of all columns of a run.
func rowCells(run *rundir.Info) []string {
	cells := make([]string, len(columns))
	view := metric.OfInfo(run)
	for i, c := range columns {
		cells[i] = c.cell(view)
	}
	return cells
}

// naturalWidths returns the preferred width of each column, including the glyph of the order. The
// width of an empty column is 0.
func naturalWidths(cells [][]string) []int {
	list := make([]tables.Column, len(columns))
	for i, c := range columns {
		list[i] = c.layout
		list[i].Order = " "
	}
	widths := tables.Natural(list, cells)
	for i := 1; i < len(widths); i++ {
		if !slices.ContainsFunc(cells, func(row []string) bool { return row[i] != "" }) {
			widths[i] = 0
		}
	}
	return widths
}

// layout fits the columns into w cells. The sorted column is dropped last.
func (b *Browse) layout(w int) tables.Layout {
	list := make([]tables.Column, len(columns))
	for i, c := range columns {
		list[i] = c.layout
		if b.redundant[i] {
			list[i].Drop += len(columns)
		}
		if c.Key == b.look.Sort {
			list[i].Order, list[i].Drop = b.theme.Glyphs.Order(b.look.Descending), 0
		}
	}
	natural := b.fitWidths(list, w)
	least := b.labelWidth(shortest)
	list[0].Least = min(least, max(w/nameShare, shortID))
	l := tables.Fit(list, natural, w)
	if l.Widths[0] < natural[0] {
		natural[0] = least // Other columns get the rest of the room.
		l = tables.Fit(list, natural, w)
	}
	return l
}

// fitWidths returns the natural widths, adjusted to fit into w cells as far as possible by shortening IDs and
// dropping redundant columns.
func (b *Browse) fitWidths(list []tables.Column, w int) []int {
	natural := slices.Clone(b.natural)
	cut := func() bool { return tables.Layout{Columns: list, Widths: natural}.Width() > w }
	if cut() {
		natural[0] = b.labelWidth(shortened)
	}
	for cut() {
		next := -1
		for i := range list {
			if b.redundant[i] && natural[i] > 0 && list[i].Drop > 0 &&
				(next < 0 || list[i].Drop > list[next].Drop) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		natural[next] = 0
	}
	return natural
}

// labelWidth returns the width of the first column if shorter shortens its labels.
func (b *Browse) labelWidth(shorter func(*kit.Theme, string) string) int {
	w := kit.Cells(columns[0].layout.Title) + 1 // includes the glyph of the order
	for _, row := range b.cells {
		w = max(w, kit.Cells(shorter(b.theme, row[0])))
	}
	return w
}
