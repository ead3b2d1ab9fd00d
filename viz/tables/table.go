// Package tables fits rows of text in columns into a box.
package tables

import (
	"strconv"

	"dgplab/viz/canvas"
)

// Column describes one column of a Table.
type Column struct {
	Title string
	// Right aligns numbers.
	Right bool
	// Flexible columns may be cut with an ellipsis, down to Min cells (at least
	// 1; 0 means 4), before any column is left out.
	Flexible bool
	Min      int
	// Drop orders what is left out when the width does not suffice: the highest
	// first, and 0 last, from the right.
	Drop int
}

// Table is rows of text in columns. Short rows are filled up with blanks; line
// breaks and other control characters are left out.
type Table struct {
	Columns []Column
	Rows    [][]string
	// Selected is the row that is marked with ▸ and kept in view; without Mark it
	// is only kept in view.
	Selected int
	Mark     bool
}

// Render draws the table as w x h cells: a title line where h is at least 3 or
// leaves room for it, then as many rows as fit, and in place of the last row how many are not shown.
func (t Table) Render(style canvas.Style, w, h int) string {
	if w < 1 || h < 1 {
		return ""
	}
	cv := canvas.New(style, w, h)
	rows := make([][]canvas.Span, len(t.Rows))
	for i, r := range t.Rows {
		for _, text := range r[:min(len(r), len(t.Columns))] {
			rows[i] = append(rows[i], canvas.Plain(text))
		}
	}
	Draw(cv, 0, 0, w, h, t.Columns, rows, t.Selected, t.Mark)
	return cv.String()
}

// tableGap separates columns.
const tableGap = 2

// Draw draws a table into w x h cells from x, y on.
func Draw(cv *canvas.Canvas, x, y, w, h int, columns []Column, rows [][]canvas.Span, selected int, mark bool) {
	mark = mark && w >= 12
	if mark {
		x, w = x+2, w-2
	}
	widths := columnWidths(columns, rows, w)
	if h >= 3 || h > max(len(rows), 1) {
		titles := make([]canvas.Span, len(columns))
		for i, c := range columns {
			titles[i] = canvas.Text(c.Title, canvas.Ink{FG: cv.Style.Dim()})
		}
		drawRow(cv, x, y, columns, widths, titles)
		y, h = y+1, h-1
	}
	first, shown := window(len(rows), selected, h)
	for i := range shown {
		r := first + i
		drawRow(cv, x, y+i, columns, widths, rows[r])
		if mark && r == selected {
			cv.Put(x-2, y+i, '▸', canvas.Ink{Bold: true})
		}
	}
	if hidden := len(rows) - shown; hidden > 0 && shown < h {
		cv.Text(x, y+shown, canvas.Truncate("… "+strconv.Itoa(hidden)+" more", w), canvas.Ink{FG: cv.Style.Dim()})
	}
}

// window returns which of n rows to show in h lines, so that the selected one is
// among them; where not all fit and there are at least two lines, the last line
// is left for saying so.
func window(n, selected, h int) (first, shown int) {
	if n <= h {
		return 0, n
	}
	shown = h
	if h >= 2 {
		shown = h - 1
	}
	first = min(max(selected-shown/2, 0), n-shown)
	return first, shown
}

func drawRow(cv *canvas.Canvas, x, y int, columns []Column, widths []int, cells []canvas.Span) {
	for i, c := range columns {
		if widths[i] == 0 {
			continue
		}
		if i < len(cells) {
			text := canvas.Truncate(cells[i].Text, widths[i])
			if c.Right {
				cv.TextRight(x+widths[i], y, text, cells[i].Ink)
			} else {
				cv.Text(x, y, text, cells[i].Ink)
			}
		}
		x += widths[i] + tableGap
	}
}

// columnWidths returns the width of every column, 0 for those that are left out,
// so that all with their gaps fit into w.
func columnWidths(columns []Column, rows [][]canvas.Span, w int) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(1, canvas.Width(c.Title))
		for _, r := range rows {
			if i < len(r) {
				widths[i] = max(widths[i], canvas.Width(r[i].Text))
			}
		}
	}
	least := func(i int) int {
		if !columns[i].Flexible {
			return widths[i]
		}
		if columns[i].Min > 0 {
			return min(widths[i], columns[i].Min)
		}
		return min(widths[i], 4)
	}
	for tableWidth(widths, least) > w {
		if !dropColumn(columns, widths) {
			break
		}
	}
	for tableWidth(widths, func(i int) int { return widths[i] }) > w {
		widest := -1
		for i := range widths {
			if widths[i] > 1 && (widths[i] > least(i) || single(widths)) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// dropColumn leaves out the next column; it returns false when only one is left.
func dropColumn(columns []Column, widths []int) bool {
	if single(widths) {
		return false
	}
	next := -1
	for i := range columns {
		if widths[i] > 0 && (next < 0 || columns[i].Drop >= columns[next].Drop) {
			next = i
		}
	}
	widths[next] = 0
	return true
}

func single(widths []int) bool {
	n := 0
	for _, w := range widths {
		if w > 0 {
			n++
		}
	}
	return n <= 1
}

func tableWidth(widths []int, of func(int) int) int {
	total := 0
	for i, w := range widths {
		if w == 0 {
			continue
		}
		if total > 0 {
			total += tableGap
		}
		total += of(i)
	}
	return total
}
