package chart

import "dgplab/viz/canvas"

// cutPieces places points on the axes. It cuts the line at the ends of x and where a point cannot
// be placed.
func cutPieces(p *Plane, list []XY) (pieces [][]XY) {
	var piece []XY
	end := func() {
		pieces = append(pieces, cut(piece, ofX, p.X.Lo, p.X.Hi)...)
		piece = nil
	}
	for _, at := range list {
		if q, ok := positionIn(p, at); ok {
			piece = append(piece, q)
		} else {
			end()
		}
	}
	end()
	return pieces
}

// positionIn returns the position of a point on the axes. ok is false if they cannot show it.
func positionIn(p *Plane, at XY) (q XY, ok bool) {
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
		if q, ok := positionIn(p, at); ok {
			q.X += side.Shift()
			out = append(out, q)
		}
	}
	return out
}

// coordinate returns one of the coordinates of a point.
type coordinate func(at *XY) *float64

func ofX(at *XY) *float64 { return &at.X }

func ofY(at *XY) *float64 { return &at.Y }

// cut returns the parts of a line in which a coordinate lies in [lo, hi], with the points where the
// line crosses either end. A line never runs along an end where its values are not.
func cut(line []XY, of coordinate, lo, hi float64) [][]XY {
	var out [][]XY
	var piece []XY
	end := func() {
		if piece != nil {
			out, piece = append(out, piece), nil
		}
	}
	for i, p := range line {
		if i > 0 {
			from, to, ok := crossing(line[i-1], p, of, lo, hi)
			switch {
			case !ok:
				end()
			case piece == nil:
				piece = append(piece, from)
				fallthrough
			default:
				if to != piece[len(piece)-1] {
					piece = append(piece, to)
				}
			}
		}
		inside := *of(&p) >= lo && *of(&p) <= hi
		switch {
		case !inside:
			end()
		case piece == nil:
			piece = append(piece, p)
		}
	}
	end()
	return out
}

// crossing returns the part of the way from a to b in [lo, hi]. ok is false if there is none.
func crossing(a, b XY, of coordinate, lo, hi float64) (from, to XY, ok bool) {
	u := *of(&a)
	v := *of(&b)
	if max(u, v) < lo || min(u, v) > hi {
		return a, b, false
	}
	at := func(p XY) XY {
		end := max(lo, min(*of(&p), hi))
		if end == *of(&p) || u == v {
			return p
		}
		// Halves avoid an overflow of the difference.
		t := (end/2 - u/2) / (v/2 - u/2)
		p = XY{X: a.X*(1-t) + b.X*t, Y: a.Y*(1-t) + b.Y*t}
		*of(&p) = end
		return p
	}
	return at(a), at(b), true
}
