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
	guideLeave = kit.Keys("h or esc", "close", "h", "?", "f1", "esc", "q", "enter")
	helpScroll = viewport.KeyMap{
		Up: kit.Keys("", "", "up"), Down: kit.Keys("", "", "down"),
		PageUp: kit.Keys("", "", "pgup"), PageDown: kit.Keys("", "", "pgdown", " "),
	}
)

// textWidth is the maximum width of a text shown by Explain, for easy reading. leastAbove is the minimum
// height of the screen above a text; if less remains, the text fills the terminal.
const textWidth, leastAbove = 110, 12

// openHelp opens the help page of the screen.
func (a *app) openHelp() { a.Explain("Keys", "") }

// Explain shows a text in a box below the screen, or a page with the keys of the screen if the text is empty.
func (a *app) Explain(title, text string) {
	a.help = true
	a.explained.title, a.explained.text = title, text
	a.helpPane = viewport.New(0, 0)
	a.helpPane.KeyMap, a.helpPane.MouseWheelDelta = helpScroll, 1
	a.arrange()
}

// closeHelp closes the page of keys or the text of Explain.
func (a *app) closeHelp() {
	a.help = false
	a.arrange()
}

// arrange lays out the screens above the text of Explain, and the page of keys.
func (a *app) arrange() {
	for _, s := range a.screens {
		s.SetSize(a.w, a.h-a.textHeight())
	}
	if a.help {
		a.fitHelp()
	}
}

// textHeight returns the height of the box with the text of Explain below the screen, or 0 if there is none.
func (a *app) textHeight() int {
	if !a.help || a.explained.text == "" {
		return 0
	}
	h := len(a.explainedRows(a.inside().W)) + 2
	if a.h-h < leastAbove || a.w < kit.BareWidth {
		return 0
	}
	return h
}

// explainedRows returns the text of Explain in rows of at most w cells.
func (a *app) explainedRows(w int) []string {
	return kit.Paragraph(a.theme.Text, a.explained.text, min(w, textWidth))
}

// fitHelp lays out the help page for the size of the terminal.
func (a *app) fitHelp() {
	inside := a.inside()
	pane := &a.helpPane
	pane.Width, pane.Height = inside.W, inside.H
	rows := a.explainedRows(inside.W)
	if a.explained.text == "" {
		rows = a.theme.HelpPage(a.helpTable(), inside.W)
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

// helpView draws the help page over the whole terminal, or the text of Explain below the screen.
func (a *app) helpView() []string {
	leave := helpLeave.Help()
	if a.explained.text != "" {
		leave = guideLeave.Help()
	}
	if h := a.textHeight(); h > 0 {
		keys := a.theme.Key.Render(leave.Key) + a.theme.Dim.Render(" "+leave.Desc)
		box := a.theme.Frame(a.explained.title, "", a.explainedRows(a.w-4), a.w, h, true)
		return append(strings.Split(a.front().View(keys, ""), "\n"), box...)
	}
	note := leave.Key + " " + leave.Desc
	if a.helpPane.TotalLineCount() > a.helpPane.Height {
		note = a.theme.Glyphs.KeyLabel("<up><down>") + " scroll, " + note
	}
	return a.theme.Frame(a.explained.title, note, kit.Lines(a.helpPane.View()), a.w, a.h, true)
}
