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
		"Go to the next part: data set, family, settings. In the path of a file, and in warm_start, "+
			"complete it.", "tab"),
	kit.Bind(kit.ActPreviousPart, "shift+tab", "", "Go to the part before.", "shift+tab"),
	kit.Bind(kit.ActBack, "esc", "",
		"Take back what was typed into this line, or else go back to the screen before. It never stops a "+
			"run.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
	kit.Bind(actColumns, "c", "columns",
		"Show what the columns of the file are, and say what they should be: types, target, what is left "+
			"out, missing cells.", "c", "ctrl+t"),
	kit.Bind(form.PickFile, "ctrl+o", "files",
		"Pick a file of data from a list of folders and of the files that were used last.", "ctrl+o"),
	kit.Bind(actFind, "/", "find", "Look for a family by typing part of its name, its title or its group.",
		"/"),
	kit.Bind(actFetch, "f", "fetch", "Download the chosen data set, or cancel the download.", "f"),
	kit.Bind(kit.ActAblate, "a", "ablate", "Train a grid of runs around this configuration.", "a"),
)
