package dash

import (
	"slices"

	"dgplab/tui/kit"
)

// What keys ask for on the dashboard alone; the rest is the kit's.
const (
	actZoom        kit.Action = "zoom"
	actNextRun     kit.Action = "next_run"
	actPreviousRun kit.Action = "previous_run"
	actTakeAway    kit.Action = "take_away"
	actCheckpoint  kit.Action = "checkpoint"
	actEvaluate    kit.Action = "evaluate"
	actResume      kit.Action = "resume"
	actForkWarm    kit.Action = "fork_warm"
	actDiagnose    kit.Action = "diagnose"
	actExport      kit.Action = "export"
	actYAxis       kit.Action = "y_axis"
	actSmoother    kit.Action = "smoother"
	actRougher     kit.Action = "rougher"
	actZoomIn      kit.Action = "zoom_in"
	actZoomOut     kit.Action = "zoom_out"
	actPanLeft     kit.Action = "pan_left"
	actPanRight    kit.Action = "pan_right"
	actWhole       kit.Action = "zoom_reset"
	actFollow      kit.Action = "follow"
	actClip        kit.Action = "clip"
	actLogX        kit.Action = "log_x"
	actPerPoint    kit.Action = "per_point"
	actBaseline    kit.Action = "baseline"
	actGroup       kit.Action = "group"
)

// allBindings returns the keys of the runs, of the pages, of the panels, and the rest.
func (d *Dash) allBindings() []kit.Binding {
	list := slices.Clone(runBindings)
	for _, p := range d.pages {
		list = append(list, kit.Bind(p.act, p.key, "", p.help, p.key))
	}
	list = append(list, arrowBindings...)
	for _, p := range d.allPanels() {
		list = append(list, p.bindings()...)
	}
	return append(list, workBindings...)
}

var runBindings = []kit.Binding{
	kit.Bind(kit.ActPause, "space", "pause", "Pause the training of the chosen run, or continue it.", " "),
	kit.Bind(actZoom, "enter", "zoom", "Show the focused panel on the whole screen, and back.", "enter"),
	kit.Bind(kit.ActFocusNext, "tab", "focus", "Focus the next panel.", "tab"),
	kit.Bind(kit.ActFocusPrevious, "shift+tab", "", "Focus the panel before.", "shift+tab"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActNewRun, "n", "new",
		"Set up a new run, which joins those on the screen; there are at most four.", "n"),
	kit.Bind(actNextRun, ".", "next run",
		"Choose the next run: keys that steer, and panels about one run, mean that one.", "."),
	kit.Bind(actPreviousRun, ",", "", "Choose the run before.", ","),
	kit.Bind(actTakeAway, "N", "", "Take the chosen run from the screen. It goes on.", "N"),
	kit.Bind(kit.ActStop, "s", "stop",
		"Stop the chosen run: it is evaluated on its test part and its checkpoint is kept.", "s"),
}

// arrowBindings say what arrows do in the panels that do not choose a run with them.
var arrowBindings = []kit.Binding{
	kit.Bind(kit.ActLeft, "<left>", "",
		"Move the cursor of the curves or of the covariance to the left; in pictures, look at the layer, "+
			"field, input, point or quantity before; in the table, sort by the column before.", "left"),
	kit.Bind(kit.ActRight, "<left><right>", "look",
		"Move the cursor of the curves or of the covariance to the right; in pictures, look at the next "+
			"layer, field, input, point or quantity; in the table, sort by the next column.", "right"),
	kit.Bind(kit.ActUp, "<up>", "",
		"Move a cursor up; look at the GP, function, target or quantity before; put the noise of a network "+
			"in or out; in curves and table, choose the run above; in health, scroll.", "up"),
	kit.Bind(kit.ActDown, "<up><down>", "",
		"Move a cursor down; look at the next GP, function, target or quantity; put the noise of a network "+
			"in or out; in curves and table, choose the run below; in health, scroll.", "down"),
}

var workBindings = []kit.Binding{
	kit.Bind(actCheckpoint, "k", "checkpoint", "Write a checkpoint of the chosen run now.", "k"),
	kit.Bind(actResume, "R", "",
		"Go on with the chosen run, which has ended: with half as many steps again if it has done its steps.",
		"R"),
	kit.Bind(actForkWarm, "F", "",
		"Set up a run like the chosen one that starts from its parameters at its last checkpoint, perhaps "+
			"in a larger family.", "F"),
	kit.Bind(actDiagnose, "d", "",
		"Look at the posterior of the chosen run now; of one that has ended, at that of its last checkpoint.",
		"d"),
	kit.Bind(actEvaluate, "v", "",
		"Evaluate the chosen run on its test part, and its objective over all training points, now, while "+
			"it goes on.", "v"),
	kit.Bind(actExport, "e", "export",
		"Write every picture as PNG, SVG and CSV, calibration and fit included, into the directory of the "+
			"chosen run.", "e"),
	kit.Bind(actBaseline, "B", "",
		"Train the baseline, a linear model, on the data of the chosen run, in milliseconds; it joins "+
			"those on the screen.", "B"),
	kit.Bind(kit.ActAblate, "a", "ablate", "Lay out a grid of runs around the chosen one.", "a"),
	kit.Bind(kit.ActBack, "esc", "",
		"Put a cursor away, leave the whole screen, or go back to the screen before. It never stops a run.",
		"esc"),
}
