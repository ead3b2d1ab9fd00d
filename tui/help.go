package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/charmbracelet/lipgloss"
)

// The keys of the help page itself.
var (
	helpLeave  = bind("? or esc", "leaves", "?", "esc", "q", "enter")
	helpScroll = viewport.KeyMap{
		Up: bind("", "", "up"), Down: bind("", "", "down"),
		PageUp: bind("", "", "pgup"), PageDown: bind("", "", "pgdown", " "),
	}
)

// openHelp shows the keys of the screen from the top.
func (a *app) openHelp() {
	a.help = true
	a.helpPane = viewport.New(0, 0)
	a.helpPane.KeyMap, a.helpPane.MouseWheelDelta = helpScroll, 1
	a.fitHelp()
}

// fitHelp lays the help page out for the size of the screen, in its frame if
// there is room for one.
func (a *app) fitHelp() {
	w, h := a.w, a.h
	if framed(w, h) {
		w, h = w-4, h-2
	}
	pane := &a.helpPane
	pane.Width, pane.Height = w, h
	pane.SetContent(strings.Join(a.theme.helpRows(a.on, w), "\n"))
	pane.SetYOffset(pane.YOffset)
}

// helpView draws the help page, exactly h lines of w cells.
func (a *app) helpView() []string {
	keys := helpLeave.Help()
	note := keys.Key + " " + keys.Desc
	if a.helpPane.TotalLineCount() > a.helpPane.Height {
		note = a.theme.glyphs.up + a.theme.glyphs.down + " scroll, " + note
	}
	return a.theme.frame("Keys", note, lines(a.helpPane.View()), a.w, a.h, true)
}

// helpRows returns the table of keys, w cells wide, sentences wrapped beside the
// keys or, with little room, behind them.
func (th *theme) helpRows(on screenID, w int) []string {
	const keys = 11
	var rows []string
	for _, b := range bindings {
		if b.screens&on == 0 {
			continue
		}
		label := th.key.Render(th.glyphs.keyLabel(firstKey(b)))
		row := lipgloss.JoinHorizontal(lipgloss.Top, th.fit(label, keys), th.text.Width(w-keys).Render(b.help))
		if w < 2*keys {
			row = th.plain.Width(w).Render(label + " " + th.text.Render(b.help))
		}
		rows = append(rows, lines(row)...)
	}
	return rows
}

// firstKey returns the label of the binding alone: the footer's label may name a
// pair of keys, of which the help page explains each.
func firstKey(b binding) string {
	switch first := b.Keys()[0]; first {
	case "up", "down", "left", "right":
		return "<" + first + ">"
	case "-":
		return first
	}
	return b.Help().Key
}
