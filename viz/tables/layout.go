package tables

import (
	"slices"
	"strings"

	"dgplab/viz/canvas"
)

// Column describes one column of a table.
type Column struct {
	Title string
	// Order is the symbol after the title of the column by which rows are ordered. A blank reserves
	// room for it.
	Order string
	// Right aligns cells to the right, for numbers.
	Right bool
	// Names marks cells as names of several words. If they do not fit, all are shortened so that
	// they still differ.
	Names bool
	// Least is the minimum width to which the column is cut before a column is omitted. 0 means that it is
	// not cut.
	Least int
	// Drop is the order in which columns are omitted if the width is not sufficient: the highest first, 0
	// last, and the rightmost first among equal values.
	Drop int
	// Keep prevents the column from being omitted.
	Keep bool
}

// Head returns the title with the order symbol.
func (c Column) Head() string { return c.Title + c.Order }

// columnGap separates columns.
const columnGap = 2

// Layout holds columns with their widths. Omitted columns have width 0.
type Layout struct {
	Columns []Column
	Widths  []int
}

// Natural returns the widths of columns in which no cell is cut. Missing cells of short rows are
// blank.
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

// Widen widens columns until no cell of a row is cut. Cells beyond the last column are ignored.
func Widen(widths []int, row []string) {
	for i, cell := range row[:min(len(row), len(widths))] {
		widths[i] = max(widths[i], canvas.Width(cell))
	}
}

// Fit returns a layout of at most w cells. It omits columns until the minimum widths of the others fit, then
// cuts the widest columns that may be cut. If the layout is still too wide, the first column is cut, down to
// one cell. Columns with a natural width of 0 are always omitted.
func Fit(columns []Column, natural []int, w int) Layout {
	l := Layout{columns, slices.Clone(natural)}
	for l.total(l.least) > w && l.leaveOut() {
	}
	for l.Width() > w && l.narrow() {
	}
	return l
}

// least returns the minimum width of column i.
func (l Layout) least(i int) int {
	if c := l.Columns[i]; c.Least > 0 {
		return min(c.Least, l.Widths[i])
	}
	return l.Widths[i]
}

// leaveOut omits the next column. It returns false if no column can be omitted.
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

// narrow cuts a column by one cell. It returns false if no column can be cut.
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

// Width returns the width of all columns with their gaps.
func (l Layout) Width() int { return l.total(func(i int) int { return l.Widths[i] }) }

func (l Layout) total(of func(i int) int) int {
	sum := 0
	for i, n := range l.Widths {
		if n == 0 {
			continue
		}
		if sum > 0 {
			sum += columnGap
		}
		sum += of(i)
	}
	return sum
}

// each calls do with every shown column, its position and its width.
func (l Layout) each(do func(i, x, w int)) {
	x := 0
	for i, n := range l.Widths {
		if n > 0 {
			do(i, x, n)
			x += n + columnGap
		}
	}
}

// Row joins cells with their gaps. The function cell returns the cell of column i, exactly w cells
// wide.
func (l Layout) Row(cell func(i, w int) string) string {
	var out strings.Builder
	l.each(func(i, x, w int) {
		if x > 0 {
			out.WriteString(strings.Repeat(" ", columnGap))
		}
		out.WriteString(cell(i, w))
	})
	return out.String()
}

// At returns the column at position x, or -1 between columns and outside.
func (l Layout) At(x int) int {
	at := -1
	l.each(func(i, from, w int) {
		if x >= from && x < from+w {
			at = i
		}
	})
	return at
}

// Window returns the range of n rows to show in h lines that contains the selected row.
func Window(n, selected, h int) (first, shown int) {
	shown = max(min(n, h), 0)
	return min(max(selected-shown/2, 0), n-shown), shown
}
