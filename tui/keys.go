package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// action is what a key asks for.
type action int

const (
	actNone action = iota
	actPause
	actStop
	actCheckpoint
	actNew
	actExport
	actFocusNext
	actFocusPrevious
	actZoom
	actTimeAxis
	actLogAxis
	actSmoother
	actRougher
	actPreviousLayer
	actNextLayer
	actPreviousGP
	actNextGP
	actNextSection
	actPreviousSection
	actUp
	actDown
	actPageUp
	actPageDown
	actLeft
	actRight
	actNextChoice
	actEdit // bubbles/textinput knows what the key does
	actReset
	actFetch
	actStart
	actBack
	actMouse
	actHelp
	actQuit
	actInterrupt
)

// screenID names a screen; scopes are sets of them.
type screenID int

const (
	onSetup screenID = 1 << iota
	onDash
	everywhere = onSetup | onDash
)

// binding ties keys to an action on some screens.
type binding struct {
	action  action
	screens screenID
	// Binding has Bubble Tea's names of the keys, how a person reads them (arrows
	// are written <up> and so on, and shown with the terminal's signs) and the word
	// in the footer, "" keeps the binding out of it.
	key.Binding
	// help is one sentence for the help page.
	help string
}

// bind returns the keys of a binding, their label and their word in the footer.
func bind(label, short string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, short))
}

// bindings is every key of the program: dispatch, footers and the help page are
// made from it. The order is that of the footer and of the help page.
var bindings = []binding{
	{actPause, onDash, bind("space", "pause", " "), "Pause the training, or continue it."},
	{actZoom, onDash, bind("enter", "zoom", "enter"), "Show the focused panel on the whole screen, and back."},
	{actFocusNext, onDash, bind("tab", "focus", "tab"), "Focus the next panel."},
	{actFocusPrevious, onDash, bind("shift+tab", "", "shift+tab"), "Focus the panel before."},

	{actStart, onSetup, bind("enter", "start", "enter"), "Start the run."},
	{actNextSection, onSetup, bind("tab", "next part", "tab"), "Go to the next part: data set, family, settings."},
	{actPreviousSection, onSetup, bind("shift+tab", "", "shift+tab"), "Go to the part before."},
	{actUp, onSetup, bind("<up>", "", "up"), "Choose the line above."},
	{actDown, onSetup, bind("<up><down>", "choose", "down"), "Choose the line below."},
	{actLeft, onSetup, bind("<left>", "", "left"), "Choose the value before; in a text, go left."},
	{actRight, onSetup, bind("<left><right>", "change", "right"), "Choose the next value; in a text, go right."},

	{actHelp, everywhere, bind("?", "help", "?"), "Show this page, and leave it."},
	{actQuit, everywhere, bind("q", "quit", "q"), "Quit. While a run is going this asks, stops it and keeps its checkpoint."},

	{actPreviousLayer, onDash, bind("<left>", "", "left"), "Look into the layer before."},
	{actNextLayer, onDash, bind("<left><right>", "layer", "right"), "Look into the next layer."},
	{actPreviousGP, onDash, bind("<up>", "", "up"), "Look at the GP before, of this layer."},
	{actNextGP, onDash, bind("<up><down>", "GP", "down"), "Look at the next GP of this layer."},
	{actStop, onDash, bind("s", "stop", "s"), "Stop the run: it is evaluated on its test part and its checkpoint is kept."},
	{actCheckpoint, onDash, bind("k", "checkpoint", "k"), "Write a checkpoint now."},
	{actExport, onDash, bind("e", "export", "e"), "Write curves, map and samples as PNG, SVG and CSV into the run directory."},
	{actNew, onDash, bind("n", "new", "n"), "Set up a new run. While one is going this asks."},
	{actTimeAxis, onDash, bind("x", "time axis", "x"), "Draw curves over steps, or over training time without pauses."},
	{actLogAxis, onDash, bind("l", "log axis", "l"), "Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis."},
	{actSmoother, onDash, bind("+", "", "+", "="), "Smooth the ELBO more; the raw curve stays visible."},
	{actRougher, onDash, bind("+-", "smooth", "-", "_"), "Smooth the ELBO less."},

	{actPageUp, onSetup, bind("pgup", "", "pgup"), "Go up a page."},
	{actPageDown, onSetup, bind("pgdown", "", "pgdown"), "Go down a page."},
	{actNextChoice, onSetup, bind("space", "", " "), "Choose the next value; in a text, type a space."},
	{actEdit, onSetup, bind("backspace", "", "backspace", "ctrl+h"), "Erase the character before the caret; values are changed by typing."},
	{actEdit, onSetup, bind("ctrl+w", "", "ctrl+w", "alt+backspace"), "Erase the word before the caret."},
	{actEdit, onSetup, bind("home, end", "", "home", "end", "ctrl+a", "ctrl+e"), "Go to the start or the end of a text."},
	{actReset, onSetup, bind("ctrl+u", "default", "ctrl+u", "delete"), "Put the default value back; in a path, erase it."},
	{actFetch, onSetup, bind("f", "fetch", "f"), "Download the chosen data set, or cancel the download."},
	{actBack, onSetup, bind("esc", "", "esc"), "Go back to the last run's dashboard. It never stops a run."},

	{actMouse, everywhere, bind("m", "", "m"), "Turn the mouse off, so that the terminal can select text, and on."},
	{actInterrupt, everywhere, bind("ctrl+c", "", "ctrl+c"), "Stop cleanly and quit; twice, quit at once."},
}

// The answers to a question. Nothing else is one.
var (
	answerYes = bind("y", "es", "y", "Y", "enter")
	answerNo  = bind("n", "o", "n", "N", "esc")
)

// lookup returns what a key asks for on a screen, actNone if nothing.
func lookup(on screenID, msg tea.KeyMsg) action {
	for _, b := range bindings {
		if b.screens&on != 0 && key.Matches(msg, b.Binding) {
			return b.action
		}
	}
	return actNone
}

// keyLabel writes a label with the signs of the terminal.
func (g glyphs) keyLabel(label string) string {
	if !g.unicode {
		label = strings.ReplaceAll(label, "><", ">/<")
	}
	return strings.NewReplacer("<up>", g.up, "<down>", g.down, "<left>", g.left, "<right>", g.right).Replace(label)
}

// keyLine returns the footer's keys of a screen, as many as fit in w cells.
func (th *theme) keyLine(on screenID, w int) string {
	var shown []key.Binding
	for _, b := range bindings {
		if h := b.Help(); b.screens&on != 0 && h.Desc != "" {
			b.SetHelp(th.glyphs.keyLabel(h.Key), h.Desc)
			shown = append(shown, b.Binding)
		}
	}
	line := help.Model{Width: w, ShortSeparator: "  ", Styles: help.Styles{
		ShortKey: th.key, ShortDesc: th.dim, ShortSeparator: th.plain, Ellipsis: th.plain,
	}}
	// The line is longer than asked for when it is full but for a cell.
	return ansi.Truncate(line.ShortHelpView(shown), max(w, 0), "")
}
