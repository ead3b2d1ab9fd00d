package sweep

import (
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Actions that only the two screens of this package have.
const (
	actRetry        kit.Action = "retry"
	actOpenAll      kit.Action = "open_all"
	actMetric       kit.Action = "metric"
	actMetricBefore kit.Action = "previous_metric"
	actLogAxis      kit.Action = "log_axis"
	actCurves       kit.Action = "curves"
	actBaselineOff  kit.Action = "baseline_off"
	actRanksBy      kit.Action = "ranks_by"
	actDownload     kit.Action = "download"
	actPageCells    kit.Action = "page_cells"
	// The name of this page action is the same as on the dashboard.
	actPageCompare kit.Action = "page_compare"
)

// gridBindings holds the keys of the form and the list.
var gridBindings = append(append([]kit.Binding{
	kit.Bind(kit.Steer, kit.ActStart, "enter", "start",
		"Start the sweep; in the list: open the selected one.", "enter"),
	kit.Bind(kit.Look, kit.ActNextPart, "tab", "next part",
		"Go to the next part; complete a name or path while typing.",
		"tab"),
	kit.Bind(kit.Look, kit.ActPreviousPart, "shift+tab", "", "Go to the previous part.", "shift+tab"),
	kit.Bind(kit.Values, form.AddValue, "ctrl+n", "add value",
		"Add the next known data set, family or choice.", "ctrl+n"),
	kit.Bind(kit.Steer, form.PickFile, "ctrl+o", "",
		"Pick a data file and add it to the data sets.", "ctrl+o"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "", "Undo typing, or go back. Sweeps continue.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
)

// progressBindings holds the keys of the screen of a sweep.
var progressBindings = []kit.Binding{
	kit.Bind(kit.Steer, kit.ActPause, "space", "pause",
		"Pause or continue all runs; resume a sweep that is not running.", " "),
	kit.Bind(kit.Steer, kit.ActOpen, "enter", "open run",
		"Open the run of the selected cell on the dashboard; in the comparison: zoom the panel.", "enter"),
	kit.Bind(kit.Look, kit.ActFocusNext, "tab", "focus", "Focus the next panel.", "tab"),
	kit.Bind(kit.Pages, actPageCells, "1", "cells", "Show cells, plot and scores.", "1"),
	kit.Bind(kit.Pages, actPageCompare, "2", "compare",
		"Compare the finished runs: tables, ranks, tests and notes.", "2"),
	kit.Bind(kit.Look, kit.ActLeft, "<left>", "", "Comparison: select the previous method A.", "left"),
	kit.Bind(kit.Look, kit.ActRight, "<left><right>", "method A",
		"Comparison: select the next method A.", "right"),
	kit.Bind(kit.Look, actMetric, "o", "metric", "Show the next metric.", "o"),
	kit.Bind(kit.Look, actRanksBy, "P", "ranks by split",
		"Comparison: rank methods per split (optimistic tests) or per data set.", "P"),
	kit.Bind(kit.Look, kit.ActXAxis, "x", "axis", "Plot against the next axis.", "x"),
	kit.Bind(kit.Look, actCurves, "v", "curves",
		"Show the validation curves of the runs in place of the plot, or the plot again.", "v"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.Steer, kit.ActStop, "s", "stop",
		"Stop the sweep; it can be resumed. On Slurm: cancel all tasks.", "s"),
	kit.Bind(kit.Steer, actRetry, "R", "retry failed",
		"Retry failed and stopped cells. On Slurm: submit all unfinished cells again.", "R"),
	kit.Bind(kit.Look, actMetricBefore, "O", "", "Show the previous metric.", "O"),
	kit.Bind(kit.Steer, actOpenAll, "A", "",
		"Show all runs on the dashboard, grouped by seed and split.", "A"),
	kit.Bind(kit.Look, actLogAxis, "l", "log axis", "Toggle the logarithmic axis of the plot.", "l"),
	kit.Bind(kit.Look, actBaselineOff, "B", "",
		"Exclude the baseline from the range of the plot; a mark at the edge shows where it is.", "B"),
	kit.Bind(kit.Look, kit.ActFocusPrevious, "shift+tab", "", "Focus the previous panel.", "shift+tab"),
	kit.Bind(kit.Look, kit.ActUp, "<up>", "",
		"Select the previous cell; in the comparison: scroll up.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<down>", "",
		"Select the next cell; in the comparison: scroll down.", "down"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "Go to the first cell, or to the top of the panel.", "home"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "Go to the last cell, or to the bottom of the panel.", "end"),
	kit.Bind(kit.Steer, kit.ActSweep, "a", "", "Set up a sweep with the values of this sweep.", "a"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "",
		"Leave the zoomed panel, the comparison or the screen. Sweeps continue.",
		"esc"),
}
