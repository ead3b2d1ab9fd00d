package setup

import "dgplab/tui/kit"

// What the keys of the set-up screen ask for.
const (
	actStart           kit.Action = "start"
	actNextSection     kit.Action = "next_part"
	actPreviousSection kit.Action = "previous_part"
	actUp              kit.Action = "up"
	actDown            kit.Action = "down"
	actPageUp          kit.Action = "page_up"
	actPageDown        kit.Action = "page_down"
	actLeft            kit.Action = "left"
	actRight           kit.Action = "right"
	actNextChoice      kit.Action = "next_choice"
	actErase           kit.Action = "erase" // these four are bubbles/textinput's
	actEraseWord       kit.Action = "erase_word"
	actEnds            kit.Action = "text_ends"
	actReset           kit.Action = "reset"
	actFetch           kit.Action = "fetch"
	actAblate          kit.Action = "ablate"
	actBack            kit.Action = "back"
)

var bindings = []kit.Binding{
	kit.Bind(actStart, "enter", "start", "Start the run.", "enter"),
	kit.Bind(actNextSection, "tab", "next part", "Go to the next part: data set, family, settings.", "tab"),
	kit.Bind(actPreviousSection, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(actUp, "<up>", "", "Choose the line above.", "up"),
	kit.Bind(actDown, "<up><down>", "choose", "Choose the line below.", "down"),
	kit.Bind(actLeft, "<left>", "", "Choose the value before; in a text, go left.", "left"),
	kit.Bind(actRight, "<left><right>", "change", "Choose the next value; in a text, go right.", "right"),
	kit.Bind(actBack, "esc", "", "Take back what was typed into this line, or else go back to the screen before. It never stops a run.", "esc"),
	kit.Help,
	kit.Quit,
	kit.Bind(actPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(actPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(actNextChoice, "space", "", "Choose the next value; in a text, type a space.", " "),
	kit.Bind(actErase, "backspace", "", "Edit the value: erase its last character. What is typed on a line just chosen replaces the value.", "backspace", "ctrl+h"),
	kit.Bind(actEraseWord, "ctrl+w", "", "Erase the word before the caret.", "ctrl+w", "alt+backspace"),
	kit.Bind(actEnds, "home, end", "", "Go to the start or the end of a text.", "home", "end", "ctrl+a", "ctrl+e"),
	kit.Bind(actReset, "ctrl+u", "default", "Put the default value back; in a path, erase it. In a text that is being edited, delete erases a character.", "ctrl+u", "delete"),
	kit.Bind(actFetch, "f", "fetch", "Download the chosen data set, or cancel the download.", "f"),
	kit.Bind(actAblate, "a", "ablate", "Train a grid of runs around this configuration.", "a"),
}
