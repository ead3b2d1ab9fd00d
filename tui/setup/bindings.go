package setup

import (
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Actions that only the set-up screen has.
const (
	actFetch kit.Action = "fetch"
	// actColumns opens the columns page of a file.
	actColumns kit.Action = "columns"
	// actPublished opens the published tables.
	actPublished kit.Action = "published"
	// actAdvise shows the families that suit the data, or all families again.
	actAdvise kit.Action = "advise"
	// actSize sets the time budget of a quick run, or removes the budget.
	actSize kit.Action = "size"
)

var bindings = append(append([]kit.Binding{
	kit.Bind(kit.Steer, kit.ActStart, "enter", "start", "Start the run.", "enter"),
	kit.Bind(kit.Look, kit.ActNextPart, "tab", "next part",
		"Go to the next part; complete a path or warm_start while typing.", "tab"),
	kit.Bind(kit.Look, kit.ActPreviousPart, "shift+tab", "", "Go to the previous part.", "shift+tab"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "", "Undo typing, or go back. Runs continue.", "esc"),
}, form.Bindings...),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.Steer, actColumns, "c", "columns",
		"Show and edit the columns of the file: types, targets, missing cells.",
		"c", "ctrl+t"),
	kit.Bind(kit.Steer, form.PickFile, "ctrl+o", "files", "Pick a data file.", "ctrl+o"),
	kit.Bind(kit.Look, actAdvise, "w", "which family",
		"Show the families that suit the data, and why, or all families again.", "w"),
	kit.Bind(kit.Steer, actFetch, "f", "fetch",
		"Download the selected data set, or cancel the download.", "f"),
	kit.Bind(kit.Steer, actSize, "z", "size",
		"Fit the run into a minute on this machine (quick), or train it at full size.", "z"),
	kit.Bind(kit.Steer, kit.ActSweep, "a", "sweep",
		"Set up a sweep around this configuration, or of the three families that suit the data best.", "a"),
	kit.Bind(kit.Steer, actPublished, "t", "",
		"Compare runs with published tables, and train missing ones.", "t"),
)
