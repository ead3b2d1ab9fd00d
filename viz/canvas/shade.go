package canvas

// eighths is how many heights a cell has for the edge of a band.
const eighths = 8

// Shade marks column x of a band, from height lo up to height hi, in eighths of a cell from
// the lower edge: by a shade of the colour behind whatever is drawn there, before or later,
// or by the glyph on terminals that have too few colours, in every cell that the band
// touches. Of a band, however narrow, at least something is seen.
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

// shadeCells puts the glyph into the cells that are not empty between two heights.
func (c *Canvas) shadeCells(x, lo, hi int, color Color, glyph rune) {
	for row := lo / eighths; row <= (hi-1)/eighths; row++ {
		c.Put(x, c.H-1-row, glyph, Ink{FG: color})
	}
}

// shaded returns the eighths of the cell at x, y, from the top; nil where nothing is shaded.
func (c *Canvas) shaded(x, y int) []Color {
	if c.shades == nil {
		return nil
	}
	return c.shades[(y*c.W+x)*eighths : (y*c.W+x+1)*eighths]
}

// edge returns the rune and the ink by which a blank cell shows its shades. A cell has two
// colours: those above and below the height that most eighths agree with.
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
	switch lower := Eighths[eighths-1-best]; {
	case best == 0 || above == below:
		return ' ', Ink{BG: below}
	case !below.set:
		// The colour of the terminal is not known, but it has one: the block is drawn in it.
		return lower, Ink{FG: above, Reverse: true}
	default:
		return lower, Ink{FG: below, BG: above}
	}
}

// commonest returns the first of the colours that come most often, and how often.
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
