package board

import "dgplab/tui/kit"

// Mover is a panel in which the user moves. Its methods report whether they have done something. A message is
// "" if the screen shows the change.
type Mover interface {
	// Move performs an arrow key.
	Move(on Screen, across, down int) (message string, taken bool)
	// Act performs an action of the panel and, while the panel has the focus, other actions.
	Act(on Screen, act kit.Action) (message string, taken bool)
	// Point handles the mouse. inside is the inside of the panel, x is a column of the screen, and wheel is 0
	// for a click on the focused panel.
	Point(on Screen, inside kit.Rect, x, wheel int) (taken bool)
	// HasCursor reports whether the arrows move a cursor now. RemoveCursor removes it.
	HasCursor() bool
	RemoveCursor()
}

// Screen shows panels of a board.
type Screen interface {
	// Inside returns the inside of a panel. It is empty if the panel is not on the screen.
	Inside(p *Panel) kit.Rect
	// Shows reports whether a panel is on the screen with its title.
	Shows(p *Panel) bool
	Focused() *Panel
	// FocusOn opens the page of a panel and focuses it. Enlarge shows it on the whole screen.
	FocusOn(p *Panel)
	Enlarge(p *Panel)
}

// cursorless is embedded in movers without a cursor.
type cursorless struct{}

// HasCursor returns false.
func (cursorless) HasCursor() bool { return false }

// RemoveCursor does nothing.
func (cursorless) RemoveCursor() {}
