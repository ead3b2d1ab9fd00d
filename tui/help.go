package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/viewport"

	"dgplab/tui/kit"
)

// The keys of the help page itself.
var (
	helpLeave  = kit.Keys("? or esc", "leaves", "?", "f1", "esc", "q", "enter")
	helpScroll = viewport.KeyMap{
		Up: kit.Keys("", "", "up"), Down: kit.Keys("", "", "down"),
		PageUp: kit.Keys("", "", "pgup"), PageDown: kit.Keys("", "", "pgdown", " "),
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
	inside := a.inside()
	w, h := inside.W, inside.H
	pane := &a.helpPane
	pane.Width, pane.Height = w, h
	pane.SetContent(strings.Join(a.theme.HelpRows(a.front().table, w), "\n"))
	pane.SetYOffset(pane.YOffset)
}

// helpView draws the help page, exactly h lines of w cells.
func (a *app) helpView() []string {
	keys := helpLeave.Help()
	note := keys.Key + " " + keys.Desc
	if a.helpPane.TotalLineCount() > a.helpPane.Height {
		note = a.theme.Glyphs.KeyLabel("<up><down>") + " scroll, " + note
	}
	return a.theme.Frame("Keys", note, kit.Lines(a.helpPane.View()), a.w, a.h, true)
}
