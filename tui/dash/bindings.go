package dash

import (
	"slices"
	"strconv"

	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// Actions on runs and on the view. Package kit defines the actions that several screens share.
const (
	actNextRun     kit.Action = "next_run"
	actPreviousRun kit.Action = "previous_run"
	actRemove      kit.Action = "remove"
	actCheckpoint  kit.Action = "checkpoint"
	actResume      kit.Action = "resume"
	actFinish      kit.Action = "finish"
	actForkWarm    kit.Action = "fork_warm"
	actSuggest     kit.Action = "suggest"
	actExport      kit.Action = "export"
)

// allBindings returns the keys for runs, pages and panels, followed by the other keys.
func (d *Dash) allBindings() []kit.Binding {
	list := slices.Clone(runBindings)
	for i, p := range d.Pages {
		key := strconv.Itoa(i + 1)
		list = append(list, kit.Bind(kit.Pages, pageAction(p), key, "", p.About, key))
	}
	list = append(list, arrowBindings...)
	list = append(list, panelBindings...)
	return append(list, workBindings...)
}

// pageAction returns the action that opens a page.
func pageAction(p board.Page) kit.Action { return kit.Action("page_" + p.Name) }

var runBindings = []kit.Binding{
	kit.Bind(kit.Steer, kit.ActPause, "space", "pause",
		"Pause or continue the training of the selected run.", " "),
	kit.Bind(kit.Look, board.ActEnlarge, "enter", "zoom",
		"Show the focused panel on the whole screen, or return to all panels.",
		"enter"),
	kit.Bind(kit.Look, kit.ActFocusNext, "tab", "focus", "Focus the next panel.", "tab"),
	kit.Bind(kit.Look, kit.ActFocusPrevious, "shift+tab", "", "Focus the previous panel.", "shift+tab"),
	kit.Bind(kit.Look, board.ActGuide, "h", "",
		"Explain the focused panel and how to read it; in health, the selected light and what to do.", "h"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.Steer, kit.ActNewRun, "n", "new",
		"Set up a new run, which is added to the screen. At most four are shown.", "n"),
	kit.Bind(kit.Steer, actNextRun, ".", "next run",
		"Select the next run. Keys that control a run, and panels about a single run, refer to the "+
			"selected run.",
		"."),
	kit.Bind(kit.Steer, actPreviousRun, ",", "", "Select the previous run.", ","),
	kit.Bind(kit.Steer, actRemove, "N", "",
		"Remove the selected run from the screen (training continues).", "N"),
	kit.Bind(kit.Steer, kit.ActStop, "s", "stop",
		"Stop the selected run. It is evaluated on its test set and its checkpoint is kept.", "s"),
}

// arrowBindings holds the arrow keys.
var arrowBindings = []kit.Binding{
	kit.Bind(kit.Look, kit.ActLeft, "<left>", "",
		"Move the cursor of the curves or of the covariance to the left; in pictures, show the previous "+
			"layer, input, point or quantity; in tables, sort by the previous column.", "left"),
	kit.Bind(kit.Look, kit.ActRight, "<left><right>", "look",
		"Move the cursor of the curves or of the covariance to the right; in pictures, show the next "+
			"layer, input, point or quantity; in tables, sort by the next column.", "right"),
	kit.Bind(kit.Look, kit.ActUp, "<up>", "",
		"Move a cursor up; in pictures, show the previous GP, function, target or quantity; in the curves "+
			"and the table, select the run above; in health and predictions, select the row above.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<up><down>", "",
		"Move a cursor down; in pictures, show the next GP, function, target or quantity; in the curves and "+
			"the table, select the run below; in health and predictions, select the row below.", "down"),
}

// panelBindings holds the keys of panels.
var panelBindings = []kit.Binding{
	kit.Bind(kit.Curves, board.ActZoomIn, "]", "zoom in",
		"Zoom in around the cursor, as the mouse wheel does. New points do not move the window.",
		"]"),
	kit.Bind(kit.Curves, board.ActZoomOut, "[", "", "Zoom out.", "["),
	kit.Bind(kit.Curves, board.ActPanLeft, "<", "",
		"Move the zoomed curves to earlier steps.", "<", "shift+left"),
	kit.Bind(kit.Curves, board.ActPanRight, ">", "",
		"Move the zoomed curves to later steps. At the newest step they follow the training.",
		">", "shift+right"),
	kit.Bind(kit.Curves, board.ActZoomReset, "0", "", "Show all steps.", "0"),
	kit.Bind(kit.Curves, board.ActFollow, "f", "",
		"Make the zoomed curves follow the newest step, or stop following.",
		"f"),
	kit.Bind(kit.Curves, kit.ActXAxis, "x", "x axis",
		"Draw curves over steps, epochs or training time (without pauses). Runs of several families are "+
			"drawn over time at first.",
		"x"),
	kit.Bind(kit.Curves, board.ActLogX, "X", "",
		"Draw curves over the logarithm of steps, epochs or time, or over their values.",
		"X"),
	kit.Bind(kit.Curves, board.ActYAxis, "l", "y axis",
		"Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis.", "l"),
	kit.Bind(kit.Curves, board.ActSmoother, "+", "",
		"Smooth the objective more; the raw curve stays visible.", "+", "="),
	kit.Bind(kit.Curves, board.ActRougher, "+-", "smooth", "Smooth the objective less.", "-", "_"),
	kit.Bind(kit.Curves, board.ActClip, "c", "",
		"Fit the vertical axis to recent values, to all values except outliers, or to all. Points outside "+
			"are marked and counted.", "c"),
	kit.Bind(kit.Curves, board.ActPerPoint, "p", "", "Show the objective per data point or as a sum.", "p"),
	kit.Bind(kit.Curves, board.ActGroup, "g", "",
		"Draw runs that differ only in the seed as one curve (mean and standard error), or separately.", "g"),
	kit.Bind(kit.Look, board.ActCovarianceCursor, "C", "",
		"Show or remove a cursor on the covariance maps. The arrows move it, and the line below shows "+
			"the entry at the cursor.", "C"),
	kit.Bind(kit.Look, board.ActNextLayer, "L", "",
		"Show the next layer: its inducing points, quadrature points and samples.", "L"),
	kit.Bind(kit.Look, board.ActMatrices, "M", "",
		"In health, show every matrix or the worst ones of each layer.", "M"),
	kit.Bind(kit.Look, kit.ActReverse, "i", "", "Reverse the order of the table.", "i"),
	kit.Bind(kit.Look, board.ActFitTarget, "t", "", "In the fit, show the next target or class.", "t"),
	kit.Bind(kit.Look, board.ActPlaneField, "o", "",
		"In the plane of predictions, show the next quantity: mean, standard deviation, next target.",
		"o"),
	kit.Bind(kit.Look, board.ActPredictions, "T", "",
		"Show the predictions at the test points as a table, the most uncertain first.", "T"),
	kit.Bind(kit.Look, board.ActFilter, "/", "",
		"In the predictions, show all points, points outside their interval, or points that the compared "+
			"run predicts better or worse.", "/"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "In the predictions: page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "In the predictions: page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "In the predictions: go to the first row.", "home"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "In the predictions: go to the last row.", "end"),
}

var workBindings = []kit.Binding{
	kit.Bind(kit.Steer, actCheckpoint, "k", "checkpoint", "Write a checkpoint of the selected run now.", "k"),
	kit.Bind(kit.Steer, actFinish, "E", "",
		"Finish the selected run: let its learning rate fall from now on instead of later, and end it "+
			"then. A run that was stopped before continues. R trains it on from its state before.", "E"),
	kit.Bind(kit.Steer, actResume, "R", "",
		"Resume the selected run, which has ended. If it has done all its steps, add half as many, from the "+
			"state before its learning rate fell.",
		"R"),
	kit.Bind(kit.Steer, actForkWarm, "F", "",
		"Set up a copy of the selected run that starts from the parameters of its last checkpoint. "+
			"You can choose a more general family.", "F"),
	kit.Bind(kit.Steer, board.ActDiagnose, "d", "",
		"Compute the diagnostics of the selected run now. If it has ended, use its last checkpoint.",
		"d"),
	kit.Bind(kit.Steer, actSuggest, "w", "",
		"In the fit, mark where to measure next: the inputs with the largest variance, chosen one after the "+
			"other with the last checkpoint of the selected run. Again: remove the marks.", "w"),
	kit.Bind(kit.Steer, board.ActEvaluate, "v", "",
		"Evaluate the selected run on its test set, and its objective over all training points. "+
			"Training continues.", "v"),
	kit.Bind(kit.Steer, actExport, "e", "export",
		"Export the pictures of all pages as PNG, SVG and CSV: into the directory of a single run, or into "+
			"the folder of several runs or of their sweep.", "e"),
	kit.Bind(kit.Steer, board.ActBaseline, "B", "",
		"Train the linear baseline on the data of the selected run, which takes milliseconds, and add it to "+
			"the screen.", "B"),
	kit.Bind(kit.Steer, kit.ActSweep, "a", "sweep", "Set up a sweep around the selected run.", "a"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "",
		"Remove a cursor, leave the full-screen panel, or go back to the previous screen. Runs never stop.",
		"esc"),
}
