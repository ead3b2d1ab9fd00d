package tables

import (
	"slices"
	"strings"

	"dgplab/viz/canvas"
)

// Column describes one column of a table.
type Column struct {
	Title string
	// Order is the sign behind the title of the column that the rows are ordered by; a
	// blank keeps room for it.
	Order string
	// Right aligns numbers.
	Right bool
	// Names says that cells are names of several words, of which all are shortened where
	// they do not fit, so that they still differ.
	Names bool
	// Least is how narrow the column may be cut before any column is left out; 0 means
	// not at all.
	Least int
	// Drop orders what is left out when the width does not suffice: the highest first,
	// 0 last, and of equals the one on the right.
	Drop int
	// Keep says that the column is never left out.
	Keep bool
}

// Head returns what stands above the column.
func (c Column) Head() string { return c.Title + c.Order }

// Gap separates columns.
const Gap = 2

// Layout is columns with widths, 0 for those that are left out.
type Layout struct {
	Columns []Column
	Widths  []int
}

// Natural returns the widths of columns in which nothing is cut. Short rows are filled
// up with blanks.
func Natural(columns []Column, rows [][]string) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(1, canvas.Width(c.Head()))
	}
	for _, r := range rows {
		Widen(widths, r)
	}
	return widths
}

// Widen widens columns so that none of the cells of a row is cut. Cells beyond the last column do
// not count.
func Widen(widths []int, row []string) {
	for i, cell := range row[:min(len(row), len(widths))] {
		widths[i] = max(widths[i], canvas.Width(cell))
	}
}

// Fit returns a layout of at most w cells: it leaves columns out until the least widths
// of the others suffice, and cuts the widest of those that may be cut. What is still too
// wide goes at the cost of the first column, down to one cell. Columns with a natural
// width of 0 are left out in any case.
func Fit(columns []Column, natural []int, w int) Layout {
	l := Layout{columns, slices.Clone(natural)}
	for l.total(l.least) > w && l.leaveOut() {
	}
	for l.Width() > w && l.narrow() {
	}
	return l
}

// least returns how narrow column i may become.
func (l Layout) least(i int) int {
	if c := l.Columns[i]; c.Least > 0 {
		return min(c.Least, l.Widths[i])
	}
	return l.Widths[i]
}

// leaveOut leaves out the next column; it returns false when none is left to choose.
func (l Layout) leaveOut() bool {
	next, shown := -1, 0
	for i, c := range l.Columns {
		if l.Widths[i] == 0 {
			continue
		}
		shown++
		if !c.Keep && (next < 0 || c.Drop >= l.Columns[next].Drop) {
			next = i
		}
	}
	if next < 0 || shown == 1 {
		return false
	}
	l.Widths[next] = 0
	return true
}

// narrow takes one cell from a column; it returns false when there is none to take.
func (l Layout) narrow() bool {
	widest, first := -1, -1
	for i, n := range l.Widths {
		if n > 0 && first < 0 {
			first = i
		}
		if n > l.least(i) && (widest < 0 || n > l.Widths[widest]) {
			widest = i
		}
	}
	if widest < 0 {
		widest = first
	}
	if widest < 0 || l.Widths[widest] == 1 {
		return false
	}
	l.Widths[widest]--
	return true
}

// Width returns the cells that all columns take with their gaps.
func (l Layout) Width() int { return l.total(func(i int) int { return l.Widths[i] }) }

func (l Layout) total(of func(i int) int) int {
	sum := 0
	for i, n := range l.Widths {
		if n == 0 {
			continue
		}
		if sum > 0 {
			sum += Gap
		}
		sum += of(i)
	}
	return sum
}

// Each calls do with every column that is shown, its place and its width.
func (l Layout) Each(do func(i, x, w int)) {
	x := 0
	for i, n := range l.Widths {
		if n > 0 {
			do(i, x, n)
			x += n + Gap
		}
	}
}

// Row joins cells with their gaps. cell returns that of column i, of exactly w cells.
func (l Layout) Row(cell func(i, w int) string) string {
	var out strings.Builder
	l.Each(func(i, x, w int) {
		if x > 0 {
			out.WriteString(strings.Repeat(" ", Gap))
		}
		out.WriteString(cell(i, w))
	})
	return out.String()
}

// At returns the column at x cells from the left; -1 between columns and beside them.
func (l Layout) At(x int) int {
	at := -1
	l.Each(func(i, from, w int) {
		if x >= from && x < from+w {
			at = i
		}
	})
	return at
}

// Window returns which of n rows to show in h lines, so that the selected one is
// among them.
func Window(n, selected, h int) (first, shown int) {
	shown = max(min(n, h), 0)
	return min(max(selected-shown/2, 0), n-shown), shown
}
