package ablate

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"dgplab/tui/kit"
)

// What the keys of the two screens ask for.
const (
	actStart        kit.Action = "start"
	actNextPart     kit.Action = "next_part"
	actPreviousPart kit.Action = "previous_part"
	actUp           kit.Action = "up"
	actDown         kit.Action = "down"
	actPageUp       kit.Action = "page_up"
	actPageDown     kit.Action = "page_down"
	actLeft         kit.Action = "left"
	actRight        kit.Action = "right"
	actAdd          kit.Action = "add_value"
	actErase        kit.Action = "erase" // these three are bubbles/textinput's
	actEraseWord    kit.Action = "erase_word"
	actEnds         kit.Action = "text_ends"
	actReset        kit.Action = "reset"
	actBack         kit.Action = "back"

	actNextFocus     kit.Action = "focus_next"
	actPreviousFocus kit.Action = "focus_previous"
	actOpen          kit.Action = "open"
	actPause         kit.Action = "pause"
	actStop          kit.Action = "stop"
	actRetry         kit.Action = "retry"
	actMetric        kit.Action = "metric"
	actMetricBefore  kit.Action = "metric_before"
	actXAxis         kit.Action = "x_axis"
	actLogAxis       kit.Action = "log_axis"
	actFirst         kit.Action = "first"
	actLast          kit.Action = "last"
	actEdit          kit.Action = "ablate"
)

// gridBindings are the keys of the form and the list.
var gridBindings = []kit.Binding{
	kit.Bind(actStart, "enter", "start", "Start the sweep; in the list, open the chosen one.", "enter"),
	kit.Bind(actNextPart, "tab", "next part", "Go to the next part: values, earlier sweeps.", "tab"),
	kit.Bind(actPreviousPart, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(actUp, "<up>", "", "Choose the line above.", "up"),
	kit.Bind(actDown, "<up><down>", "choose", "Choose the line below.", "down"),
	kit.Bind(actAdd, "ctrl+n", "add value", "Add the next of the known values: data sets, families, choices.", "ctrl+n"),
	kit.Bind(actReset, "ctrl+u", "default", "Put the default value back. In a text that is being edited, delete erases a character.", "ctrl+u", "delete"),
	kit.Bind(actBack, "esc", "", "Take back what was typed into this line, or else go back to the screen before. It never stops a sweep.", "esc"),
	kit.Help,
	kit.Quit,
	kit.Bind(actPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(actPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(actLeft, "<left>", "", "Go left in the text.", "left"),
	kit.Bind(actRight, "<right>", "", "Go right in the text.", "right"),
	kit.Bind(actErase, "backspace", "", "Edit the values: erase their last character. What is typed on a line just chosen replaces the values.", "backspace", "ctrl+h"),
	kit.Bind(actEraseWord, "ctrl+w", "", "Erase the word before the caret.", "ctrl+w", "alt+backspace"),
	kit.Bind(actEnds, "home, end", "", "Go to the start or the end of the text.", "home", "end", "ctrl+a", "ctrl+e"),
}

// progressBindings are the keys of the screen of one sweep.
var progressBindings = []kit.Binding{
	kit.Bind(actPause, "space", "pause", "Pause all runs, and go on; resume a sweep that nobody works on.", " "),
	kit.Bind(actOpen, "enter", "open run", "Show the run of the chosen cell on the dashboard.", "enter"),
	kit.Bind(actNextFocus, "tab", "focus", "Go to the next panel.", "tab"),
	kit.Bind(actMetric, "o", "metric", "Show the next metric.", "o"),
	kit.Bind(actXAxis, "x", "axis", "Show the metric against the next axis.", "x"),
	kit.Help,
	kit.Quit,
	kit.Bind(actStop, "s", "stop", "Stop the sweep: its runs keep checkpoints and it can be resumed.", "s"),
	kit.Bind(actRetry, "R", "retry failed", "Train the cells again that failed or were stopped.", "R"),
	kit.Bind(actMetricBefore, "O", "", "Show the metric before.", "O"),
	kit.Bind(actLogAxis, "l", "log axis", "Make the axis of the plot logarithmic, and linear again.", "l"),
	kit.Bind(actPreviousFocus, "shift+tab", "", "Go to the panel before.", "shift+tab"),
	kit.Bind(actUp, "<up>", "", "Choose the cell above.", "up"),
	kit.Bind(actDown, "<down>", "", "Choose the cell below.", "down"),
	kit.Bind(actPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(actPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(actFirst, "home", "", "Choose the first cell.", "home"),
	kit.Bind(actLast, "end", "", "Choose the last cell.", "end"),
	kit.Bind(actEdit, "a", "", "Go to the form with the values of this sweep.", "a"),
	kit.Bind(actBack, "esc", "", "Go back to the screen before. It never stops a sweep.", "esc"),
}

// binding returns the keys of an action.
func binding(table []kit.Binding, act kit.Action) key.Binding {
	i := slices.IndexFunc(table, func(b kit.Binding) bool { return b.Action == act })
	return table[i].Binding
}
