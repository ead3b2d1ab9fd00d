package canvas

// eighths is the number of heights in a cell that the edge of a band can have.
const eighths = 8

// Shade shades column x between the heights lo and hi, in eighths of a cell from the bottom. It
// sets the background of cells drawn before or later, or puts the glyph into every cell that the
// band touches on terminals with too few colours. A band has at least one eighth.
func (c *Canvas) Shade(x, lo, hi int, color Color, glyph rune) {
	if x < 0 || x >= c.W {
		return
	}
	hi = min(max(hi, lo+1), eighths*c.H)
	lo = max(lo, 0)
	if !c.Style.Shades() {
		c.shadeCells(x, lo, hi, color, glyph)
		return
	}
	if c.shades == nil {
		c.shades = make([]Color, eighths*c.W*c.H)
	}
	for e := lo; e < hi; e++ {
		at := &c.shades[(eighths*c.H-1-e)/eighths*eighths*c.W+x*eighths+(eighths*c.H-1-e)%eighths]
		if at.set {
			*at = at.mix(c.Style.shade(color), 0.5)
		} else {
			*at = c.Style.shade(color)
		}
	}
}

// shadeCells puts the glyph into the cells between two heights.
func (c *Canvas) shadeCells(x, lo, hi int, color Color, glyph rune) {
	for row := lo / eighths; row <= (hi-1)/eighths; row++ {
		c.Put(x, c.H-1-row, glyph, Ink{FG: color})
	}
}

// shaded returns the shades of the eighths of a cell from the top, or nil if nothing is shaded.
func (c *Canvas) shaded(x, y int) []Color {
	if c.shades == nil {
		return nil
	}
	return c.shades[(y*c.W+x)*eighths : (y*c.W+x+1)*eighths]
}

// edge returns the rune and the ink of a blank cell with shades. The cell shows two colours, above
// and below the height that fits most eighths.
func edge(shades []Color) (rune, Ink) {
	best, most := 0, -1
	var above, below Color
	for k := range eighths {
		top, n := commonest(shades[:k])
		bottom, m := commonest(shades[k:])
		if n+m > most {
			best = k
			most = n + m
			above = top
			below = bottom
		}
	}
	lower := Eighths[eighths-1-best]
	switch {
	case best == 0 || above == below:
		return ' ', Ink{BG: below}
	case !below.set:
		// The default colour is unknown, so the block is drawn in reverse.
		return lower, Ink{FG: above, Reverse: true}
	default:
		return lower, Ink{FG: below, BG: above}
	}
}

// commonest returns the first of the most frequent colours and its count.
func commonest(colors []Color) (common Color, most int) {
	for i, c := range colors {
		n := 0
		for _, d := range colors[i:] {
			if d == c {
				n++
			}
		}
		if n > most {
			common, most = c, n
		}
	}
	return common, most
}
