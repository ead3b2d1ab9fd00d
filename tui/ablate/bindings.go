package ablate

import (
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Actions that only these two screens have.
const (
	actRetry        kit.Action = "retry"
	actOpenAll      kit.Action = "open_all"
	actMetric       kit.Action = "metric"
	actMetricBefore kit.Action = "metric_before"
	actLogAxis      kit.Action = "log_axis"
	actRanksBy      kit.Action = "ranks_by"
	// The page actions have the same names as on the dashboard.
	actPageCells   kit.Action = "page_training"
	actPageCompare kit.Action = "page_compare"
)

// gridBindings are the keys of the form and the list.
var gridBindings = append(append([]kit.Binding{
	kit.Bind(kit.ActStart, "enter", "start", "Start the sweep; in the list, open the chosen one.", "enter"),
	kit.Bind(kit.ActNextPart, "tab", "next part",
		"Go to the next part: values, earlier sweeps. In a name or the path of a file that is typed, "+
			"complete it.", "tab"),
	kit.Bind(kit.ActPreviousPart, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(form.AddValue, "ctrl+n", "add value",
		"Add the next of the known values: data sets, families, choices.", "ctrl+n"),
	kit.Bind(form.PickFile, "ctrl+o", "",
		"Pick a file of data from a list of folders and of the files that were used last; it joins the "+
			"data sets.", "ctrl+o"),
	kit.Bind(kit.ActBack, "esc", "",
		"Take back what was typed into this line, or else go back to the screen before. It never stops a "+
			"sweep.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
)

// progressBindings are the keys of the screen of one sweep.
var progressBindings = []kit.Binding{
	kit.Bind(kit.ActPause, "space", "pause",
		"Pause all runs, and go on; resume a sweep that nobody works on.", " "),
	kit.Bind(kit.ActOpen, "enter", "open run",
		"Show the run of the chosen cell on the dashboard; in the comparison, the focused panel on the "+
			"whole screen, and back.", "enter"),
	kit.Bind(kit.ActFocusNext, "tab", "focus", "Go to the next panel.", "tab"),
	kit.Bind(actPageCells, "1", "cells", "The training: the cells, a metric against an axis, and the scores.",
		"1"),
	kit.Bind(actPageCompare, "2", "compare",
		"The comparison of the runs that are done: tables by all usual metrics, ranks and their tests, "+
			"direct comparisons, notes.", "2"),
	kit.Bind(kit.ActLeft, "<left>", "",
		"In the comparison, compare the method before directly with each other one.", "left"),
	kit.Bind(kit.ActRight, "<left><right>", "method A",
		"In the comparison, compare the next method directly with each other one.", "right"),
	kit.Bind(actMetric, "o", "metric", "Show the next metric.", "o"),
	kit.Bind(actRanksBy, "P", "ranks by split",
		"In the comparison, rank methods on every split, whose tests are optimistic, or on every data set "+
			"again.", "P"),
	kit.Bind(kit.ActXAxis, "x", "axis", "Show the metric against the next axis.", "x"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActStop, "s", "stop", "Stop the sweep: its runs keep checkpoints and it can be resumed.",
		"s"),
	kit.Bind(actRetry, "R", "retry failed", "Train the cells again that failed or were stopped.", "R"),
	kit.Bind(actMetricBefore, "O", "", "Show the metric before.", "O"),
	kit.Bind(actOpenAll, "A", "",
		"Show all runs of the sweep on the dashboard: seeds and splits as one line with mean and band.", "A"),
	kit.Bind(actLogAxis, "l", "log axis", "Make the axis of the plot logarithmic, and linear again.", "l"),
	kit.Bind(kit.ActFocusPrevious, "shift+tab", "", "Go to the panel before.", "shift+tab"),
	kit.Bind(kit.ActUp, "<up>", "", "Choose the cell above; in the comparison, scroll.", "up"),
	kit.Bind(kit.ActDown, "<down>", "", "Choose the cell below; in the comparison, scroll.", "down"),
	kit.Bind(kit.ActPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(kit.ActFirst, "home", "", "Choose the first cell; go to the start of a panel.", "home"),
	kit.Bind(kit.ActLast, "end", "", "Choose the last cell; go to the end of a panel.", "end"),
	kit.Bind(kit.ActAblate, "a", "", "Go to the form with the values of this sweep.", "a"),
	kit.Bind(kit.ActBack, "esc", "",
		"Leave the whole screen and then the comparison, or go back to the screen before. It never stops a "+
			"sweep.", "esc"),
}
