package kit

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// List is the window on a list of rows of which one is chosen. It moves as little
// as shows the chosen row, when that row or the height has changed: what the wheel
// scrolled to stays. The zero List is at the top.
type List struct {
	top, height, rows int    // when last drawn
	seen              [2]int // chosen row and height when last drawn
}

// Lines draws the rows that are in the window, each of which must be w cells wide,
// in h lines.
func (l *List) Lines(rows []string, chosen, w, h int) []string {
	return l.Window(len(rows), chosen, w, h, func(i int) string { return rows[i] })
}

// Window is Lines of n rows, of which only those in the window are asked for.
func (l *List) Window(n, chosen, w, h int, row func(i int) string) []string {
	l.rows, l.height = n, max(h, 0)
	if now := [2]int{chosen, h}; l.seen != now {
		l.seen = now
		l.top = max(min(l.top, chosen), chosen-h+1)
	}
	l.Scroll(0)
	lines := make([]string, 0, l.height)
	for i := range l.height {
		line := strings.Repeat(" ", max(w, 0))
		if l.top+i < n {
			line = row(l.top + i)
		}
		lines = append(lines, line)
	}
	return lines
}

// RowMark returns the mark of a row of a list or a form, two cells, and the style of its
// name; focused says that keys go there.
func (th *Theme) RowMark(chosen, focused bool) (mark string, name lipgloss.Style) {
	switch {
	case chosen && focused:
		return th.Accent.Render(th.Glyphs.Cursor + " "), th.Selected
	case chosen:
		return th.Dim.Render(th.Glyphs.Cursor + " "), th.Title
	}
	return "  ", th.Text
}

// Top returns the first row in the window.
func (l *List) Top() int { return l.top }

// Height returns how many rows the window had when last drawn.
func (l *List) Height() int { return l.height }

// Scroll moves the window by n rows, without choosing another one.
func (l *List) Scroll(n int) { l.top = max(min(l.top+n, l.rows-l.height), 0) }
