// Package tables draws rows of text in columns. It fits the rows into a width: it omits columns in a given
// order, cuts others, and keeps the selected row in view. A Table draws rows as text; a Layout helps to draw
// rows in other ways.
//
// Sparklines, histograms and progress bars are pictures of one line, which fit into a cell. A
// RankDiagram is a table of methods with their average ranks on a common axis.
package tables

import (
	"iter"
	"strconv"

	"dgplab/viz/canvas"
)

// Table holds rows of text in columns. Missing cells of short rows are blank. Line breaks and other control
// characters are removed.
type Table struct {
	Columns []Column
	Rows    [][]string
	// Look returns the look of a cell. It may be nil.
	Look func(row, column int) canvas.Ink
	// Selected is the row that is kept in view. It is marked with ▸ if Mark is true.
	Selected int
	Mark     bool
}

// Width returns the width of the table if nothing is cut.
func (t Table) Width() int { return Layout{t.Columns, Natural(t.Columns, t.Rows)}.Width() }

// marked reports whether a table of w cells has room for the mark.
func (t Table) marked(w int) bool { return t.Mark && w >= 12 }

// Layout returns the columns of the table in w cells, without the mark.
func (t Table) Layout(w int) Layout {
	if t.marked(w) {
		w -= markWidth
	}
	return Fit(t.Columns, Natural(t.Columns, t.Rows), w)
}

// markWidth is the width of the mark before the columns.
const markWidth = 2

// Render draws the table as h lines of w cells: a title line if h is at least 3 or all rows fit
// below it, then rows. If rows are missing, the last line counts them.
func (t Table) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	cv := canvas.New(style, w, h)
	t.Draw(cv, 0, 0, w, h)
	return cv.Lines()
}

// Lines returns the title line and all rows, each as a line of at most w cells without a mark. The lines are
// made one at a time.
func (t Table) Lines(style canvas.Style, w int) iter.Seq[string] {
	l := Fit(t.Columns, Natural(t.Columns, t.Rows), w)
	return func(yield func(string) bool) {
		for row := -1; row < len(t.Rows); row++ {
			line := canvas.New(style, max(1, min(w, l.Width())), 1)
			if row < 0 {
				t.drawTitle(line, l, 0, 0)
			} else {
				t.drawRow(line, l, 0, 0, row)
			}
			if !yield(line.String()) {
				return
			}
		}
	}
}

// drawTitle draws the titles of the columns starting at x, y.
func (t Table) drawTitle(cv *canvas.Canvas, l Layout, x, y int) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	l.draw(cv, x, y, func(i int) (string, canvas.Ink) { return t.Columns[i].Head(), dim })
}

// Draw draws the table into w x h cells starting at x, y.
func (t Table) Draw(cv *canvas.Canvas, x, y, w, h int) {
	l := t.Layout(w)
	mark := t.marked(w)
	if mark {
		x, w = x+markWidth, w-markWidth
	}
	if h >= 3 || h > max(len(t.Rows), 1) {
		t.drawTitle(cv, l, x, y)
		y, h = y+1, h-1
	}
	more := len(t.Rows) > h && h >= 2
	if more {
		h-- // The last line counts the missing rows.
	}
	first, shown := Window(len(t.Rows), t.Selected, h)
	for i := range shown {
		t.drawRow(cv, l, x, y+i, first+i)
		if mark && first+i == t.Selected {
			cv.Put(x-markWidth, y+i, '▸', canvas.Ink{Bold: true})
		}
	}
	if more {
		text := "… " + strconv.Itoa(len(t.Rows)-shown) + " more"
		cv.Text(x, y+shown, canvas.Truncate(text, w), canvas.Ink{FG: cv.Style.Dim()})
	}
}

// drawRow draws a row starting at x, y.
func (t Table) drawRow(cv *canvas.Canvas, l Layout, x, y, row int) {
	cells := t.Rows[row]
	l.draw(cv, x, y, func(i int) (text string, look canvas.Ink) {
		if i < len(cells) {
			text = cells[i]
		}
		if t.Look != nil {
			look = t.Look(row, i)
		}
		return text, look
	})
}

// draw draws the cells of a line.
func (l Layout) draw(cv *canvas.Canvas, x, y int, cell func(i int) (string, canvas.Ink)) {
	l.each(func(i, at, w int) {
		text, look := cell(i)
		if l.Columns[i].Names {
			text = canvas.Shorten(text, w)
		}
		text = canvas.Truncate(text, w)
		if l.Columns[i].Right {
			cv.TextRight(x+at+w, y, text, look)
		} else {
			cv.Text(x+at, y, text, look)
		}
	})
}
