package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Action is what a key asks for, by the name that the settings file knows it by:
// "pause", "x_axis". The same name means the same on every screen.
type Action string

// The actions that the house itself carries out, on every screen. A screen whose
// footer should show one lists its binding (Help, Quit, Copy) at that place of
// its table; the house adds those that are not listed at the end.
const (
	ActHelp      Action = "help"
	ActQuit      Action = "quit"
	ActPalette   Action = "palette"
	ActCopy      Action = "copy"
	ActBrowse    Action = "browse"
	ActMouse     Action = "mouse"
	ActDots      Action = "dots"
	ActInterrupt Action = "interrupt"
)

// OfHouse reports whether the house carries an action out.
func (a Action) OfHouse() bool {
	return slices.Contains([]Action{ActHelp, ActQuit, ActPalette, ActCopy, ActBrowse, ActMouse,
		ActDots, ActInterrupt}, a)
}

// The bindings of the house.
var (
	Help = Bind(ActHelp, "?", "help",
		"Show this page, and leave it. F1 does so even while a text is typed.", "?", "f1")
	Quit = Bind(ActQuit, "q", "quit",
		"Quit. While a run is going this asks, stops it and keeps its checkpoint.", "q")
	Palette = Bind(ActPalette, "ctrl+p", "commands", "Find a command by its name, and do it.", "ctrl+p")
	Copy    = Bind(ActCopy, "y", "",
		"Copy the focused panel as text to the clipboard of the terminal (OSC 52).", "y")
	Browser = Bind(ActBrowse, "b", "", "Browse all runs.", "b")
	Mouse   = Bind(ActMouse, "m", "", "Turn the mouse off, so that the terminal can select text, and on.",
		"m")
	Dots = Bind(ActDots, "D", "", "Draw lines with dots, or with strokes where the font lacks the dots.",
		"D")
	Interrupt = Bind(ActInterrupt, "ctrl+c", "", "Stop cleanly and quit; twice, quit at once.", "ctrl+c")
)

// Binding ties keys to an action. Its key.Binding has Bubble Tea's names of the
// keys, how a person reads them (arrows are written <up> and so on, and shown with
// the terminal's signs) and the word in the footer; "" keeps it out of there.
type Binding struct {
	Action Action
	key.Binding
	// Sentence is for the help page and the palette.
	Sentence string
}

// Bind returns a binding: its action, the label of its keys, its word in the
// footer ("" for none), one sentence for the help page, and its keys.
func Bind(act Action, label, short, sentence string, keys ...string) Binding {
	return Binding{act, Keys(label, short, keys...), sentence}
}

// Keys returns keys with their label and their word in the footer.
func Keys(label, short string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, short))
}

// The answers to a question. Nothing else is one.
var (
	AnswerYes = Keys("y", "yes", "y", "Y", "enter")
	AnswerNo  = Keys("n", "no", "n", "N", "esc")
)

// Lookup returns what a key asks for by a table, "" if nothing.
func Lookup(table []Binding, msg tea.KeyMsg) Action {
	for _, b := range table {
		if key.Matches(msg, b.Binding) {
			return b.Action
		}
	}
	return ""
}

// Find returns the binding of an action in a table, one without keys if it has none.
func Find(table []Binding, act Action) (b Binding, ok bool) {
	i := slices.IndexFunc(table, func(b Binding) bool { return b.Action == act })
	if i < 0 {
		return Binding{}, false
	}
	return table[i], true
}

// KeyLabel writes a label with the signs of the terminal.
func (g Glyphs) KeyLabel(label string) string {
	if !g.Unicode {
		label = strings.ReplaceAll(label, "><", ">/<")
	}
	return strings.NewReplacer("<up>",
		g.Up, "<down>", g.Down, "<left>", g.Left, "<right>", g.Right).Replace(label)
}

// KeyLine returns the footer of a table, as many of its keys as fit in w cells. Where
// they do not all fit, the key of the help stays: it leads to the others.
func (th *Theme) KeyLine(table []Binding, w int) string {
	const gap = "  "
	var keys []string
	help := -1
	for _, b := range table {
		h := b.Help()
		if h.Desc == "" {
			continue
		}
		if b.Action == ActHelp {
			help = len(keys)
		}
		keys = append(keys, th.Key.Render(th.Glyphs.KeyLabel(h.Key))+th.Dim.Render(" "+h.Desc))
	}
	line := JoinFitting(w, gap, keys...)
	if help <= 0 || line == strings.Join(keys, gap) {
		return line
	}
	before := JoinFitting(w-Cells(keys[help])-len(gap), gap, keys[:help]...)
	if before == "" || before == strings.Join(keys[:help], gap) {
		return line
	}
	return before + gap + keys[help]
}

// HelpRows returns a table of keys, w cells wide, sentences wrapped beside the
// keys or, with little room, behind them.
func (th *Theme) HelpRows(table []Binding, w int) []string {
	const keys = 11
	var rows []string
	for _, b := range table {
		label := th.Key.Render(th.Glyphs.KeyLabel(b.Label()))
		row := lipgloss.JoinHorizontal(lipgloss.Top, th.Fit(label, keys),
			th.Text.Width(w-keys).Render(b.Sentence))
		if w < 2*keys {
			row = th.Plain.Width(w).Render(label + " " + th.Text.Render(b.Sentence))
		}
		rows = append(rows, Lines(row)...)
	}
	return rows
}

// Label returns the label of the binding alone: the footer's label may name a
// pair of keys, of which the help page explains each. Without a key it is "-".
func (b Binding) Label() string {
	keys := b.Keys()
	if len(keys) == 0 {
		return "-"
	}
	switch keys[0] {
	case "up", "down", "left", "right":
		return "<" + keys[0] + ">"
	case "-":
		return keys[0]
	}
	return b.Help().Key
}
