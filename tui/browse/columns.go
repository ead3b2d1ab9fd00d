package browse

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/viz/tables"
)

// column is a column of the list.
type column struct {
	tables.Column
	// key is the field of package query that the column is sorted by; descending is the initial
	// order.
	key        string
	descending bool
	cell       func(run *rundir.Info) string
}

// columns are the columns of the list, from left to right.
var columns = []column{
	{tables.Column{Title: "run", Keep: true}, "created", true, label},
	{tables.Column{Title: "dataset", Least: 11, Drop: 3}, "dataset", false,
		func(run *rundir.Info) string { return kit.Dataset(run.Config.Dataset) }},
	{tables.Column{Title: "family", Least: 13, Drop: 2}, "family", false,
		func(run *rundir.Info) string { return run.Config.Family }},
	{tables.Column{Title: "split", Drop: 7}, "split", false,
		func(run *rundir.Info) string { return run.Config.Split }},
	{tables.Column{Title: "seed", Right: true, Drop: 4}, "seed", false, seed},
	{tables.Column{Title: "state", Keep: true}, "state", false,
		func(run *rundir.Info) string { return stateWord(run) }},
	{tables.Column{Title: "step", Right: true, Drop: 6}, "step", true, steps},
	metricColumn("val.best", 5), metricColumn("log_lik", 1), metricColumn("rmse", 10),
	metricColumn("seconds", 11),
	{tables.Column{Title: "tags", Least: 6, Drop: 8}, "tag", false,
		func(run *rundir.Info) string { return strings.Join(run.Notes.Tags, " ") }},
	{tables.Column{Title: "sweep", Least: 12, Drop: 9}, "sweep", false,
		func(run *rundir.Info) string { return run.Sweep }},
}

// configColumns are the wide columns of configuration values. If all listed runs have the same value, the
// column is redundant and is dropped first.
var configColumns = []string{"dataset", "family", "split", "sweep"}

// redundant reports for each column whether it is redundant in a list of cells.
func redundant(cells [][]string) []bool {
	out := make([]bool, len(columns))
	for i, c := range columns {
		out[i] = len(cells) > 1 && slices.Contains(configColumns, c.key) &&
			!slices.ContainsFunc(cells, func(row []string) bool { return row[i] != cells[0][i] })
	}
	return out
}

// metricColumn returns the column of a metric, sorted from the best value, or for times from the
// longest.
func metricColumn(key string, drop int) column {
	m := metric.Get(key)
	descending := m.Better == metric.Higher || m.Format == metric.Time
	return column{tables.Column{Title: m.Short, Right: true, Drop: drop}, key, descending,
		func(run *rundir.Info) string { return kit.Value(metric.OfInfo(run), key) }}
}

// fit returns a cell of the column in w cells.
func (c *column) fit(th *kit.Theme, text string, w int) string {
	switch c.key {
	case "created":
		return fitLabel(th, text, w)
	case "sweep":
		return th.FitSweep(text, w)
	}
	return th.Cell(text, w, c.Right)
}

// label returns the name of a run, or its ID if it has no name.
func label(run *rundir.Info) string {
	if run.Notes.Name != "" {
		return run.Notes.Name
	}
	return run.ID
}

// nameShare limits the width of names: below 1/nameShare of the width, columns are dropped first.
const nameShare = 4

// shortID is the length of an ID without its year and the part after the time.
const shortID = len("0131-142501")

// shortened returns an ID without the year and the parts that other columns show. It keeps the end,
// which distinguishes IDs of the same second. Names are not changed.
func shortened(th *kit.Theme, text string) string {
	const year, until, end = 4, 4 + shortID, len("ce148f") // in an ID
	if len(text) <= until+end || !idPattern.MatchString(text) {
		return text
	}
	return text[year:until] + th.Glyphs.Ellipsis + text[len(text)-end:]
}

// shortest returns only the time of an ID. Names are not changed.
func shortest(th *kit.Theme, text string) string {
	if short := shortened(th, text); short != text {
		return short[:shortID]
	}
	return text
}

// fitLabel returns a label in w cells. An ID is whole, shortened or only its time, depending on w.
func fitLabel(th *kit.Theme, text string, w int) string {
	switch short := shortened(th, text); {
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

func seed(run *rundir.Info) string {
	if run.State == rundir.Broken {
		return ""
	}
	return fmt.Sprint(run.Config.Seed)
}

func steps(run *rundir.Info) string {
	if run.Steps == 0 {
		return ""
	}
	total := kit.Grouped(run.Steps)
	return kit.Padded(kit.Grouped(run.Step), len(total)) + "/" + total // padded to its final width
}

// stateWord returns the state of a run in a word or two.
func stateWord(run *rundir.Info) string {
	if run.State == rundir.Running && run.Steps > 0 {
		return fmt.Sprintf("running %2.0f%%", 100*math.Min(float64(run.Step)/float64(run.Steps), 1))
	}
	return run.Status()
}

// stateSign returns the glyph and the tone of the state of a run.
func stateSign(g kit.Glyphs, run *rundir.Info) (sign string, t kit.Tone) {
	switch {
	case run.State == rundir.Running:
		return g.Training, kit.Good
	case run.Summary != nil:
		return g.StopSign(run.Summary.Stop)
	case run.State == rundir.Interrupted:
		return g.Asked, kit.Warn
	}
	return g.Cross, kit.Bad
}

// rowCells returns the cells of all columns of a run.
func rowCells(run *rundir.Info) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.cell(run)
	}
	return cells
}

// naturalWidths returns the preferred width of each column, including the glyph of the order. The
// width of an empty column is 0.
func naturalWidths(cells [][]string) []int {
	list := make([]tables.Column, len(columns))
	for i, c := range columns {
		list[i] = c.Column
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

// layout fits the columns into w cells. The column that the list is sorted by is dropped last.
func (b *Browse) layout(w int) tables.Layout {
	list := make([]tables.Column, len(columns))
	for i, c := range columns {
		list[i] = c.Column
		if b.redundant[i] {
			list[i].Drop += len(columns)
		}
		if c.key == b.look.Sort {
			list[i].Order, list[i].Drop = b.theme.Glyphs.Order(b.look.Descending), 0
		}
	}
	natural := b.fitWidths(list, w)
	least := b.labelWidth(shortest)
	list[0].Least = min(least, max(w/nameShare, shortID))
	l := tables.Fit(list, natural, w)
	if l.Widths[0] < natural[0] {
		natural[0] = least // Leave the rest of the room to other columns.
		l = tables.Fit(list, natural, w)
	}
	return l
}

// fitWidths returns the natural widths, adjusted to fit in w cells as far as possible by shortening IDs
// and by dropping redundant columns.
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

// labelWidth returns the width of the first column with labels shortened by shorter.
func (b *Browse) labelWidth(shorter func(*kit.Theme, string) string) int {
	w := kit.Cells(columns[0].Title) + 1 // with the glyph of the order
	for _, row := range b.cells {
		w = max(w, kit.Cells(shorter(b.theme, row[0])))
	}
	return w
}
