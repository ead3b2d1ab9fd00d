package tui

import "strings"

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
	actErase
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
	// keys are Bubble Tea's names of the keys.
	keys []string
	// label is how a person reads the keys; arrows are written <up> and so on,
	// and shown with the terminal's signs.
	label string
	// short is the word in the footer, "" keeps the binding out of it.
	short string
	// help is one sentence for the help page.
	help string
}

// bindings is every key of the program: dispatch, footers and the help page are
// made from it. The order is that of the footer and of the help page.
var bindings = []binding{
	{actPause, onDash, []string{" "}, "space", "pause", "Pause the training, or continue it."},
	{actZoom, onDash, []string{"enter"}, "enter", "zoom", "Show the focused panel on the whole screen, and back."},
	{actFocusNext, onDash, []string{"tab"}, "tab", "focus", "Focus the next panel."},
	{actFocusPrevious, onDash, []string{"shift+tab"}, "shift+tab", "", "Focus the panel before."},

	{actStart, onSetup, []string{"enter"}, "enter", "start", "Start the run."},
	{actNextSection, onSetup, []string{"tab"}, "tab", "next part", "Go to the next part: data set, family, settings."},
	{actPreviousSection, onSetup, []string{"shift+tab"}, "shift+tab", "", "Go to the part before."},
	{actUp, onSetup, []string{"up"}, "<up>", "", "Choose the line above."},
	{actDown, onSetup, []string{"down"}, "<up><down>", "choose", "Choose the line below."},
	{actLeft, onSetup, []string{"left"}, "<left>", "", "Choose the value before; in a text, go left."},
	{actRight, onSetup, []string{"right"}, "<left><right>", "change", "Choose the next value; in a text, go right."},

	{actHelp, everywhere, []string{"?"}, "?", "help", "Show this page, and leave it."},
	{actQuit, everywhere, []string{"q"}, "q", "quit", "Quit. While a run is going this asks, stops it and keeps its checkpoint."},

	{actPreviousLayer, onDash, []string{"left"}, "<left>", "", "Look into the layer before."},
	{actNextLayer, onDash, []string{"right"}, "<left><right>", "layer", "Look into the next layer."},
	{actPreviousGP, onDash, []string{"up"}, "<up>", "", "Look at the GP before, of this layer."},
	{actNextGP, onDash, []string{"down"}, "<up><down>", "GP", "Look at the next GP of this layer."},
	{actStop, onDash, []string{"s"}, "s", "stop", "Stop the run: it is evaluated on its test part and its checkpoint is kept."},
	{actCheckpoint, onDash, []string{"k"}, "k", "checkpoint", "Write a checkpoint now."},
	{actExport, onDash, []string{"e"}, "e", "export", "Write curves, map and samples as PNG, SVG and CSV into the run directory."},
	{actNew, onDash, []string{"n"}, "n", "new", "Set up a new run. While one is going this asks."},
	{actTimeAxis, onDash, []string{"x"}, "x", "time axis", "Draw curves over steps, or over training time without pauses."},
	{actLogAxis, onDash, []string{"l"}, "l", "log axis", "Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis."},
	{actSmoother, onDash, []string{"+", "="}, "+", "", "Smooth the ELBO more; the raw curve stays visible."},
	{actRougher, onDash, []string{"-", "_"}, "+-", "smooth", "Smooth the ELBO less."},

	{actPageUp, onSetup, []string{"pgup"}, "pgup", "", "Go up a page."},
	{actPageDown, onSetup, []string{"pgdown"}, "pgdown", "", "Go down a page."},
	{actErase, onSetup, []string{"backspace"}, "backspace", "", "Erase the character before the caret; values are changed by typing."},
	{actReset, onSetup, []string{"ctrl+u", "delete"}, "ctrl+u", "default", "Put the default value back; in a path, erase it."},
	{actFetch, onSetup, []string{"f"}, "f", "fetch", "Download the chosen data set, or cancel the download."},
	{actBack, onSetup, []string{"esc"}, "esc", "", "Go back to the last run's dashboard. It never stops a run."},

	{actMouse, everywhere, []string{"m"}, "m", "", "Turn the mouse off, so that the terminal can select text, and on."},
	{actInterrupt, everywhere, []string{"ctrl+c"}, "ctrl+c", "", "Stop cleanly and quit; twice, quit at once."},
}

// lookup returns what a key asks for on a screen, actNone if nothing.
func lookup(on screenID, key string) action {
	for _, b := range bindings {
		if b.screens&on == 0 {
			continue
		}
		for _, k := range b.keys {
			if k == key {
				return b.action
			}
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
	var segments []string
	for _, b := range bindings {
		if b.screens&on != 0 && b.short != "" {
			segments = append(segments, th.key.Render(th.glyphs.keyLabel(b.label))+" "+th.dim.Render(b.short))
		}
	}
	return joinFitting(w, "  ", segments...)
}
