// Package canvas is the base of all text pictures: a grid of cells, the colours, markers and glyphs
// of a terminal (Style), lines and dots, text that fits, numbers as text, and legends that shorten
// themselves.
package canvas

import (
	"strings"
	"unicode/utf8"
)

// cell is one cell of a canvas. A rune of 0 is the second half of a wide rune.
type cell struct {
	r   rune
	ink Ink
}

// Canvas is a grid of cells. Drawing outside is harmless, so the text is an exact box by
// construction.
type Canvas struct {
	Style Style
	W, H  int
	cells []cell
	// shades lie behind drawn cells without a background: eight for each cell, from its top. The
	// slice is nil until something is shaded.
	shades []Color
}

func New(style Style, w, h int) *Canvas {
	c := &Canvas{Style: style, W: max(w, 0), H: max(h, 0)}
	c.cells = make([]cell, c.W*c.H)
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// At returns the rune at x, y, or 0 outside.
func (c *Canvas) At(x, y int) rune {
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return 0
	}
	return c.cells[y*c.W+x].r
}

// Places returns the number of columns and rows of a line: dots if the style has them, else cells.
func (c *Canvas) Places() (w, h int) {
	if c.Style.Dots() {
		return dotsWide * c.W, dotsHigh * c.H
	}
	return c.W, c.H
}

// Put draws a rune that is one cell wide.
func (c *Canvas) Put(x, y int, r rune, look Ink) {
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return
	}
	row := c.cells[y*c.W : (y+1)*c.W]
	// Drawing over one half of a wide rune erases the other half.
	if row[x].r == 0 && x > 0 {
		row[x-1].r = ' '
	}
	if x+1 < c.W && row[x+1].r == 0 {
		row[x+1].r = ' '
	}
	row[x].r, row[x].ink = r, look
}

// Text draws s starting at x, y, cut at the edge, and returns the first column after it. Runes
// without a width are left out.
func (c *Canvas) Text(x, y int, s string, look Ink) int {
	for _, r := range s {
		switch runeWidth(r) {
		case 1:
			c.Put(x, y, r, look)
			x++
		case 2:
			if x >= 0 && x+1 < c.W {
				c.Put(x+1, y, ' ', look)
				c.Put(x, y, r, look)
				if y >= 0 && y < c.H {
					wide := &c.cells[y*c.W+x+1]
					wide.r, wide.ink = 0, look
				}
			} else {
				c.Put(x, y, ' ', look)
				c.Put(x+1, y, ' ', look)
			}
			x += 2
		}
	}
	return x
}

// TextRight draws s so that it ends before column x.
func (c *Canvas) TextRight(x, y int, s string, look Ink) { c.Text(x-Width(s), y, s, look) }

// Free reports whether the n cells starting at x, y are inside and blank.
func (c *Canvas) Free(x, y, n int) bool {
	for i := range n {
		if c.At(x+i, y) != ' ' {
			return false
		}
	}
	return true
}

// Blit copies another canvas to x, y.
func (c *Canvas) Blit(x, y int, from *Canvas) {
	for row := range from.H {
		if y+row < 0 || y+row >= c.H {
			continue
		}
		for col := range from.W {
			if x+col >= 0 && x+col < c.W {
				c.cells[(y+row)*c.W+x+col] = from.cells[row*from.W+col]
				if shades := from.shaded(col, row); shades != nil {
					if c.shades == nil {
						c.shades = make([]Color, eighths*c.W*c.H)
					}
					copy(c.shaded(x+col, y+row), shades)
				}
			}
		}
	}
}

// Message writes a line in the middle of the canvas.
func (c *Canvas) Message(text string) {
	text = Truncate(text, c.W)
	c.Text((c.W-Width(text))/2, (c.H-1)/2, text, Ink{FG: c.Style.Dim()})
}

// Empty returns a picture of w x h cells with a message only.
func Empty(style Style, w, h int, message string) []string {
	cv := New(style, w, h)
	cv.Message(message)
	return cv.Lines()
}

// Lines returns h lines of w cells, or nil if either is 0. Every line begins and ends in the
// terminal's default look and can be joined with others.
func (c *Canvas) Lines() []string {
	if c.W == 0 || c.H == 0 {
		return nil
	}
	lines := make([]string, c.H)
	var out []byte
	for y := range c.H {
		out = out[:0]
		var look Ink
		for x, cl := range c.cells[y*c.W : (y+1)*c.W] {
			if cl.r == 0 {
				continue
			}
			next := cl.ink
			if shades := c.shaded(x, y); shades != nil && !next.BG.set {
				if cl.r == ' ' {
					cl.r, next = edge(shades)
				} else {
					next.BG, _ = commonest(shades)
				}
			}
			if cl.r == ' ' && !next.BG.set {
				next.FG, next.Bold = look.FG, look.Bold // invisible: saves a code
			}
			out = appendSGR(out, c.Style.Mode, look, next)
			look = next
			out = c.appendRune(out, cl.r)
		}
		lines[y] = string(appendSGR(out, c.Style.Mode, look, Ink{}))
	}
	return lines
}

// String returns the lines as one string.
func (c *Canvas) String() string { return strings.Join(c.Lines(), "\n") }

// appendRune appends r or its ASCII replacement, with the same width.
func (c *Canvas) appendRune(out []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(out, byte(r))
	}
	if r >= firstImageRune {
		at := int(r - firstImageRune)
		return append(out, c.Style.Images.Cell(at/imageColumns, at%imageColumns)...)
	}
	if c.Style.ASCII {
		out = append(out, byte(c.Style.glyph(r)))
		if runeWidth(r) == 2 {
			out = append(out, '?')
		}
		return out
	}
	return utf8.AppendRune(out, r)
}
