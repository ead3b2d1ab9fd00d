package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"

	"dgplab/tui/kit"
)

// The keys of the help page.
var (
	helpLeave  = kit.Keys("? or esc", "close", "?", "f1", "esc", "q", "enter")
	helpScroll = viewport.KeyMap{
		Up: kit.Keys("", "", "up"), Down: kit.Keys("", "", "down"),
		PageUp: kit.Keys("", "", "pgup"), PageDown: kit.Keys("", "", "pgdown", " "),
	}
)

// textWidth is the maximum width of a text shown by Explain, for easy reading.
const textWidth = 88

// openHelp opens the help page of the screen.
func (a *app) openHelp() { a.Explain("Keys", "") }

// Explain opens a page with a text, or with the keys of the screen if the text is empty.
func (a *app) Explain(title, text string) {
	a.help = true
	a.explained.title, a.explained.text = title, text
	a.helpPane = viewport.New(0, 0)
	a.helpPane.KeyMap, a.helpPane.MouseWheelDelta = helpScroll, 1
	a.fitHelp()
}

// fitHelp lays out the help page for the size of the screen.
func (a *app) fitHelp() {
	inside := a.inside()
	w, h := inside.W, inside.H
	pane := &a.helpPane
	pane.Width, pane.Height = w, h
	rows := kit.Paragraph(a.theme.Text, a.explained.text, min(w, textWidth))
	if a.explained.text == "" {
		rows = a.theme.HelpPage(a.helpTable(), w)
	}
	pane.SetContent(strings.Join(rows, "\n"))
	pane.SetYOffset(pane.YOffset)
}

// helpTable returns the bindings in effect: the table of the screen, or the keys of its overlay followed by
// the global keys.
func (a *app) helpTable() []kit.Binding {
	front := a.front()
	layered, ok := front.Screen.(kit.Layered)
	if !ok || layered.Layer() == nil {
		return front.table
	}
	table := slices.Clone(layered.Layer())
	var taken []string
	for _, b := range table {
		taken = append(taken, b.Keys()...)
	}
	for _, b := range front.table {
		free := func(key string) bool { return !slices.Contains(taken, key) }
		if b.Action.IsGlobal() && slices.ContainsFunc(b.Keys(), free) {
			table = append(table, b)
		}
	}
	return table
}

// helpView draws the help page, exactly h lines of w cells.
func (a *app) helpView() []string {
	keys := helpLeave.Help()
	note := keys.Key + " " + keys.Desc
	if a.helpPane.TotalLineCount() > a.helpPane.Height {
		note = a.theme.Glyphs.KeyLabel("<up><down>") + " scroll, " + note
	}
	return a.theme.Frame(a.explained.title, note, kit.Lines(a.helpPane.View()), a.w, a.h, true)
}
