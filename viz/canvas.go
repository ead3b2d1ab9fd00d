package viz

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one cell of a canvas. A rune of 0 is the second half of a wide rune.
type cell struct {
	r   rune
	ink ink
}

// canvas is a grid of cells that every picture is drawn on. Drawing outside is
// harmless, so the text is an exact box by construction.
type canvas struct {
	style Style
	w, h  int
	cells []cell
}

func newCanvas(style Style, w, h int) *canvas {
	c := &canvas{style: style, w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// at returns the rune at x, y; outside it is 0.
func (c *canvas) at(x, y int) rune {
	if x < 0 || y < 0 || x >= c.w || y >= c.h {
		return 0
	}
	return c.cells[y*c.w+x].r
}

// put draws a rune that is one cell wide.
func (c *canvas) put(x, y int, r rune, look ink) {
	if x < 0 || y < 0 || x >= c.w || y >= c.h {
		return
	}
	row := c.cells[y*c.w : (y+1)*c.w]
	// A wide rune of which one half is drawn over loses the other half too.
	if row[x].r == 0 && x > 0 {
		row[x-1].r = ' '
	}
	if x+1 < c.w && row[x+1].r == 0 {
		row[x+1].r = ' '
	}
	row[x] = cell{r, look}
}

// text draws s from x, y on and returns the first column after it. What does not
// fit is cut. Runes that have no width of their own are left out.
func (c *canvas) text(x, y int, s string, look ink) int {
	for _, r := range s {
		switch runeWidth(r) {
		case 1:
			c.put(x, y, r, look)
			x++
		case 2:
			if x >= 0 && x+1 < c.w {
				c.put(x+1, y, ' ', look)
				c.put(x, y, r, look)
				if y >= 0 && y < c.h {
					c.cells[y*c.w+x+1] = cell{0, look}
				}
			} else {
				c.put(x, y, ' ', look)
				c.put(x+1, y, ' ', look)
			}
			x += 2
		}
	}
	return x
}

// textRight draws s so that it ends before column x.
func (c *canvas) textRight(x, y int, s string, look ink) { c.text(x-width(s), y, s, look) }

// free tells whether the n cells from x, y on are inside and blank.
func (c *canvas) free(x, y, n int) bool {
	for i := range n {
		if c.at(x+i, y) != ' ' {
			return false
		}
	}
	return true
}

// blit copies another canvas to x, y.
func (c *canvas) blit(x, y int, from *canvas) {
	for row := range from.h {
		if y+row < 0 || y+row >= c.h {
			continue
		}
		for col := range from.w {
			if x+col >= 0 && x+col < c.w {
				c.cells[(y+row)*c.w+x+col] = from.cells[row*from.w+col]
			}
		}
	}
}

// String returns h lines of w cells. Every line begins and ends in the
// terminal's default look, so that lines can be joined with others.
func (c *canvas) String() string {
	if c.w == 0 || c.h == 0 {
		return ""
	}
	out := make([]byte, 0, len(c.cells)*2)
	for y := range c.h {
		if y > 0 {
			out = append(out, '\n')
		}
		var look ink
		for _, cl := range c.cells[y*c.w : (y+1)*c.w] {
			if cl.r == 0 {
				continue
			}
			next := cl.ink
			if cl.r == ' ' && !next.bg.set {
				next.fg, next.bold = look.fg, look.bold // invisible: save the code
			}
			out = appendSGR(out, c.style.Mode, look, next)
			look = next
			out = c.appendRune(out, cl.r)
		}
		out = appendSGR(out, c.style.Mode, look, ink{})
	}
	return string(out)
}

// appendRune appends r, or what stands for it in ASCII, as wide as r.
func (c *canvas) appendRune(out []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(out, byte(r))
	}
	if c.style.ASCII {
		out = append(out, byte(c.style.glyph(r)))
		if runeWidth(r) == 2 {
			out = append(out, '?')
		}
		return out
	}
	return utf8.AppendRune(out, r)
}

// runeWidth returns the cells that a rune takes: 0 for control characters and
// for every rune that would join its neighbours (marks, joiners, flags), which
// text leaves out; else 1 or 2.
func runeWidth(r rune) int {
	if r < utf8.RuneSelf {
		if r < 32 || r == 127 {
			return 0
		}
		return 1
	}
	if r >= 0x2500 && r < 0x2600 { // box drawing, blocks, geometric shapes
		return 1
	}
	if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsMark(r) {
		return 0
	}
	w := ansi.StringWidth(string(r))
	if w < 1 || w > 2 || ansi.StringWidth("a"+string(r)+string(r)+"a") != 2+2*w {
		return 0
	}
	return w
}

// width returns the cells that text draws for s.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// truncate returns s cut to at most w cells, with … where something was cut.
func truncate(s string, w int) string {
	if width(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	var out strings.Builder
	n := 0
	for _, r := range s {
		rw := runeWidth(r)
		if n+rw > w-1 {
			break
		}
		if rw > 0 {
			out.WriteRune(r)
			n += rw
		}
	}
	return out.String() + "…"
}
