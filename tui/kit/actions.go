package kit

// Actions of more than one screen. The settings file uses these names: a key that is bound to an action there
// performs it on every screen.
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

	// Actions that edit text; bubbles/textinput interprets the keys.
	ActErase     Action = "erase"
	ActEraseWord Action = "erase_word"
	ActTextEnds  Action = "text_ends"
	ActReset     Action = "reset"

	ActStart   Action = "start"
	ActPause   Action = "pause"
	ActStop    Action = "stop"
	ActNewRun  Action = "new_run"
	ActSweep   Action = "sweep"
	ActXAxis   Action = "x_axis"
	ActReverse Action = "reverse"
)

// Moved returns the selected row after an action in a list of n rows, of which page are visible. at is the
// row before the action. The result is clamped to the list. If the action does not move the selection, Moved
// returns at.
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
