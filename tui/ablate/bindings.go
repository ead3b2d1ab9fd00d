package ablate

import (
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// What keys ask for on these two screens alone; the rest is the kit's.
const (
	actRetry        kit.Action = "retry"
	actOpenAll      kit.Action = "open_all"
	actMetric       kit.Action = "metric"
	actMetricBefore kit.Action = "metric_before"
	actLogAxis      kit.Action = "log_axis"
)

// gridBindings are the keys of the form and the list.
var gridBindings = append(append([]kit.Binding{
	kit.Bind(kit.ActStart, "enter", "start", "Start the sweep; in the list, open the chosen one.", "enter"),
	kit.Bind(kit.ActNextPart, "tab", "next part", "Go to the next part: values, earlier sweeps.", "tab"),
	kit.Bind(kit.ActPreviousPart, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(form.AddValue, "ctrl+n", "add value", "Add the next of the known values: data sets, families, choices.", "ctrl+n"),
	kit.Bind(kit.ActBack, "esc", "", "Take back what was typed into this line, or else go back to the screen before. It never stops a sweep.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
)

// progressBindings are the keys of the screen of one sweep.
var progressBindings = []kit.Binding{
	kit.Bind(kit.ActPause, "space", "pause", "Pause all runs, and go on; resume a sweep that nobody works on.", " "),
	kit.Bind(kit.ActOpen, "enter", "open run", "Show the run of the chosen cell on the dashboard.", "enter"),
	kit.Bind(kit.ActFocusNext, "tab", "focus", "Go to the next panel.", "tab"),
	kit.Bind(actMetric, "o", "metric", "Show the next metric.", "o"),
	kit.Bind(kit.ActXAxis, "x", "axis", "Show the metric against the next axis.", "x"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActStop, "s", "stop", "Stop the sweep: its runs keep checkpoints and it can be resumed.", "s"),
	kit.Bind(actRetry, "R", "retry failed", "Train the cells again that failed or were stopped.", "R"),
	kit.Bind(actMetricBefore, "O", "", "Show the metric before.", "O"),
	kit.Bind(actOpenAll, "A", "", "Show all runs of the sweep on the dashboard: seeds and splits as one line with mean and band.", "A"),
	kit.Bind(actLogAxis, "l", "log axis", "Make the axis of the plot logarithmic, and linear again.", "l"),
	kit.Bind(kit.ActFocusPrevious, "shift+tab", "", "Go to the panel before.", "shift+tab"),
	kit.Bind(kit.ActUp, "<up>", "", "Choose the cell above.", "up"),
	kit.Bind(kit.ActDown, "<down>", "", "Choose the cell below.", "down"),
	kit.Bind(kit.ActPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(kit.ActFirst, "home", "", "Choose the first cell.", "home"),
	kit.Bind(kit.ActLast, "end", "", "Choose the last cell.", "end"),
	kit.Bind(kit.ActAblate, "a", "", "Go to the form with the values of this sweep.", "a"),
	kit.Bind(kit.ActBack, "esc", "", "Go back to the screen before. It never stops a sweep.", "esc"),
}
