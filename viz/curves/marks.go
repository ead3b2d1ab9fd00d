package curves

import (
	"dgplab/viz/canvas"
)

// drawMarkers puts the marker of each run on its line.
func (ch *layout) drawMarkers(cv *canvas.Canvas) {
	lines := len(ch.traces) + len(ch.bands)
	w, h := ch.places(cv)
	for i := range ch.traces {
		t := &ch.traces[i]
		canvas.DrawMarkers(cv, ch.cells(ch.rows(t, h)), t.run, i, lines)
	}
	for i := range ch.bands {
		b := &ch.bands[i]
		mean := b.rows(&ch.scale, w, h)
		hide(mean, b.sides(ch, w))
		canvas.DrawMarkers(cv, ch.cells(mean), b.run, len(ch.traces)+i, lines)
	}
}

// dotsWide and dotsHigh are the numbers of dots of a cell.
const dotsWide, dotsHigh = 2, 4

// places returns the size of a plot in dots, or in cells without dots.
func (ch *layout) places(cv *canvas.Canvas) (w, h int) {
	if ch.dots {
		return dotsWide * cv.W, dotsHigh * cv.H
	}
	return cv.W, cv.H
}

// cells converts the rows of dots to rows of cells.
func (ch *layout) cells(rows []int) []int {
	if !ch.dots {
		return rows
	}
	out := make([]int, len(rows)/dotsWide)
	for x := range out {
		out[x] = max(rows[2*x], rows[2*x+1])
		if out[x] >= 0 {
			out[x] /= dotsHigh
		}
	}
	return out
}

// cellOf returns the cell of a point, or the cell of its dot.
func (ch *layout) cellOf(x, v float64, cv *canvas.Canvas) (column, row int) {
	w, h := ch.places(cv)
	return ch.column(x, w) * cv.W / w, cv.H - 1 - ch.scale.RowOf(v, h)*cv.H/h
}

// drawNotFinite marks columns with values that are not finite: ↑ on the upper edge for Inf, ↓ and ×
// on the lower edge for -Inf and NaN.
func (ch *layout) drawNotFinite(cv *canvas.Canvas, t *trace) {
	look := canvas.Ink{FG: cv.Style.Bad(), Bold: true}
	for i := range t.raw {
		c, x := &t.raw[i], i*cv.W/len(t.raw)
		if c.above {
			cv.Put(x, 0, '↑', look)
		}
		if c.below {
			cv.Put(x, cv.H-1, '↓', look)
		}
		if c.nan {
			cv.Put(x, cv.H-1, '×', look)
		}
	}
}

// drawBest marks the best value, with its number beside it if there is room.
func (ch *layout) drawBest(cv *canvas.Canvas, t *trace) {
	if t.best < 0 {
		return
	}
	x, y := ch.cellOf(t.xAt(t.best), t.y[t.best], cv)
	look := canvas.Ink{FG: cv.Style.Good(), Bold: true}
	cv.Put(x, y, '★', look)
	label := canvas.Number(t.y[t.best])
	n := canvas.Width(label)
	for _, at := range [...][2]int{{x + 2, y}, {x - n - 1, y}, {x - n/2, y - 1}, {x - n + 1, y - 1},
		{x, y - 1}, {x - n/2, y + 1}, {x - n + 1, y + 1}, {x, y + 1}} {
		if cv.Free(at[0]-1, at[1], n+2) || (at[0]+n == cv.W && cv.Free(at[0]-1, at[1], n+1)) {
			cv.Text(at[0], at[1], label, canvas.Ink{FG: cv.Style.Good()})
			return
		}
	}
}
