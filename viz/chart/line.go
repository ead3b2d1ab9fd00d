package chart

import (
	"slices"
	"sort"

	"gonum.org/v1/plot/plotter"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Line is a line through points with rising x. It has a gap at values that are not finite.
type Line struct {
	// Name is the legend entry in a figure; the line has none if it is empty.
	Name  string
	XY    []XY
	Color Color
	Bold  bool
	// Width is in millimetres. Dash selects the dash pattern of a run.
	Width float64
	Dash  int
	// Corners makes the line in a text picture pass through every point, which suits few points: it
	// moves points to the middle of their columns. Without it the line has its height in the middle
	// of every column, and a corner between two columns is cut.
	Corners bool
	// Extremes makes the line in a text picture cover all points of every column, which suits
	// thinned data.
	Extremes bool
	Side     Side
	// Index is the number of the line among Count lines, whose markers alternate.
	Index, Count int
}

// RunLine returns the line of a run.
func RunLine(name string, run int, xy []XY) Line {
	return Line{Name: name, XY: xy, Color: Run(run), Bold: true, Width: 1 / 2.4, Dash: run}
}

// Text draws the line, and marks at the edges where it lies outside.
func (l Line) Text(plot *canvas.Canvas, p *Plane) {
	w, h := plot.Places()
	pieces := l.columns(plot, p, w)
	rows, sides := lineRows(pieces, p, w, h)
	l.drawOutside(plot, sides)
	var ranges [][2]int
	if l.Extremes {
		ranges = columnRanges(pieces, p, w, h)
	}
	canvas.DrawLine(plot, l.Color.ink(plot, l.Bold), rows, ranges)
}

// columns returns the pieces of the line for a text picture of w positions across.
func (l Line) columns(plot *canvas.Canvas, p *Plane, w int) [][]XY {
	pieces := cutPieces(p, l.XY)
	if l.Side.Count > 0 {
		for _, piece := range pieces {
			for i, at := range piece {
				piece[i].X = valueOf(&p.X, l.Side.move(p.X.positionOf(at.X, plot.W), plot, p), plot.W)
			}
		}
	}
	if l.Corners {
		return snap(pieces, &p.X, w)
	}
	return pieces
}

// MarkBelow and MarkAbove mark the edge where a line is below or above the axis.
const MarkBelow, MarkAbove = '▾', '▴'

// drawOutside marks the blank cells at the edge where the line is outside, alternating with other
// lines.
func (l Line) drawOutside(plot *canvas.Canvas, sides []int) {
	look := canvas.Ink{FG: l.Color.Text(plot.Style)}
	put := func(x, y int, mark rune) {
		if plot.Free(x, y, 1) {
			plot.Put(x, y, mark, look)
		}
	}
	stride := max(l.Count, 2)
	perCell := len(sides) / plot.W
	for x := l.Index % stride; x < plot.W; x += stride {
		cell := sides[x*perCell : (x+1)*perCell]
		switch {
		case slices.Max(cell) < 0:
			put(x, plot.H-1, MarkBelow)
		case slices.Min(cell) > 0:
			put(x, 0, MarkAbove)
		}
	}
}

// Markers puts the markers of runs on lines, which are drawn before. A single line has none.
type Markers []Line

// Text draws the markers.
func (list Markers) Text(plot *canvas.Canvas, p *Plane) {
	w, h := plot.Places()
	for _, l := range list {
		if l.Count > 1 {
			rows, _ := lineRows(l.columns(plot, p, w), p, w, h)
			canvas.DrawMarkers(plot, rows, l.Color.run, l.Index, l.Count)
		}
	}
}

// Figure adds nothing: the lines of a figure differ in their dashes.
func (Markers) Figure(*figure.Plot, *Plane) {}

// Figure adds the pieces of the line. A piece of one point is a dot.
func (l Line) Figure(to *figure.Plot, p *Plane) {
	look := l.Color.stroke(l.Width)
	look.Dashes = figure.Dashes(l.Dash)
	var pieces [][]XY
	for _, piece := range cutPieces(p, l.XY) {
		for i := range piece {
			piece[i].X += l.Side.Shift()
		}
		pieces = append(pieces, cut(piece, ofY, p.Y.Lo, p.Y.Hi)...)
	}
	entry := addPieces(to, pieces, look)
	if entry == nil && len(l.XY) > 0 { // The line is outside the axes.
		entry = &plotter.Line{LineStyle: look}
	}
	if l.Name != "" && entry != nil {
		to.AddEntry(l.Name, entry)
	}
}

// lineRows returns for every column of a plot of w x h positions the row of the line, from the bottom;
// -1 where there is no line or it is outside the axes. sides holds -1 for columns in which the line
// is below the axis, 1 for columns in which it is above. A line that crosses the edge is drawn up to
// it.
func lineRows(pieces [][]XY, p *Plane, w, h int) (rows, sides []int) {
	rows = make([]int, w)
	sides = make([]int, w)
	slack := 1e-9 * (p.Y.Hi - p.Y.Lo)
	for x := range rows {
		y, ok := heightAt(pieces, &p.X, x, w)
		switch {
		case !ok:
			rows[x] = -1
			continue
		case y < p.Y.Lo-slack:
			sides[x] = -1
		case y > p.Y.Hi+slack:
			sides[x] = 1
		}
		rows[x] = p.Y.positionOf(y, h)
	}
	hide(rows, sides)
	return rows, sides
}

// hide removes the columns of a line that lie outside the axis together with their neighbours.
func hide(rows, sides []int) {
	for i, side := range sides {
		beside := func(k int) bool {
			return k < 0 || k >= len(sides) || sides[k] == side || rows[k] < 0 && sides[k] == 0
		}
		if side != 0 && beside(i-1) && beside(i+1) {
			rows[i] = -1
		}
	}
}

// snap moves points to the middle of their columns, in a plot of w columns.
func snap(pieces [][]XY, s *Scale, w int) [][]XY {
	out := make([][]XY, len(pieces))
	for i, piece := range pieces {
		for _, at := range piece {
			out[i] = append(out[i], XY{X: valueOf(s, s.positionOf(at.X, w), w), Y: at.Y})
		}
	}
	return out
}

// heightAt returns the height of a line in column x of w, interpolated linearly between its points.
// It returns false if the line does not reach the column.
func heightAt(pieces [][]XY, s *Scale, x, w int) (y float64, ok bool) {
	for _, piece := range pieces {
		last := len(piece) - 1
		// A piece covers the columns whose middle it covers, but at least one column.
		from := s.positionOf(piece[0].X, w)
		to := s.positionOf(piece[last].X, w)
		if from < to && valueOf(s, from, w) < piece[0].X {
			from++
		}
		if from < to && valueOf(s, to, w) > piece[last].X {
			to--
		}
		if x < from || x > to {
			continue
		}
		v := valueOf(s, x, w)
		after := sort.Search(len(piece), func(k int) bool { return piece[k].X > v })
		if after == 0 || after > last {
			return piece[min(after, last)].Y, true
		}
		a, b := piece[after-1], piece[after]
		t := canvas.Fraction(v, a.X, b.X)
		return a.Y*(1-t) + b.Y*t, true
	}
	return 0, false
}

// valueOf returns the value in the middle of column x of w.
func valueOf(s *Scale, x, w int) float64 {
	t := canvas.Fraction(float64(x), 0, float64(max(w-1, 1)))
	return s.Lo*(1-t) + s.Hi*t
}
