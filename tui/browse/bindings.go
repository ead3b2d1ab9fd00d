package browse

import (
	"dgplab/tui/kit"
)

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
	actFinish   kit.Action = "finish"
	actLike     kit.Action = "duplicate"
	actSortPrev kit.Action = "sort_previous"
	actSortNext kit.Action = "sort_next"
	actUnmark   kit.Action = "unmark"
	actPredict  kit.Action = "predict"
)

var bindings = []kit.Binding{
	kit.Bind(kit.Steer, kit.ActOpen, "enter", "open",
		"Open the marked runs, or the selected run, on the dashboard.",
		"enter"),
	kit.Bind(kit.Look, actMark, "space", "mark", "Mark or unmark the selected run.", " "),
	kit.Bind(kit.Look, actFilter, "/", "filter",
		"Filter by a query, e.g. family:star,svgp log_lik>-1; tab completes fields.", "/"),
	kit.Bind(kit.Steer, actFork, "f", "fork", "Fork the selected run: change some values and start.", "f"),
	kit.Bind(kit.Steer, actForkWarm, "F", "", "Fork the selected run and start from its parameters.", "F"),
	kit.Bind(kit.Steer, actPredict, "p", "predict",
		"Predict the rows of a file with the selected run's last checkpoint, or cancel.", "p"),
	kit.Help,
	kit.Quit,
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous run.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<up><down>", "select", "Select the next run.", "down"),
	kit.Bind(kit.Look, actSortPrev, "<left>", "", "Sort by the previous column.", "left", "<"),
	kit.Bind(kit.Look, actSortNext, "<left><right>", "sort", "Sort by the next column.", "right", ">"),
	kit.Bind(kit.Look, kit.ActReverse, "i", "invert", "Reverse the order.", "i"),
	kit.Bind(kit.Values, actTag, "t", "tag",
		"Edit the tags of the selected run, or the shared tags of the marked runs.",
		"t"),
	kit.Bind(kit.Values, actRename, "r", "rename", "Rename the selected run.", "r"),
	kit.Bind(kit.Values, actNote, "w", "note", `Edit the note of the selected run; \n starts a new line.`,
		"w"),
	kit.Bind(kit.Values, actDelete, "d", "delete", "Move the marked runs, or the selected run, to the trash.",
		"d", "delete"),
	kit.Bind(kit.Values, actUndo, "u", "undo", "Restore the last deleted runs.", "u"),
	kit.Bind(kit.Steer, actResume, "R", "resume",
		"Resume the selected run; a finished run is trained for 50 % more steps, from the state before its "+
			"learning rate fell.",
		"R"),
	kit.Bind(kit.Steer, actFinish, "E", "",
		"Finish the selected run, which was stopped: let its learning rate fall from now on, and end it "+
			"then.",
		"E"),
	kit.Bind(kit.Steer, kit.ActNewRun, "n", "new", "Set up a new run.", "n"),
	kit.Bind(kit.Steer, actLike, "N", "", "Set up a new run like the selected run.", "N"),
	kit.Bind(kit.Steer, kit.ActSweep, "a", "sweep", "Set up a sweep around the selected run.", "a"),
	kit.Bind(kit.Look, actUnmark, "U", "", "Unmark all runs.", "U"),
	kit.Bind(kit.Look, kit.ActFocusNext, "tab", "details",
		"Switch between the list and the details.", "tab", "shift+tab"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "Go to the first run.", "home", "g"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "Go to the last run.", "end", "G"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "", "Go back. Runs continue.", "esc"),
}
