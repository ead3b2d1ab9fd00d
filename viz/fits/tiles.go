package fits

import (
	"dgplab/viz/axes"
	"dgplab/viz/canvas"
)

// tiled is charts of as many runs on one scale.
type tiled struct {
	n     int
	plane axes.Plane
	draw  func(i int, cv *canvas.Canvas, p *axes.Plane)
	// own names what is in chart i, shared says what is the same in all.
	own    func(style canvas.Style, i int) []canvas.Part
	shared func(style canvas.Style) []canvas.Part
}

// render draws the charts as w x h cells: one with one legend, several with a line below
// that says what they share.
func (t tiled) render(style canvas.Style, w, h int) []string {
	chart := func(i, w, h int) *canvas.Canvas {
		p := t.plane
		if t.n > 1 {
			p.YName = ""
		}
		return p.Canvas(style, w, h, func(cv *canvas.Canvas) { t.draw(i, cv, &p) },
			func(style canvas.Style) []canvas.Part {
				if t.n > 1 {
					return t.own(style, i)
				}
				return append(t.own(style, i), t.shared(style)...)
			})
	}
	switch {
	case w < 1 || h < 1:
		return nil
	case t.n == 1:
		return chart(0, w, h).Lines()
	}
	return axes.Tiles{N: t.n, Draw: chart, Legend: func() []canvas.Part {
		name := canvas.Note(2, canvas.Ink{FG: style.Dim()}, t.plane.YName,
			canvas.Truncate(t.plane.YName, 10), "")
		return append([]canvas.Part{name}, t.shared(style)...)
	}}.Render(style, w, h)
}
