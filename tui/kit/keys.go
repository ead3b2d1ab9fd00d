package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Action is the name of an operation that a key performs, as in the settings file, such as "pause" or
// "x_axis". A name has the same meaning on every screen.
type Action string

// The actions that the host performs on every screen. A screen that shows such an action in its footer lists
// the binding (Help, Quit, Copy) at that position of its table. The host appends the bindings that are not
// listed.
const (
	ActHelp      Action = "help"
	ActQuit      Action = "quit"
	ActPalette   Action = "palette"
	ActCopy      Action = "copy"
	ActBrowse    Action = "browse"
	ActSettings  Action = "settings"
	ActMouse     Action = "mouse"
	ActDots      Action = "dots"
	ActSuspend   Action = "suspend"
	ActInterrupt Action = "interrupt"
)

// Words returns the name of the action with blanks, as in the palette, such as "x axis".
func (a Action) Words() string { return strings.ReplaceAll(string(a), "_", " ") }

// IsGlobal reports whether the host performs the action.
func (a Action) IsGlobal() bool {
	return slices.Contains([]Action{ActHelp, ActQuit, ActPalette, ActCopy, ActBrowse, ActSettings,
		ActMouse, ActDots, ActSuspend, ActInterrupt}, a)
}

// The bindings of the host.
var (
	Help = Bind(Everywhere, ActHelp, "?", "help",
		"Show or close this page; F1 also works while typing.", "?", "f1")
	Quit = Bind(Everywhere, ActQuit, "q", "quit",
		"Quit; asks first if a run is training. Checkpoints are kept.", "q")
	Palette = Bind(Everywhere, ActPalette, "ctrl+p", "commands", "Find and run a command.", "ctrl+p")
	Copy    = Bind(Everywhere, ActCopy, "y", "", "Copy the focused panel to the clipboard (OSC 52).", "y")
	Browser = Bind(Everywhere, ActBrowse, "b", "", "Browse all runs.", "b")
	Mouse   = Bind(Everywhere, ActMouse, "m", "",
		"Toggle the mouse; when it is off, the terminal selects text.", "m")
	Dots = Bind(Everywhere, ActDots, "D", "",
		"Toggle braille dots; use strokes if the font lacks dots.", "D")

	OpenSettings = Bind(Everywhere, ActSettings, "f2", "", "Show and change the settings.", "f2")

	Suspend = Bind(Everywhere, ActSuspend, "ctrl+z", "",
		"Suspend the program and its runs; fg continues them.", "ctrl+z")
	Interrupt = Bind(Everywhere, ActInterrupt, "ctrl+c", "",
		"Stop cleanly and quit; twice: quit immediately.", "ctrl+c")
)

// Binding binds keys to an action. Its key.Binding holds Bubble Tea's names of the keys, their label and the
// word in the footer. Arrows in the label are written <up> and so on, and shown as the terminal's glyphs. A
// binding without a word is not in the footer.
type Binding struct {
	Action Action
	key.Binding
	// Sentence describes the action on the help page and in the palette.
	Sentence string
	// Group is the part of the help page that lists the binding.
	Group Group
}

// Group is the heading of a part of the help page.
type Group string

// The groups of bindings.
const (
	Steer      Group = "Steer"      // start, stop and derive runs and sweeps
	Look       Group = "Look"       // move, and choose the contents of panels
	Curves     Group = "Curves"     // axes, window and smoothing of curves
	Pages      Group = "Pages"      // pages of a screen
	Values     Group = "Values"     // edit values and names
	Everywhere Group = "Everywhere" // keys of all screens
)

// groups holds the groups in the order of the help page. Keys without a group come last.
var groups = []Group{Steer, Values, Look, Curves, Pages, Everywhere, ""}

// Bind returns a binding with a group, an action, the label of its keys, its word in the footer ("" for
// none), a sentence for the help page, and its keys.
func Bind(g Group, act Action, label, short, sentence string, keys ...string) Binding {
	return Binding{act, Keys(label, short, keys...), sentence, g}
}

// Keys returns a key.Binding with a label and a word for the footer.
func Keys(label, short string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, short))
}

// The answers to a question. Other keys are ignored.
var (
	AnswerYes = Keys("y", "yes", "y", "Y", "enter")
	AnswerNo  = Keys("n", "no", "n", "N", "esc")
)

// Lookup returns the action of a key in a table, or "" if the table has none.
func Lookup(table []Binding, msg tea.KeyMsg) Action {
	for _, b := range table {
		if key.Matches(msg, b.Binding) {
			return b.Action
		}
	}
	return ""
}

// Find returns the binding of an action in a table.
func Find(table []Binding, act Action) (b Binding, ok bool) {
	i := slices.IndexFunc(table, func(b Binding) bool { return b.Action == act })
	if i < 0 {
		return Binding{}, false
	}
	return table[i], true
}

// KeyLabel replaces the arrows of a label with the terminal's glyphs.
func (g Glyphs) KeyLabel(label string) string {
	if !g.Unicode {
		label = strings.ReplaceAll(label, "><", ">/<")
	}
	return strings.NewReplacer("<up>",
		g.Up, "<down>", g.Down, "<left>", g.Left, "<right>", g.Right).Replace(label)
}

// keyGap separates the keys of a footer.
const keyGap = "  "

// KeyLine returns the footer of a table: as many keys as fit into w cells. If not all keys fit, the help key
// is kept, because it leads to the others.
func (th *Theme) KeyLine(table []Binding, w int) string {
	var keys []string
	for _, b := range th.footerKeys(table, w) {
		keys = append(keys, th.keyText(b))
	}
	return strings.Join(keys, keyGap)
}

// KeyAt returns the action of the key at column x of the footer of a table, or "" if there is none.
func (th *Theme) KeyAt(table []Binding, w, x int) Action {
	from := 0
	for _, b := range th.footerKeys(table, w) {
		to := from + Cells(th.keyText(b))
		if x >= from && x < to {
			return b.Action
		}
		from = to + len(keyGap)
	}
	return ""
}

// keyText returns a key of a footer with its word.
func (th *Theme) keyText(b Binding) string {
	h := b.Help()
	return th.Key.Render(th.Glyphs.KeyLabel(h.Key)) + th.Dim.Render(" "+h.Desc)
}

// footerKeys returns the bindings of a footer of w cells.
func (th *Theme) footerKeys(table []Binding, w int) []Binding {
	list := slices.DeleteFunc(slices.Clone(table), func(b Binding) bool { return b.Help().Desc == "" })
	// leading returns the number of leading bindings that fit into a number of cells.
	leading := func(room int) int {
		for i, b := range list {
			if i > 0 {
				room -= len(keyGap)
			}
			room -= Cells(th.keyText(b))
			if room < 0 {
				return i
			}
		}
		return len(list)
	}
	fit := leading(w)
	help := slices.IndexFunc(list, func(b Binding) bool { return b.Action == ActHelp })
	if help < fit {
		return list[:fit]
	}
	before := leading(w - Cells(th.keyText(list[help])) - len(keyGap))
	if before == 0 {
		return list[:fit]
	}
	return append(list[:before:before], list[help])
}

// The minimum width of a column of the help page, the blanks between columns, and the maximum number
// of columns.
const (
	helpColumn = 54
	helpGap    = 3
	helpMost   = 3
)

// HelpPage returns the help page of a table, w cells wide. Each group is a heading above its keys. If w
// allows, the groups are arranged in columns, in their order and as short as possible.
func (th *Theme) HelpPage(table []Binding, w int) []string {
	var blocks [][]string
	count := max(min((w+helpGap)/(helpColumn+helpGap), helpMost), 1)
	width := (w - (count-1)*helpGap) / count
	height := 0
	for _, g := range groups {
		own := slices.DeleteFunc(slices.Clone(table), func(b Binding) bool { return b.Group != g })
		if len(own) == 0 {
			continue
		}
		block := append([]string{th.Title.Render(th.Fit(string(g), width))}, th.HelpRows(own, width)...)
		blocks = append(blocks, append(block, ""))
		height = max(height, len(block)+1)
	}
	columns := stacked(blocks, height)
	for ; len(columns) > count; height++ {
		columns = stacked(blocks, height+1)
	}
	var rows []string
	for i := range height - 1 { // The last line of a column is blank.
		var cells []string
		for _, column := range columns {
			cell := ""
			if i < len(column) {
				cell = column[i]
			}
			cells = append(cells, th.Fit(cell, width))
		}
		rows = append(rows, strings.Join(cells, strings.Repeat(" ", helpGap)))
	}
	return rows
}

// stacked arranges blocks of lines in columns of at most h lines. No block may be higher than h.
func stacked(blocks [][]string, h int) (columns [][]string) {
	for i, block := range blocks {
		last := len(columns) - 1
		if i == 0 || len(columns[last])+len(block) > h {
			columns = append(columns, block)
			continue
		}
		columns[last] = append(columns[last], block...)
	}
	return columns
}

// HelpRows returns a table of keys, w cells wide. The sentences are wrapped next to the keys, or below them
// if the table is narrow.
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

// Label returns the label of a single binding. In the footer, a label may name a pair of keys, which are
// separate rows on the help page. A binding without keys has the label "-".
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
