package kit

// What keys ask for on more than one screen. The names are those of the settings
// file, so that a key that is bound anew means the same everywhere.
const (
	ActUp            Action = "up"
	ActDown          Action = "down"
	ActLeft          Action = "left"
	ActRight         Action = "right"
	ActPageUp        Action = "page_up"
	ActPageDown      Action = "page_down"
	ActFirst         Action = "first"
	ActLast          Action = "last"
	ActFocusNext     Action = "focus_next"
	ActFocusPrevious Action = "focus_previous"
	ActNextPart      Action = "next_part"
	ActPreviousPart  Action = "previous_part"
	ActBack          Action = "back"
	ActOpen          Action = "open"

	// Editing a text: bubbles/textinput knows what the keys do.
	ActErase     Action = "erase"
	ActEraseWord Action = "erase_word"
	ActTextEnds  Action = "text_ends"
	ActReset     Action = "reset"

	ActStart   Action = "start"
	ActPause   Action = "pause"
	ActStop    Action = "stop"
	ActNewRun  Action = "new_run"
	ActAblate  Action = "ablate"
	ActXAxis   Action = "x_axis"
	ActReverse Action = "reverse"
)
