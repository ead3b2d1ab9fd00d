package curves

import (
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// figureMeans is the number of columns that condense assumes for a figure when it decides whether a
// series has many points. It is about the width of a panel on the screen.
const figureMeans = 160

// lengthen extends the first and the last piece of a zoomed line to the edges of the window.
func (ch *layout) lengthen(pieces [][]chart.XY, t *trace, columns int, smooth bool) {
	for side, e := range t.edges {
		if !e.ok || len(pieces) == 0 || columns < 2 {
			continue
		}
		value := e.raw
		if smooth {
			value = e.smooth
		}
		beside := chart.XY{X: ch.x0 + (ch.x1-ch.x0)*e.at/float64(columns-1), Y: ch.scale.Forward(value)}
		piece, end := &pieces[0], ch.x0
		inner := (*piece)[0]
		if side == 1 {
			piece, end = &pieces[len(pieces)-1], ch.x1
			inner = (*piece)[len(*piece)-1]
		}
		if inner.X == end {
			continue
		}
		y := beside.Y + (inner.Y-beside.Y)*(end-beside.X)/(inner.X-beside.X)
		switch {
		case !canvas.Finite(y):
		case side == 0:
			*piece = append([]chart.XY{{X: end, Y: y}}, *piece...)
		default:
			*piece = append(*piece, chart.XY{X: end, Y: y})
		}
	}
}

// height returns the height of an end of a band, clipped to the axis.
func (ch *layout) height(v float64) float64 {
	return max(ch.scale.Lo, min(ch.scale.Forward(v), ch.scale.Hi))
}

// pieces returns the line through columns, cut at values that are not finite.
func (ch *layout) pieces(cols []column, extremes bool) [][]chart.XY {
	var out [][]chart.XY
	var piece []chart.XY
	for i := range cols {
		c := &cols[i]
		if c.broken() && piece != nil {
			out, piece = append(out, piece), nil
		}
		if c.n == 0 {
			continue
		}
		x := ch.x0
		if len(cols) > 1 {
			t := float64(i) / float64(len(cols)-1)
			x = ch.x0*(1-t) + ch.x1*t
		}
		piece = append(piece, chart.XY{X: x, Y: ch.scale.Forward(c.first)})
		if extremes && c.n > 2 {
			piece = append(piece, chart.XY{X: x, Y: ch.scale.Forward(c.lo)}, chart.XY{
				X: x,
				Y: ch.scale.Forward(c.hi),
			})
		}
		if c.n > 1 {
			piece = append(piece, chart.XY{X: x, Y: ch.scale.Forward(c.last)})
		}
	}
	if piece != nil {
		out = append(out, piece)
	}
	return out
}
