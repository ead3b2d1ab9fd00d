package panel

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dgplab/tui/kit"
)

// Table draws a row for each run, the chosen one marked by a sign. It is exactly h
// lines of w cells. A narrow table leaves columns out (see column.drop; never the
// one that it is sorted by), and says in lines of details what they hold of the
// chosen run. Below the rows a line explains the signs that occur.
//
// "-" stands for what was not measured, "~" before a number for what still changes
// since its run goes on. The best value of a column has a star, where that means
// something: where two runs differ, and saw the same data if it depends on them.
func Table(th *kit.Theme, runs []Run, s Sort, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(runs) == 0 {
		return sentence(th, "no run to compare yet", w, h)
	}
	t := layTable(th, runs, s, w)
	if h == 1 {
		return th.Box([]string{t.short(w)}, w, h)
	}
	return th.Box(t.lines(w, h), w, h)
}

// table is runs and columns with all texts, and the columns that fit.
type table struct {
	th     *kit.Theme
	runs   []Run
	order  []int
	chosen int
	sort   Sort
	list   []column
	values [][]value // [column][run]
	best   [][]bool  // [column][run]
	// widths are of the columns, 0 for those that are left out; label is of the runs.
	widths []int
	label  int
	same   bool // all runs saw the same data
}

// The widths of a row: a sign and a marker with blanks before the label, a gap
// before each column, and the least of a label that columns are left out for.
const (
	rowMarks   = 4
	columnGap  = 2
	leastLabel = 10
)

// layTable measures what a table of w cells shows.
func layTable(th *kit.Theme, runs []Run, s Sort, w int) *table {
	t := &table{th: th, runs: runs, sort: s, order: Order(runs, s), chosen: chosen(runs), list: columns(th, runs), same: sameData(runs)}
	for i := range t.list {
		c := &t.list[i]
		values := make([]value, len(runs))
		for k, r := range runs {
			values[k] = c.value(r)
			values[k].text = cut(th, values[k].text, 24)
		}
		best := c.best(values)
		if c.data && !t.same {
			clear(best)
		}
		t.values, t.best = append(t.values, values), append(t.best, best)
		width := kit.Cells(t.title(i))
		for k := range runs {
			width = max(width, kit.Cells(t.text(i, k)))
		}
		t.widths = append(t.widths, width)
	}
	for _, r := range runs {
		t.label = max(t.label, kit.Cells(cut(th, r.Label, 32)))
	}
	t.label = max(t.label, len("run"))
	t.fit(w)
	return t
}

// fit leaves columns out, and cuts the labels, until a row has w cells.
func (t *table) fit(w int) {
	least := min(t.label, leastLabel)
	for rowMarks+least+t.columnsWidth() > w {
		next := -1
		for i, c := range t.list {
			if t.widths[i] > 0 && c.name != t.sort.Column && (next < 0 || c.drop >= t.list[next].drop) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		t.widths[next] = 0
	}
	t.label = max(min(t.label, w-rowMarks-t.columnsWidth()), min(least, w-rowMarks))
}

func (t *table) columnsWidth() int {
	sum := 0
	for _, n := range t.widths {
		if n > 0 {
			sum += columnGap + n
		}
	}
	return sum
}

// title returns the head of column i, with a sign if the rows are sorted by it.
func (t *table) title(i int) string {
	c := t.list[i]
	if c.name != t.sort.Column {
		return c.title
	}
	return c.title + direction(t.th, t.sort)
}

// direction is the sign of an order.
func direction(th *kit.Theme, s Sort) string {
	up, down := "^", "v"
	if th.Glyphs.Unicode {
		up, down = th.Glyphs.Up, th.Glyphs.Down
	}
	if s.Descending {
		return down
	}
	return up
}

// text returns what stands in column i for run k, without colour. Where a column
// has a best value all others leave room for its sign.
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
		return v.text + star(t.th)
	case anyOf(t.best[i]) && t.list[i].sense != noSense:
		return v.text + " "
	}
	return v.text
}

func anyOf(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}

// look returns the style of what stands in column i for run k.
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
	line := strings.Repeat(" ", rowMarks) + t.th.Fit("run", t.label)
	for i, n := range t.widths {
		if n > 0 {
			line += strings.Repeat(" ", columnGap) + t.aligned(i, t.title(i))
		}
	}
	return t.th.Dim.Render(line)
}

// aligned puts a text into the width of column i: numbers to the right.
func (t *table) aligned(i int, text string) string {
	if t.isText(i) {
		return t.th.Fit(text, t.widths[i])
	}
	return strings.Repeat(" ", t.widths[i]-kit.Cells(text)) + text
}

// isText tells whether column i holds words.
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
	line := sign + " " + mark(t.th, t.runs[k]) + " " + label.Render(t.th.Fit(cut(t.th, t.runs[k].Label, t.label), t.label))
	for i, n := range t.widths {
		if n > 0 {
			line += strings.Repeat(" ", columnGap) + t.look(i, k).Render(t.aligned(i, t.text(i, k)))
		}
	}
	return line
}
