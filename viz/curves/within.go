package curves

import "dgplab/viz/chart"

// within cuts lines at the edges of the axis. A line never runs along an edge where its values are
// not.
func (ch *layout) within(pieces [][]chart.XY) [][]chart.XY {
	var out [][]chart.XY
	for _, piece := range pieces {
		out = append(out, cutHeight(piece, ch.scale.Lo, ch.scale.Hi)...)
	}
	return out
}

// cutHeight returns the parts of a line in [lo, hi], with the points where it crosses either end.
func cutHeight(line []chart.XY, lo, hi float64) [][]chart.XY {
	var out [][]chart.XY
	var piece []chart.XY
	end := func() {
		if piece != nil {
			out, piece = append(out, piece), nil
		}
	}
	for i, p := range line {
		if i > 0 {
			from, to, ok := crossing(line[i-1], p, lo, hi)
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
		switch inside := p.Y >= lo && p.Y <= hi; {
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
func crossing(a, b chart.XY, lo, hi float64) (from, to chart.XY, ok bool) {
	if max(a.Y, b.Y) < lo || min(a.Y, b.Y) > hi {
		return a, b, false
	}
	at := func(p chart.XY) chart.XY {
		y := max(lo, min(p.Y, hi))
		if y == p.Y || a.Y == b.Y {
			return p
		}
		// Halves avoid an overflow of the difference.
		return chart.XY{X: a.X + (b.X-a.X)*((y/2-a.Y/2)/(b.Y/2-a.Y/2)), Y: y}
	}
	return at(a), at(b), true
}
