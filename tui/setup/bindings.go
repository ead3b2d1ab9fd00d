package setup

import (
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Actions that only the set-up screen has.
const (
	actFetch kit.Action = "fetch"
	actFind  kit.Action = "find"
	// actColumns opens the columns page of a file.
	actColumns kit.Action = "columns"
)

var bindings = append(append([]kit.Binding{
	kit.Bind(kit.ActStart, "enter", "start", "Start the run.", "enter"),
	kit.Bind(kit.ActNextPart, "tab", "next part",
		"Go to the next part; complete a path or warm_start while typing.", "tab"),
	kit.Bind(kit.ActPreviousPart, "shift+tab", "", "Go to the previous part.", "shift+tab"),
	kit.Bind(kit.ActBack, "esc", "", "Undo typing, or go back. Runs continue.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
	kit.Bind(actColumns, "c", "columns",
		"Show and edit the columns of the file: types, targets, missing cells.",
		"c", "ctrl+t"),
	kit.Bind(form.PickFile, "ctrl+o", "files", "Pick a data file.", "ctrl+o"),
	kit.Bind(actFind, "/", "find", "Find a family by name, title or group.", "/"),
	kit.Bind(actFetch, "f", "fetch", "Download the selected data set, or cancel the download.", "f"),
	kit.Bind(kit.ActSweep, "a", "sweep", "Set up a sweep around this configuration.", "a"),
)
