package curves

import (
	"dgplab/viz/canvas"
)

// rawDots draws the extremes of every column that lie within the axis.
func (ch *layout) rawDots(cv *canvas.Canvas, t *trace, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	for x := range t.raw {
		c := &t.raw[x]
		for _, v := range [...]float64{c.lo, c.hi} {
			if c.n > 0 && ch.side(v) == 0 {
				d.Set(x, ch.scale.RowOf(v, 4*cv.H))
			}
		}
	}
	d.DrawOn(cv, look)
}

// lineDots draws a line through rows of dots. It also covers the range of every column of extremes.
func (ch *layout) lineDots(cv *canvas.Canvas, rows []int, extremes []column, look canvas.Ink) {
	d := canvas.NewDots(cv.W, cv.H)
	d.Line(rows)
	for x := range extremes {
		if c := &extremes[x]; c.n > 1 && !ch.apart(c) {
			top := ch.scale.RowOf(c.hi, 4*cv.H)
			for y := ch.scale.RowOf(c.lo, 4*cv.H); y <= top; y++ {
				d.Set(x, y)
			}
		}
	}
	d.DrawOn(cv, look)
}
