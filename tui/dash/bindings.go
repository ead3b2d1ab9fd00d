package dash

import "dgplab/tui/kit"

// What the keys of the dashboard ask for.
const (
	actPause         kit.Action = "pause"
	actZoom          kit.Action = "zoom"
	actFocusNext     kit.Action = "focus_next"
	actFocusPrevious kit.Action = "focus_previous"
	actPreviousLayer kit.Action = "previous_layer"
	actNextLayer     kit.Action = "next_layer"
	actPreviousGP    kit.Action = "previous_gp"
	actNextGP        kit.Action = "next_gp"
	actStop          kit.Action = "stop"
	actCheckpoint    kit.Action = "checkpoint"
	actExport        kit.Action = "export"
	actNew           kit.Action = "new_run"
	actTimeAxis      kit.Action = "x_axis"
	actLogAxis       kit.Action = "y_axis"
	actSmoother      kit.Action = "smoother"
	actRougher       kit.Action = "rougher"
)

var bindings = []kit.Binding{
	kit.Bind(actPause, "space", "pause", "Pause the training, or continue it.", " "),
	kit.Bind(actZoom, "enter", "zoom", "Show the focused panel on the whole screen, and back.", "enter"),
	kit.Bind(actFocusNext, "tab", "focus", "Focus the next panel.", "tab"),
	kit.Bind(actFocusPrevious, "shift+tab", "", "Focus the panel before.", "shift+tab"),
	kit.Help,
	kit.Quit,
	kit.Bind(actPreviousLayer, "<left>", "", "Look into the layer before.", "left"),
	kit.Bind(actNextLayer, "<left><right>", "layer", "Look into the next layer.", "right"),
	kit.Bind(actPreviousGP, "<up>", "", "Look at the GP before, of this layer.", "up"),
	kit.Bind(actNextGP, "<up><down>", "GP", "Look at the next GP of this layer.", "down"),
	kit.Bind(actStop, "s", "stop", "Stop the run: it is evaluated on its test part and its checkpoint is kept.", "s"),
	kit.Bind(actCheckpoint, "k", "checkpoint", "Write a checkpoint now.", "k"),
	kit.Bind(actExport, "e", "export", "Write curves, map and samples as PNG, SVG and CSV into the run directory.", "e"),
	kit.Bind(actNew, "n", "new", "Set up a new run.", "n"),
	kit.Bind(actTimeAxis, "x", "time axis", "Draw curves over steps, or over training time without pauses.", "x"),
	kit.Bind(actLogAxis, "l", "log axis", "Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis.", "l"),
	kit.Bind(actSmoother, "+", "", "Smooth the ELBO more; the raw curve stays visible.", "+", "="),
	kit.Bind(actRougher, "+-", "smooth", "Smooth the ELBO less.", "-", "_"),
}
