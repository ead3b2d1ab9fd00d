package heatmap

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/viz/canvas"
)

// Matrices holds bands of matrices with the same rows, one below the other.
type Matrices struct {
	Rows  []string
	Bands []MatrixBand
	// Axes names the coordinates of the bands.
	Axes []string
	// RowsName and ColumnsName name the axes of the matrices. They may be empty.
	RowsName, ColumnsName string
}

// MatrixBand holds matrices that are drawn side by side.
type MatrixBand struct {
	// Name names the run. Step is the step of the model, for example "at step 290".
	Name, Step string
	At         []float64 // coordinates, or nil
	Matrices   []Matrix
}

// named returns the name with the step.
func (b MatrixBand) named() string { return strings.TrimSpace(b.Name + " " + b.Step) }

// Matrix holds numbers with named columns. Colours show absolute values from 0 to Most.
type Matrix struct {
	Name    string
	Columns []string
	Values  [][]float64 // [rows][columns]
	Most    float64
	// Whole is set if values are counts.
	Whole bool
}

// At returns a value, or NaN if there is none.
func (m Matrix) At(row, column int) float64 {
	if row >= len(m.Values) || column >= len(m.Values[row]) {
		return math.NaN()
	}
	return m.Values[row][column]
}

// Unit returns the absolute value relative to Most, from 0 to 1. It is 0.5 if Most is unknown.
func (m Matrix) Unit(v float64) float64 {
	if math.IsNaN(m.Most) {
		return 0.5
	}
	return canvas.Fraction(math.Abs(v), 0, m.Most)
}

// Text formats a value of the matrix.
func (m Matrix) Text(v float64) string {
	if m.Whole && v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return strconv.Itoa(int(v))
	}
	return matrixText(v)
}

// matrixText formats a value with few characters.
func matrixText(v float64) string {
	digits := 2
	a := math.Abs(v)
	switch {
	case !canvas.Finite(v) || a >= 1e4:
		return canvas.Digits(v, 1)
	case a >= 999.5:
		digits = 0
	case a >= 9.995:
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

const (
	gap = 3
	// narrow is the width of a cell without room for a number.
	narrow = 2
)

// widths returns the possible widths of a cell, the best first. Counts take as few cells as they
// need, with a gap of one.
func (g Matrices) widths() []int {
	list, most := []int{7, 6}, narrow+1
	for _, b := range g.Bands {
		for _, m := range b.Matrices {
			for _, row := range m.Values {
				for _, v := range row {
					most = max(most, canvas.Width(m.Text(v))+1)
				}
			}
		}
	}
	if g.counts() && most < list[1] {
		list = append(list, most)
	}
	return append(list, narrow)
}

// counts reports whether all values are counts.
func (g Matrices) counts() bool {
	return len(g.Bands) > 0 && !slices.ContainsFunc(g.Bands, func(b MatrixBand) bool {
		return slices.ContainsFunc(b.Matrices, func(m Matrix) bool { return !m.Whole })
	})
}

// matrixLayout is the layout of a grid.
type matrixLayout struct {
	Matrices
	left, cell int
	tall       int  // the number of lines of a cell
	bands      int  // the number of bands drawn
	names      bool // whether matrices have names
	blank      bool // whether bands are separated by blank lines
}

// Render draws the grid as h lines of w cells. Bands without room are left out.
func (g Matrices) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(g.Rows) == 0 || len(g.Bands) == 0 {
		return canvas.Empty(style, w, h, "no matrices yet")
	}
	l := g.layout(w, h)
	cv := canvas.New(style, w, h)
	y := 0
	for _, b := range g.Bands[:l.bands] {
		y = l.draw(cv, b, y)
		if l.blank {
			y++
		}
	}
	return cv.Lines()
}

// layout chooses the parts that fit. Cells of counts become larger if there is room.
func (g Matrices) layout(w, h int) *matrixLayout {
	l := g.least(w, h)
	if !g.counts() || l.bands < len(g.Bands) || l.cell == narrow {
		return l
	}
	for _, tall := range []int{7, 5, 3} {
		large := *l
		large.tall, large.cell = tall, 2*tall+1
		if large.width() <= w && large.height()+l.bands-1 <= h {
			large.blank = true
			return &large
		}
	}
	return l
}

// least chooses the parts that fit with cells of one line.
func (g Matrices) least(w, h int) *matrixLayout {
	l := &matrixLayout{Matrices: g, cell: narrow, tall: 1}
	l.left = canvas.Width(g.RowsName) + 1
	for _, name := range g.Rows {
		l.left = max(l.left, canvas.Width(name)+1)
	}
	l.left = min(l.left, max(w/4, 2))
	for _, l.cell = range g.widths() {
		if l.width() <= w {
			break
		}
	}
	for l.bands = len(g.Bands); ; l.bands-- {
		for _, l.names = range []bool{g.named(), false} {
			if room := h - l.height(); room >= 0 || l.bands == 1 && !l.names {
				l.blank = room >= l.bands-1
				return l
			}
		}
	}
}

// named reports whether a matrix or its columns have a name.
func (g Matrices) named() bool {
	return g.ColumnsName != "" || slices.ContainsFunc(g.Bands, func(b MatrixBand) bool {
		return slices.ContainsFunc(b.Matrices, func(m Matrix) bool { return m.Name != "" })
	})
}

// Height returns the lines of the bands with their names, without blank lines.
func (g Matrices) Height() int {
	l := matrixLayout{Matrices: g, bands: len(g.Bands), names: g.named(), tall: 1}
	return l.height()
}

// width returns the width of the widest band.
func (l *matrixLayout) width() (most int) {
	for _, b := range l.Bands {
		w := l.left - gap
		for _, m := range b.Matrices {
			w += gap + l.cell*len(m.Columns)
		}
		most = max(most, w)
	}
	return most
}

// height returns the lines of the bands.
func (l *matrixLayout) height() int {
	lines := 2 + l.tall*len(l.Rows)
	if l.names {
		lines++
	}
	return lines * l.bands
}

// draw draws a band starting at line y and returns the next line.
func (l *matrixLayout) draw(cv *canvas.Canvas, b MatrixBand, y int) int {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	name := b.named()
	if canvas.Width(name) > cv.W {
		name = canvas.Truncate(b.Name, cv.W)
	}
	cv.Text(0, y, name, canvas.Ink{Bold: true})
	y++
	if l.names {
		x := l.left
		for i, m := range b.Matrices {
			width := l.cell * len(m.Columns)
			room := max(cv.W-x, 0)
			if i+1 < len(b.Matrices) {
				room = min(room, width+gap-1) // nothing follows the last one
			}
			cv.Text(x, y, canvas.Truncate(cmp.Or(m.Name, l.ColumnsName), room), dim)
			x += width + gap
		}
		y++
	}
	cv.Text(0, y, canvas.Truncate(l.RowsName, l.left-1), dim)
	for row, name := range l.Rows {
		cv.Text(0, y+1+row*l.tall+l.tall/2, canvas.Truncate(name, l.left-1), canvas.Ink{})
	}
	x := l.left
	for _, m := range b.Matrices {
		for column, name := range m.Columns {
			switch {
			case l.cell > narrow:
				name = canvas.Truncate(name, l.cell-1)
				cv.TextRight(x+l.end(name), y, name, dim)
			case canvas.Width(name) < narrow:
				cv.Text(x, y, name, dim)
			default:
				cv.Text(x, y, canvas.Truncate(strconv.Itoa(column+1), narrow), dim)
			}
			for row := range l.Rows {
				l.drawCell(cv, x, y+1+row*l.tall, m, m.At(row, column))
			}
			x += l.cell
		}
		x += gap
	}
	return y + 1 + l.tall*len(l.Rows)
}

// end returns the position in a cell at which a text ends: centred in a large cell, otherwise on the right.
func (l *matrixLayout) end(text string) int {
	if l.tall > 1 {
		return (l.cell + canvas.Width(text) + 1) / 2
	}
	return max(l.cell-1, canvas.Width(text))
}

// drawCell draws a value in a cell whose first line is y.
func (l *matrixLayout) drawCell(cv *canvas.Canvas, x, y int, m Matrix, v float64) {
	look, text := canvas.Ink{}, ""
	if l.cell > narrow {
		text = canvas.Truncate(m.Text(v), l.cell-1)
	}
	unit := m.Unit(v)
	switch {
	case cv.Style.Mode >= canvas.ANSI256 && canvas.Finite(v):
		look.BG = cv.Style.Heat(unit)
		look.FG = look.BG.Opposite()
	case canvas.Finite(v) && text == "":
		shade := rampRune(unit)
		cv.Put(x, y, shade, look)
		cv.Put(x+1, y, shade, look)
		return
	case !canvas.Finite(v):
		look.FG = cv.Style.Bad()
		if text == "" {
			text = "?"
		}
	}
	for k := range l.cell * l.tall {
		cv.Put(x+k%l.cell, y+k/l.cell, ' ', look)
	}
	cv.TextRight(x+l.end(text), y+l.tall/2, text, look)
}
