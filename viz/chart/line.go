package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

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
	Side    Side
	// Index is the place of the line among Count lines with markers of their runs. A count of 1 or
	// less means no markers.
	Index, Count int
}

// RunLine returns the line of a run.
func RunLine(name string, run int, xy []XY) Line {
	return Line{Name: name, XY: xy, Color: Run(run), Bold: true, Width: 1 / 2.4, Dash: run}
}

// Text draws the line, with markers if there are several.
func (l Line) Text(plot *canvas.Canvas, p *Plane) {
	pieces := cutPieces(p, l.XY)
	if l.Side.Count > 0 {
		for _, piece := range pieces {
			for i, at := range piece {
				column := int(canvas.Fraction(at.X, p.X.Lo, p.X.Hi)*float64(plot.W-1) + 0.5)
				piece[i].X = valueOf(&p.X, l.Side.move(column, plot, p), plot.W)
			}
		}
	}
	rows := func(w, h int) []int {
		if l.Corners {
			return lineRows(snap(pieces, &p.X, w), p, w, h)
		}
		return lineRows(pieces, p, w, h)
	}
	canvas.DrawLine(plot, canvas.Ink{FG: l.Color.Text(plot.Style), Bold: l.Bold}, rows)
	if l.Count > 1 {
		canvas.DrawMarkers(plot, rows(plot.W, plot.H), l.Color.run, l.Index, l.Count)
	}
}

// Figure adds the pieces of the line. A piece of one point is a dot.
func (l Line) Figure(to *plot.Plot, p *Plane) error {
	look := l.Color.stroke(l.Width)
	look.Dashes = figure.Dashes(l.Dash)
	pieces := cutPieces(p, l.XY)
	for _, piece := range pieces {
		for i := range piece {
			piece[i].X += l.Side.shift()
		}
	}
	entry, err := addPieces(to, pieces, look)
	if err != nil {
		return err
	}
	if l.Name != "" && entry != nil {
		to.Legend.Add(l.Name, entry)
	}
	return nil
}

// lineRows returns for every column of a plot of w x h places the row of the line, from the bottom;
// -1 where there is no line or it is outside the axes.
func lineRows(pieces [][]XY, p *Plane, w, h int) []int {
	rows := make([]int, w)
	slack := 1e-9 * (p.Y.Hi - p.Y.Lo)
	for x := range rows {
		rows[x] = -1
		if y, ok := heightAt(pieces, &p.X, x, w); ok && y >= p.Y.Lo-slack && y <= p.Y.Hi+slack {
			rows[x] = int(canvas.Fraction(y, p.Y.Lo, p.Y.Hi)*float64(h-1) + 0.5)
		}
	}
	return rows
}

// snap moves points to the middle of their columns, in a plot of w columns.
func snap(pieces [][]XY, s *Scale, w int) [][]XY {
	out := make([][]XY, len(pieces))
	for i, piece := range pieces {
		for _, at := range piece {
			column := int(canvas.Fraction(at.X, s.Lo, s.Hi)*float64(w-1) + 0.5)
			out[i] = append(out[i], XY{X: valueOf(s, column, w), Y: at.Y})
		}
	}
	return out
}

// heightAt returns the height of a line in column x of w, interpolated linearly between its points.
// It returns false if the line does not reach the column.
func heightAt(pieces [][]XY, s *Scale, x, w int) (y float64, ok bool) {
	column := func(v float64) int { return int(canvas.Fraction(v, s.Lo, s.Hi)*float64(w-1) + 0.5) }
	for _, piece := range pieces {
		last := len(piece) - 1
		// A piece covers the columns whose middle it covers, but at least one column.
		from := column(piece[0].X)
		to := column(piece[last].X)
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

// cutPieces places points on the axes and cuts them where one cannot be placed.
func cutPieces(p *Plane, list []XY) (pieces [][]XY) {
	var piece []XY
	for _, at := range list {
		q, ok := place(p, at)
		switch {
		case ok:
			piece = append(piece, q)
		case piece != nil:
			pieces, piece = append(pieces, piece), nil
		}
	}
	if piece != nil {
		pieces = append(pieces, piece)
	}
	return pieces
}

// place returns the position of a point on the axes. ok is false if they cannot show it.
func place(p *Plane, at XY) (q XY, ok bool) {
	if !canvas.Finite(at.X) || !canvas.Finite(at.Y) || p.X.Kind == Log && at.X <= 0 ||
		p.Y.Kind == Log && at.Y <= 0 {
		return q, false
	}
	q = XY{X: p.X.Forward(at.X), Y: p.Y.Forward(at.Y)}
	return q, canvas.Finite(q.X) && canvas.Finite(q.Y)
}

// placeAll returns the positions of the points of a series in a figure. Points that the axes cannot
// show are left out.
func placeAll(p *Plane, list []XY, side Side) (out []XY) {
	for _, at := range list {
		if q, ok := place(p, at); ok {
			q.X += side.shift()
			out = append(out, q)
		}
	}
	return out
}

// Range is a part of a Band.
type Range struct {
	// Name is the legend entry in a figure; the range has none if it is empty.
	Name   string
	Lo, Hi []float64
}

// Band is one or several ranges along x, the widest first. It has a gap where an end is not finite.
type Band struct {
	X      []float64
	Ranges []Range
	Color  Color
}

// RangeLook returns the colour and the glyph of range i of n in a text picture. The widest range is
// the faintest.
func RangeLook(style canvas.Style, c Color, i, n int) (canvas.Color, rune) {
	color := c.Text(style)
	switch {
	case i+1 < n:
		return style.Tint(color, 0.5), '░'
	case n == 1:
		return color, '░'
	}
	return color, '▒'
}

// ends returns the lower and the upper ends of a range as points, with a gap in both where one of
// them is not finite.
func (b Band) ends(r Range) (lo, hi []XY) {
	for k := range min(len(b.X), len(r.Lo), len(r.Hi)) {
		x := b.X[k]
		if !canvas.Finite(r.Lo[k]) || !canvas.Finite(r.Hi[k]) || r.Lo[k] > r.Hi[k] {
			x = math.NaN()
		}
		lo = append(lo, XY{X: x, Y: r.Lo[k]})
		hi = append(hi, XY{X: x, Y: r.Hi[k]})
	}
	return lo, hi
}

// Text shades every place for the narrowest range that it lies in.
func (b Band) Text(plot *canvas.Canvas, p *Plane) {
	lower := make([][][]XY, len(b.Ranges))
	upper := make([][][]XY, len(b.Ranges))
	for i, r := range b.Ranges {
		lo, hi := b.ends(r)
		lower[i] = cutPieces(p, lo)
		upper[i] = cutPieces(p, hi)
	}
	height := Scale{Lo: p.Y.Lo, Hi: p.Y.Hi} // Ends are placed already.
	for x := range plot.W {
		var list []shade
		from, to := 0, 0 // what is shaded
		for i := range slices.Backward(b.Ranges) {
			lo, ok := heightAt(lower[i], &p.X, x, plot.W)
			hi, also := heightAt(upper[i], &p.X, x, plot.W)
			if !ok || !also {
				continue
			}
			bottom := height.EdgeOf(lo, plot.H, plot.Style)
			top := max(height.EdgeOf(hi, plot.H, plot.Style), bottom+1)
			if from == to {
				list = append(list, shade{i, bottom, top})
				from, to = bottom, top
				continue
			}
			if bottom < from {
				list = append(list, shade{i, bottom, from})
			}
			if top > to {
				list = append(list, shade{i, to, top})
			}
			from = min(from, bottom)
			to = max(to, top)
		}
		// The widest first: where whole cells are marked, narrower ranges are over it.
		for _, s := range slices.Backward(list) {
			color, glyph := RangeLook(plot.Style, b.Color, s.of, len(b.Ranges))
			plot.Shade(x, s.lo, s.hi, color, glyph)
		}
	}
}

// shade is a piece of a column, in eighths of a cell, that belongs to a range.
type shade struct{ of, lo, hi int }

// Figure adds the areas of the ranges, each in the light colour of the band.
func (b Band) Figure(to *plot.Plot, p *Plane) error {
	for i, r := range b.Ranges {
		lo, hi := b.ends(r)
		above := cutPieces(p, hi)
		drawn := false
		for k, below := range cutPieces(p, lo) {
			if len(below) < 2 {
				continue
			}
			outline := XYs(below)
			for _, at := range slices.Backward(above[k]) {
				outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
			}
			if err := addArea(to, outline, b.Color); err != nil {
				return fmt.Errorf("band %q: %w", r.Name, err)
			}
			drawn = true
		}
		if drawn && r.Name != "" {
			entry := b.Color
			entry.alpha = uint8(min(int(b.Color.alpha)*(i+1), 255))
			to.Legend.Add(r.Name, &plotter.Line{LineStyle: entry.stroke(2)})
		}
	}
	return nil
}

// addArea adds an area without an outline.
func addArea(to *plot.Plot, outline plotter.XYs, c Color) error {
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color = c.figure()
	area.LineStyle.Width = vg.Length(0)
	to.Add(area)
	return nil
}
