package kit

import (
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/charmbracelet/lipgloss"
)

// List is the window on a list of rows of which one is chosen. It moves as little
// as shows the chosen row, when that row or the height has changed: what the wheel
// scrolled to stays. The zero List is at the top.
type List struct {
	pane viewport.Model
	seen [2]int // chosen row and height when last drawn
}

// Lines draws the rows that are in the window, at most h of them, each of which
// must be w cells wide.
func (l *List) Lines(rows []string, chosen, w, h int) []string {
	l.pane.Width, l.pane.Height = w, h
	l.pane.SetContent(strings.Join(rows, "\n"))
	top := l.pane.YOffset
	if now := [2]int{chosen, h}; l.seen != now {
		l.seen = now
		top = max(min(top, chosen), chosen-h+1)
	}
	l.pane.SetYOffset(top)
	return Lines(l.pane.View())
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
func (l *List) Top() int { return l.pane.YOffset }

// Height returns how many rows the window had when last drawn.
func (l *List) Height() int { return l.pane.Height }

// Scroll moves the window by n rows, without choosing another one.
func (l *List) Scroll(n int) { l.pane.SetYOffset(l.pane.YOffset + n) }
