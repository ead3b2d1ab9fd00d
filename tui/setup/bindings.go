package setup

import "dgplab/tui/kit"

// What keys ask for on the set-up screen alone; the rest is the kit's.
const (
	actNextChoice kit.Action = "next_choice"
	actFetch      kit.Action = "fetch"
)

var bindings = []kit.Binding{
	kit.Bind(kit.ActStart, "enter", "start", "Start the run.", "enter"),
	kit.Bind(kit.ActNextPart, "tab", "next part", "Go to the next part: data set, family, settings.", "tab"),
	kit.Bind(kit.ActPreviousPart, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(kit.ActUp, "<up>", "", "Choose the line above.", "up"),
	kit.Bind(kit.ActDown, "<up><down>", "choose", "Choose the line below.", "down"),
	kit.Bind(kit.ActLeft, "<left>", "", "Choose the value before; in a text, go left.", "left"),
	kit.Bind(kit.ActRight, "<left><right>", "change", "Choose the next value; in a text, go right.", "right"),
	kit.Bind(kit.ActBack, "esc", "", "Take back what was typed into this line, or else go back to the screen before. It never stops a run.", "esc"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(actNextChoice, "space", "", "Choose the next value; in a text, type a space.", " "),
	kit.Bind(kit.ActErase, "backspace", "", "Edit the value: erase its last character. What is typed on a line just chosen replaces the value.", "backspace", "ctrl+h"),
	kit.Bind(kit.ActEraseWord, "ctrl+w", "", "Erase the word before the caret.", "ctrl+w", "alt+backspace"),
	kit.Bind(kit.ActTextEnds, "home, end", "", "Go to the start or the end of a text.", "home", "end", "ctrl+a", "ctrl+e"),
	kit.Bind(kit.ActReset, "ctrl+u", "default", "Put the default value back; in a path, erase it. In a text that is being edited, delete erases a character.", "ctrl+u", "delete"),
	kit.Bind(actFetch, "f", "fetch", "Download the chosen data set, or cancel the download.", "f"),
	kit.Bind(kit.ActAblate, "a", "ablate", "Train a grid of runs around this configuration.", "a"),
}
