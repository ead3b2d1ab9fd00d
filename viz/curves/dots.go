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

// shadeRaw shades the range of the values of every cell behind a line of means.
func (ch *chart) shadeRaw(cv *canvas.Canvas, t *trace) {
	for x := range cv.W {
		both := column{}
		for _, c := range t.raw[2*x : 2*x+2] {
			both.merge(c)
		}
		if both.n > 0 && !ch.apart(&both) {
			lo, hi := ch.scale.EdgeOf(both.lo, cv.H, cv.Style), ch.scale.EdgeOf(both.hi, cv.H, cv.Style)
			cv.Shade(x, lo, hi, cv.Style.Tint(cv.Style.RunColor(t.run), 0.4), '░')
		}
	}
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
