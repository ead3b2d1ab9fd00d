package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fit returns s as one line of exactly w cells: cut with the theme's ellipsis or
// padded with spaces. Escape sequences take no cells.
func (th *theme) fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = strings.ReplaceAll(s, "\n", " ")
	n := cells(s)
	if n > w {
		s = ansi.Truncate(s, w, th.glyphs.ellipsis)
		n = cells(s)
	}
	return s + strings.Repeat(" ", w-n)
}

// sides returns one line of exactly w cells with left and right at its ends. The
// right part is kept; the left one is cut.
func (th *theme) sides(left, right string, w int) string {
	n := cells(right)
	if n >= w {
		return th.fit(right, w)
	}
	if left == "" {
		return strings.Repeat(" ", w-n) + right
	}
	return th.fit(left, w-n-1) + " " + right
}

// box returns lines as exactly h lines of w cells; what is too much is cut.
func (th *theme) box(lines []string, w, h int) []string {
	out := make([]string, 0, max(h, 0))
	for i := range max(h, 0) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, th.fit(line, w))
	}
	return out
}

// framed reports whether w x h cells have room for a border around something.
func framed(w, h int) bool { return w >= 4 && h >= 3 }

// frame draws a border with a title around lines, w x h cells in all. A focused
// frame differs by sign and weight, not by colour alone.
func (th *theme) frame(title, note string, lines []string, w, h int, focused bool) []string {
	if !framed(w, h) {
		return th.box(lines, w, h)
	}
	g, border, titleStyle := th.glyphs, th.border, th.title
	mark := border.Render(g.horizontal)
	if focused {
		border, titleStyle, mark = th.focusBorder, th.focusTitle, th.focusTitle.Render(g.focus)
	}
	room := w - 4
	head := ansi.Truncate(mark+" "+titleStyle.Render(title)+" ", room, "")
	if note != "" && cells(head)+cells(note)+3 <= room {
		head += border.Render(g.horizontal+g.horizontal) + " " + th.dim.Render(note) + " "
	}
	rest := strings.Repeat(g.horizontal, w-3-cells(head))
	out := make([]string, 0, h)
	out = append(out, border.Render(g.topLeft+g.horizontal)+head+border.Render(rest+g.topRight))
	side := border.Render(g.vertical)
	for _, line := range th.box(lines, w-4, h-2) {
		out = append(out, side+" "+line+" "+side)
	}
	return append(out, border.Render(g.bottomLeft+strings.Repeat(g.horizontal, w-2)+g.bottomRight))
}

// joinFitting joins as many of the segments, in order, as fit in w cells. A
// segment that is too wide ends the line: what matters most comes first.
func joinFitting(w int, separator string, segments ...string) string {
	line, n := "", 0
	for _, s := range segments {
		if s == "" {
			continue
		}
		need := cells(s)
		if line != "" {
			need += cells(separator)
		}
		if n+need > w {
			break
		}
		if line != "" {
			line += separator
		}
		line, n = line+s, n+need
	}
	return line
}

// wrap breaks text into lines of at most w cells.
func wrap(text string, w int) []string {
	if w <= 0 || text == "" {
		return nil
	}
	return strings.Split(ansi.Wrap(text, w, ""), "\n")
}

// canvas is a screen of w x h cells under construction. Regions are put from top
// to bottom and left to right and never overlap.
type canvas struct {
	w, h  int
	spans [][]span
}

type span struct {
	x, w int
	text string
}

func newCanvas(w, h int) *canvas {
	return &canvas{w: w, h: h, spans: make([][]span, max(h, 0))}
}

// put places lines in r; each must be exactly r.w cells wide.
func (c *canvas) put(r rect, lines []string) {
	for i, line := range lines {
		if y := r.y + i; i < r.h && y >= 0 && y < c.h {
			c.spans[y] = append(c.spans[y], span{r.x, r.w, line})
		}
	}
}

// String returns the frame: h lines of exactly w cells.
func (c *canvas) String(th *theme) string {
	var b strings.Builder
	for y, spans := range c.spans {
		if y > 0 {
			b.WriteByte('\n')
		}
		var line strings.Builder
		at := 0
		for _, s := range spans {
			if s.x < at {
				continue
			}
			line.WriteString(strings.Repeat(" ", s.x-at))
			line.WriteString(s.text)
			at = s.x + s.w
		}
		b.WriteString(th.fit(line.String(), c.w))
	}
	return b.String()
}
