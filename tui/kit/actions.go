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

// Moved returns the row of n that an action leads to from row at, on pages of so many
// rows, or the nearest one that there is; an action that leads nowhere stays.
func (a Action) Moved(at, n, page int) int {
	page = max(page, 1)
	switch a {
	case ActUp:
		at--
	case ActDown:
		at++
	case ActPageUp:
		at -= page
	case ActPageDown:
		at += page
	case ActFirst:
		at = 0
	case ActLast:
		at = n - 1
	}
	return max(min(at, n-1), 0)
}
