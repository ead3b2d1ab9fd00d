package dash

import "dgplab/tui/kit"

// What keys ask for on the dashboard alone; the rest is the kit's.
const (
	actZoom        kit.Action = "zoom"
	actNextRun     kit.Action = "next_run"
	actPreviousRun kit.Action = "previous_run"
	actTakeAway    kit.Action = "take_away"
	actCheckpoint  kit.Action = "checkpoint"
	actEvaluate    kit.Action = "evaluate"
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
	actPerPoint    kit.Action = "per_point"
	actGroup       kit.Action = "group"
)

// actPages turn the pages, in their order.
var actPages = [...]kit.Action{"page_training", "page_compare", "page_calibration", "page_health"}

var bindings = []kit.Binding{
	kit.Bind(kit.ActPause, "space", "pause", "Pause the training of the chosen run, or continue it.", " "),
	kit.Bind(actZoom, "enter", "zoom", "Show the focused panel on the whole screen, and back.", "enter"),
	kit.Bind(kit.ActFocusNext, "tab", "focus", "Focus the next panel.", "tab"),
	kit.Bind(kit.ActFocusPrevious, "shift+tab", "", "Focus the panel before.", "shift+tab"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActNewRun, "n", "new", "Set up a new run, which joins those on the screen; there are at most four.", "n"),
	kit.Bind(actNextRun, ".", "next run", "Choose the next run: keys that steer, and panels about one run, mean that one.", "."),
	kit.Bind(actPreviousRun, ",", "", "Choose the run before.", ","),
	kit.Bind(actTakeAway, "N", "", "Take the chosen run from the screen. It goes on.", "N"),
	kit.Bind(kit.ActStop, "s", "stop", "Stop the chosen run: it is evaluated on its test part and its checkpoint is kept.", "s"),
	kit.Bind(actPages[0], "1", "", "The training: ELBO, validation, covariance and layers.", "1"),
	kit.Bind(actPages[1], "2", "", "The comparison: a table of the runs, and each against the chosen one, point by point.", "2"),
	kit.Bind(actPages[2], "3", "", "The calibration: errors, variances, PIT and coverage on the test points.", "3"),
	kit.Bind(actPages[3], "4", "", "The health of the arithmetic: alarms, matrices, divergence, time.", "4"),
	kit.Bind(kit.ActLeft, "<left>", "", "Move the cursor of the curves to the left; in covariance and layers, look into the layer before; in the table, sort by the column before.", "left"),
	kit.Bind(kit.ActRight, "<left><right>", "look", "Move the cursor of the curves to the right; in covariance and layers, look into the next layer; in the table, sort by the next column.", "right"),
	kit.Bind(kit.ActUp, "<up>", "", "Look at the GP before, of this layer; in curves and table, choose the run above; in calibration, the target before; in health, scroll.", "up"),
	kit.Bind(kit.ActDown, "<up><down>", "", "Look at the next GP of this layer; in curves and table, choose the run below; in calibration, the next target; in health, scroll.", "down"),
	kit.Bind(actZoomIn, "]", "zoom in", "Show less of the steps, around the cursor; so does the mouse wheel. New points do not change it.", "]"),
	kit.Bind(actZoomOut, "[", "", "Show more of the steps.", "["),
	kit.Bind(actPanLeft, "<", "", "Move the zoomed curves to earlier steps.", "<", "shift+left"),
	kit.Bind(actPanRight, ">", "", "Move the zoomed curves to later steps. At the end they follow the training.", ">", "shift+right"),
	kit.Bind(actWhole, "0", "", "Show all steps.", "0"),
	kit.Bind(actFollow, "f", "", "Let the zoomed curves follow the newest step, or keep them where they are.", "f"),
	kit.Bind(kit.ActXAxis, "x", "x axis", "Draw curves over steps, epochs, or training time without pauses.", "x"),
	kit.Bind(actYAxis, "l", "y axis", "Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis.", "l"),
	kit.Bind(actSmoother, "+", "", "Smooth the ELBO more; the raw curve stays visible.", "+", "="),
	kit.Bind(actRougher, "+-", "smooth", "Smooth the ELBO less.", "-", "_"),
	kit.Bind(actClip, "c", "", "Let outliers not set the vertical axis; how many are clipped is said. And back.", "c"),
	kit.Bind(actPerPoint, "p", "", "Show the ELBO per data point, or as the sum.", "p"),
	kit.Bind(actGroup, "g", "", "Draw runs that differ in nothing but the seed as one: mean and standard error. And apart.", "g"),
	kit.Bind(kit.ActReverse, "i", "", "Turn the order of the table round.", "i"),
	kit.Bind(actCheckpoint, "k", "checkpoint", "Write a checkpoint of the chosen run now.", "k"),
	kit.Bind(actDiagnose, "d", "", "Look at the posterior of the chosen run now.", "d"),
	kit.Bind(actEvaluate, "v", "", "Evaluate the chosen run on its test part now, while it goes on.", "v"),
	kit.Bind(actExport, "e", "export", "Write curves, map and samples as PNG, SVG and CSV into the directory of the chosen run.", "e"),
	kit.Bind(kit.ActAblate, "a", "ablate", "Lay out a grid of runs around the chosen one.", "a"),
	kit.Bind(kit.ActBack, "esc", "", "Put the cursor of the curves away, leave the whole screen, or go back to the screen before. It never stops a run.", "esc"),
}
