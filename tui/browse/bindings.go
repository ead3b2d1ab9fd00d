package browse

import "dgplab/tui/kit"

// Actions that only the browser has.
const (
	actMark     kit.Action = "mark"
	actFilter   kit.Action = "filter"
	actTag      kit.Action = "tag"
	actRename   kit.Action = "rename"
	actNote     kit.Action = "note"
	actDelete   kit.Action = "delete"
	actUndo     kit.Action = "undo"
	actFork     kit.Action = "fork"
	actForkWarm kit.Action = "fork_warm"
	actResume   kit.Action = "resume"
	actLike     kit.Action = "new_like"
	actSortPrev kit.Action = "sort_previous"
	actSortNext kit.Action = "sort_next"
	actUnmark   kit.Action = "unmark"
	actPredict  kit.Action = "predict"
)

var bindings = []kit.Binding{
	kit.Bind(kit.ActOpen, "enter", "open",
		"Show the marked runs (more than four in groups) side by side on the dashboard, or else the chosen "+
			"one.", "enter"),
	kit.Bind(actMark, "space", "mark", "Mark the chosen run, or take the mark away.", " "),
	kit.Bind(actFilter, "/", "filter",
		"Pick runs by a query, such as family:star log_lik>-1; tab completes the names of fields.", "/"),
	kit.Bind(actFork, "f", "fork",
		"Start a run like the chosen one with something changed. In the form tab completes names and "+
			"paths, and ctrl+o picks a file of data.", "f"),
	kit.Bind(actForkWarm, "F", "",
		"Start a run like the chosen one from its parameters: with something changed, perhaps in a larger "+
			"family.", "F"),
	kit.Bind(actPredict, "p", "predict",
		"Predict the rows of a file by the chosen run, as it was at its last checkpoint, into a file "+
			"beside it; or cancel that. In the path tab completes, and ctrl+o picks a file.", "p"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.ActUp, "<up>", "", "Choose the run above.", "up"),
	kit.Bind(kit.ActDown, "<up><down>", "choose", "Choose the run below.", "down"),
	kit.Bind(actSortPrev, "<left>", "", "Sort by the column before.", "left", "<"),
	kit.Bind(actSortNext, "<left><right>", "sort", "Sort by the next column.", "right", ">"),
	kit.Bind(kit.ActReverse, "i", "invert", "Turn the order round.", "i"),
	kit.Bind(actTag, "t", "tag",
		"Change the tags that the marked runs share, or else those of the chosen one.", "t"),
	kit.Bind(actRename, "r", "rename", "Give the chosen run a name.", "r"),
	kit.Bind(actNote, "w", "note", `Write a note about the chosen run; \n begins a new line.`, "w"),
	kit.Bind(actDelete, "d", "delete",
		"Move the marked runs to the trash, or else the chosen one. A run that is going stays.",
		"d", "delete"),
	kit.Bind(actUndo, "u", "undo", "Bring back what was moved to the trash last.", "u"),
	kit.Bind(actResume, "R", "resume",
		"Go on with the chosen run: one that was stopped or whose process died, or, with half as many "+
			"steps again, one that has done its steps.", "R"),
	kit.Bind(kit.ActNewRun, "n", "new", "Set up a new run.", "n"),
	kit.Bind(actLike, "N", "", "Set up a new run, filled in from the chosen one.", "N"),
	kit.Bind(kit.ActAblate, "a", "ablate", "Lay out a grid of runs around the chosen one.", "a"),
	kit.Bind(actUnmark, "U", "", "Take all marks away.", "U"),
	kit.Bind(kit.ActFocusNext, "tab", "details",
		"Go to the details, where the arrows scroll, and back to the list.", "tab", "shift+tab"),
	kit.Bind(kit.ActPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(kit.ActFirst, "home", "", "Go to the first run.", "home", "g"),
	kit.Bind(kit.ActLast, "end", "", "Go to the last run.", "end", "G"),
	kit.Bind(kit.ActBack, "esc", "", "Go back to the screen before. It never stops a run.", "esc"),
}
