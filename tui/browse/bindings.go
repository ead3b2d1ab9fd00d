package browse

import "dgplab/tui/kit"

// What the keys of the browser ask for.
const (
	actOpen     kit.Action = "open"
	actMark     kit.Action = "mark"
	actFilter   kit.Action = "filter"
	actTag      kit.Action = "tag"
	actRename   kit.Action = "rename"
	actNote     kit.Action = "note"
	actDelete   kit.Action = "delete"
	actUndo     kit.Action = "undo"
	actFork     kit.Action = "fork"
	actResume   kit.Action = "resume"
	actNew      kit.Action = "new_run"
	actLike     kit.Action = "new_like"
	actAblate   kit.Action = "ablate"
	actUp       kit.Action = "up"
	actDown     kit.Action = "down"
	actPageUp   kit.Action = "page_up"
	actPageDown kit.Action = "page_down"
	actFirst    kit.Action = "first"
	actLast     kit.Action = "last"
	actSortPrev kit.Action = "sort_previous"
	actSortNext kit.Action = "sort_next"
	actReverse  kit.Action = "reverse"
	actUnmark   kit.Action = "unmark"
	actFocus    kit.Action = "focus_next"
	actBack     kit.Action = "back"
)

var bindings = []kit.Binding{
	kit.Bind(actOpen, "enter", "open", "Show the marked runs (at most four) side by side on the dashboard, or else the chosen one.", "enter"),
	kit.Bind(actMark, "space", "mark", "Mark the chosen run, or take the mark away.", " "),
	kit.Bind(actFilter, "/", "filter", "Pick runs by a query, such as family:star test.log_lik>-1; tab completes the names of fields.", "/"),
	kit.Bind(actFork, "f", "fork", "Start a run like the chosen one with something changed.", "f"),
	kit.Help,
	kit.Quit,
	kit.Bind(actUp, "<up>", "", "Choose the run above.", "up"),
	kit.Bind(actDown, "<up><down>", "choose", "Choose the run below.", "down"),
	kit.Bind(actSortPrev, "<left>", "", "Sort by the column before.", "left", "<"),
	kit.Bind(actSortNext, "<left><right>", "sort", "Sort by the next column.", "right", ">"),
	kit.Bind(actReverse, "i", "invert", "Turn the order round.", "i"),
	kit.Bind(actTag, "t", "tag", "Change the tags that the marked runs share, or else those of the chosen one.", "t"),
	kit.Bind(actRename, "r", "rename", "Give the chosen run a name.", "r"),
	kit.Bind(actNote, "w", "note", `Write a note about the chosen run; \n begins a new line.`, "w"),
	kit.Bind(actDelete, "d", "delete", "Move the marked runs to the trash, or else the chosen one. A run that is going stays.", "d", "delete"),
	kit.Bind(actUndo, "u", "undo", "Bring back what was moved to the trash last.", "u"),
	kit.Bind(actResume, "R", "resume", "Go on with the chosen run, which was stopped or whose process died.", "R"),
	kit.Bind(actNew, "n", "new", "Set up a new run.", "n"),
	kit.Bind(actLike, "N", "", "Set up a new run, filled in from the chosen one.", "N"),
	kit.Bind(actAblate, "a", "ablate", "Lay out a grid of runs around the chosen one.", "a"),
	kit.Bind(actUnmark, "U", "", "Take all marks away.", "U"),
	kit.Bind(actFocus, "tab", "details", "Go to the details, where the arrows scroll, and back to the list.", "tab", "shift+tab"),
	kit.Bind(actPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(actPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(actFirst, "home", "", "Go to the first run.", "home", "g"),
	kit.Bind(actLast, "end", "", "Go to the last run.", "end", "G"),
	kit.Bind(actBack, "esc", "", "Go back to the screen before. It never stops a run.", "esc"),
}
