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

// column is one column of the list.
type column struct {
	tables.Column
	// key is the field of package query that the column is sorted by; descending is
	// the direction that it has at first.
	key        string
	descending bool
	cell       func(run *rundir.Info) string
}

// columns are those of the list, from the left.
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

// telling are the wide columns of what was asked of runs: one in which all runs of the list are
// the same tells nothing, and goes first.
var telling = []string{"dataset", "family", "split", "sweep"}

// same returns which columns tell nothing of the runs in a list.
func same(cells [][]string) []bool {
	out := make([]bool, len(columns))
	for i, c := range columns {
		out[i] = len(cells) > 1 && slices.Contains(telling, c.key) &&
			!slices.ContainsFunc(cells, func(row []string) bool { return row[i] != cells[0][i] })
	}
	return out
}

// metricColumn returns the column of a metric, the best values on top; of times, the
// longest.
func metricColumn(key string, drop int) column {
	m := metric.Get(key)
	descending := m.Better == metric.Higher || m.Format == metric.Time
	return column{tables.Column{Title: m.Short, Right: true, Drop: drop}, key, descending,
		func(run *rundir.Info) string { return kit.Value(metric.OfRun(run), key) }}
}

// fit writes a cell of the column in w cells.
func (c *column) fit(th *kit.Theme, text string, w int) string {
	switch c.key {
	case "created":
		return fitLabel(th, text, w)
	case "sweep":
		return th.FitSweep(text, w)
	}
	return th.Cell(text, w, c.Right)
}

// label is the name of a run, or else its ID.
func label(run *rundir.Info) string {
	if run.Notes.Name != "" {
		return run.Notes.Name
	}
	return run.ID
}

// nameShare is the part of the width that names may have before columns are left out.
const nameShare = 4

// shortID is the length of an ID without its year and what follows the time.
const shortID = len("0131-142501")

// shortened writes an ID without the year and what the other columns say; its end tells it
// from others of the same second. Names stay as they are.
func shortened(th *kit.Theme, text string) string {
	const year, until, end = 4, 4 + shortID, len("ce148f") // in an ID
	if len(text) <= until+end || !idPattern.MatchString(text) {
		return text
	}
	return text[year:until] + th.Glyphs.Ellipsis + text[len(text)-end:]
}

// shortest writes the time of an ID alone. Names stay as they are.
func shortest(th *kit.Theme, text string) string {
	if short := shortened(th, text); short != text {
		return short[:shortID]
	}
	return text
}

// fitLabel writes a label in w cells, an ID as far as it fits: whole, shortened, or the time
// alone.
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

// idPattern is how the IDs of runs begin.
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
	return kit.Padded(kit.Grouped(run.Step), len(total)) + "/" + total // as wide as it will become
}

// stateWord is where a run stands, in a word or two.
func stateWord(run *rundir.Info) string {
	if run.State == rundir.Running && run.Steps > 0 {
		return fmt.Sprintf("running %2.0f%%", 100*math.Min(float64(run.Step)/float64(run.Steps), 1))
	}
	return run.Standing()
}

// stateSign is the sign and the meaning of where a run stands.
func stateSign(g kit.Glyphs, run *rundir.Info) (sign string, t kit.Tone) {
	switch {
	case run.State == rundir.Running:
		return g.Training, kit.Good
	case run.Summary != nil:
		sign, _, t = g.StopSign(run.Summary.Stop)
		return sign, t
	case run.State == rundir.Interrupted:
		return g.Asked, kit.Warn
	}
	return g.Cross, kit.Bad
}

// cellsOf returns the cells of all columns of a run.
func cellsOf(run *rundir.Info) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.cell(run)
	}
	return cells
}

// naturalWidths returns how wide each column would like to be, with room for the sign
// of the order; 0 for a column that has nothing in it.
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

// layout fits the columns into w cells. The one that the list is sorted by stays
// longest.
func (b *Browse) layout(w int) tables.Layout {
	list := make([]tables.Column, len(columns))
	for i, c := range columns {
		list[i] = c.Column
		if b.same[i] {
			list[i].Drop += len(columns)
		}
		if c.key == b.look.Sort {
			list[i].Order, list[i].Drop = b.theme.Glyphs.Order(b.look.Descending), 0
		}
	}
	natural := b.worth(list, w)
	least := b.labelWidth(shortest)
	list[0].Least = min(least, max(w/nameShare, shortID))
	l := tables.Fit(list, natural, w)
	if l.Widths[0] < natural[0] {
		natural[0] = least // The rest of the room is for others.
		l = tables.Fit(list, natural, w)
	}
	return l
}

// worth returns the natural widths with shortened IDs and without those columns that tell
// nothing, as far as that is needed so that of the others nothing is cut in w cells.
func (b *Browse) worth(list []tables.Column, w int) []int {
	natural := slices.Clone(b.natural)
	cut := func() bool { return tables.Layout{Columns: list, Widths: natural}.Width() > w }
	if cut() {
		natural[0] = b.labelWidth(shortened)
	}
	for cut() {
		next := -1
		for i := range list {
			if b.same[i] && natural[i] > 0 && list[i].Drop > 0 &&
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

// labelWidth returns how wide the names and the IDs are, written shorter.
func (b *Browse) labelWidth(shorter func(*kit.Theme, string) string) int {
	w := kit.Cells(columns[0].Title) + 1 // with the sign of the order
	for _, row := range b.cells {
		w = max(w, kit.Cells(shorter(b.theme, row[0])))
	}
	return w
}
