package browse

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// column is one column of the list.
type column struct {
	title string
	// key is the field of package query that the column is sorted by; descending is
	// the direction that it has at first.
	key        string
	descending bool
	right      bool
	// least is how narrow the column may become; 0 means as wide as its widest cell.
	least int
	// drop orders what is left out when there is no room: the highest first; 0 never.
	drop int
	cell func(run *rundir.Info) string
}

// columns are those of the list, from the left.
var columns = []column{
	{title: "run", key: "created", descending: true, least: shortID, cell: label},
	{title: "dataset", key: "dataset", least: 11, drop: 3, cell: func(run *rundir.Info) string { return shortDataset(run.Config.Dataset) }},
	{title: "family", key: "family", least: 10, drop: 2, cell: func(run *rundir.Info) string { return run.Config.Family }},
	{title: "split", key: "split", drop: 6, cell: func(run *rundir.Info) string { return run.Config.Split }},
	{title: "seed", key: "seed", drop: 8, right: true, cell: seed},
	{title: "state", key: "state", cell: func(run *rundir.Info) string { return stateWord(run) }},
	{title: "step", key: "step", descending: true, drop: 5, right: true, cell: steps},
	{title: "val LL", key: "val.best", descending: true, drop: 4, right: true, cell: bestValidation},
	{title: "test LL", key: "test.log_lik", descending: true, drop: 1, right: true, cell: testLogLik},
	{title: "RMSE", key: "test.rmse", drop: 9, right: true, cell: rmse},
	{title: "time", key: "seconds", descending: true, drop: 10, right: true, cell: seconds},
	{title: "tags", key: "tag", least: 6, drop: 7, cell: func(run *rundir.Info) string { return strings.Join(run.Notes.Tags, " ") }},
}

// label is the name of a run, or else its ID.
func label(run *rundir.Info) string {
	if run.Notes.Name != "" {
		return run.Notes.Name
	}
	return run.ID
}

// shortID is the length of an ID without its year and what follows the time.
const shortID = len("0131-142501")

// fitLabel writes a label in w cells. Of an ID that does not fit it leaves out the
// year and what the other columns say; with room for it, its end tells it from others
// of the same second.
func fitLabel(th *kit.Theme, text string, w int) string {
	const year, until, end = 4, 4 + shortID, len("ce148f") // in an ID
	if kit.Cells(text) > w && w >= shortID && len(text) > until+end && idPattern.MatchString(text) {
		short := text[year:until]
		if w > shortID+end {
			short += th.Glyphs.Ellipsis + text[len(text)-end:]
		}
		text = short
	}
	return th.Fit(text, w)
}

// idPattern is how the IDs of runs begin.
var idPattern = regexp.MustCompile(`^\d{8}-\d{6}-`)

// shortDataset is a name, of a path the name of the file.
func shortDataset(name string) string {
	if strings.ContainsRune(name, filepath.Separator) {
		return filepath.Base(name)
	}
	return name
}

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

func bestValidation(run *rundir.Info) string {
	if run.Summary == nil || run.Summary.BestStep == 0 {
		return ""
	}
	return score(float64(run.Summary.BestVal))
}

func testLogLik(run *rundir.Info) string {
	if run.Summary == nil || run.Summary.Test == nil {
		return ""
	}
	return score(run.Summary.Test.LogLik)
}

func rmse(run *rundir.Info) string {
	if run.Summary == nil || run.Summary.Test == nil || run.Summary.Test.RMSE == nil {
		return ""
	}
	return score(*run.Summary.Test.RMSE)
}

// score writes a score with four decimals, so that the digits of a column line up.
func score(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) >= 1e5 {
		return kit.Number(x)
	}
	return fmt.Sprintf("%.4f", x)
}

func seconds(run *rundir.Info) string {
	x := run.Last.Seconds
	if run.Summary != nil {
		x = run.Summary.Seconds
	}
	if math.IsNaN(x) {
		return ""
	}
	return kit.Seconds(x)
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

// gap separates columns.
const gap = 2

// cellsOf returns the cells of all columns of a run.
func cellsOf(run *rundir.Info) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.cell(run)
	}
	return cells
}

// naturalWidths returns how wide each column would like to be; 0 for a column that
// has nothing in it.
func naturalWidths(cells [][]string) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		for _, row := range cells {
			widths[i] = max(widths[i], kit.Cells(row[i]))
		}
		if widths[i] > 0 || i == 0 {
			widths[i] = max(widths[i], kit.Cells(c.title)+1) // with the sign of the order
		}
	}
	return widths
}

// fitColumns returns the width of every column so that all of them with their gaps
// take at most w cells; 0 for those that are left out. The one that the list is
// sorted by stays longest.
func fitColumns(natural []int, sorted string, w int) []int {
	widths := slices.Clone(natural)
	least := func(i int) int {
		if l := columns[i].least; l > 0 {
			return min(l, widths[i])
		}
		return widths[i]
	}
	for total(widths, least) > w && dropOne(widths, sorted) {
	}
	// What is left over the least widths is shared from the widest column on.
	for total(widths, func(i int) int { return widths[i] }) > w {
		widest := -1
		for i := range widths {
			if widths[i] > least(i) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			widths[0] = max(widths[0]-1, 1)
			if widths[0] == 1 {
				break
			}
			continue
		}
		widths[widest]--
	}
	return widths
}

// dropOne leaves out the next column and reports whether there was one.
func dropOne(widths []int, sorted string) bool {
	next := -1
	for i, c := range columns {
		if widths[i] == 0 || c.drop == 0 {
			continue
		}
		if next < 0 || rank(c, sorted) > rank(columns[next], sorted) {
			next = i
		}
	}
	if next < 0 {
		return false
	}
	widths[next] = 0
	return true
}

// rank is the order in which a column is left out.
func rank(c column, sorted string) int {
	if c.key == sorted {
		return 0
	}
	return c.drop
}

// total is the width of all columns with their gaps.
func total(widths []int, of func(int) int) int {
	sum := 0
	for i, w := range widths {
		if w == 0 {
			continue
		}
		if sum > 0 {
			sum += gap
		}
		sum += of(i)
	}
	return sum
}
