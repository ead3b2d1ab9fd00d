package kit

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// List is the scroll window of a list of rows with one selected row. When the selection or the height has
// changed, the window moves as little as possible to show the selected row. Otherwise it stays where the
// wheel has moved it. The zero List is at the top.
type List struct {
	top, height, rows int    // at the last drawing
	seen              [2]int // selected row and height at the last drawing
}

// Lines draws the visible rows in h lines. Each row must be w cells wide.
func (l *List) Lines(rows []string, chosen, w, h int) []string {
	return l.Window(len(rows), chosen, w, h, func(i int) string { return rows[i] })
}

// Window is like Lines for n rows, but calls row only for the visible rows.
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

// RowMark returns the mark of a row of a list or a form, two cells wide, and the style of its name.
// focused is set if the list has the keyboard focus.
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

// Height returns the number of rows in the window at the last drawing.
func (l *List) Height() int { return l.height }

// Scroll moves the window by n rows and keeps the selection.
func (l *List) Scroll(n int) { l.top = max(min(l.top+n, l.rows-l.height), 0) }
