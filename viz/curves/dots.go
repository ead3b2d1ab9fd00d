package curves

import (
	"dgplab/viz/canvas"
)

// rawDots puts the extremes of every column behind a smooth line.
func (ch *chart) rawDots(cv *canvas.Canvas, t *trace, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	for x := range t.raw {
		if c := &t.raw[x]; c.n > 0 && !ch.apart(c) {
			d.Set(x, ch.scale.RowOf(c.lo, 4*cv.H))
			d.Set(x, ch.scale.RowOf(c.hi, 4*cv.H))
		}
	}
	d.DrawOn(cv, look)
}

// lineDots draws a line through rows of dots. With extremes it reaches, like a
// raw line, over the whole range of every column.
func (ch *chart) lineDots(cv *canvas.Canvas, rows []int, extremes []column, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	d.Line(rows)
	for x := range extremes {
		if c := &extremes[x]; c.n > 1 && !ch.apart(c) {
			for y, top := ch.scale.RowOf(c.lo, 4*cv.H), ch.scale.RowOf(c.hi, 4*cv.H); y <= top; y++ {
				d.Set(x, y)
			}
		}
	}
	d.DrawOn(cv, look)
}
