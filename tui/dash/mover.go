package dash

import "dgplab/tui/kit"

// mover is implemented by panels in which the user moves. Its methods return a message, or "" if the screen
// shows the change.
type mover interface {
	// move performs an arrow key.
	move(on screen, across, down int) string
	// act performs the action of a key of the panel, and while the panel has the focus, of other keys. taken
	// is false if the panel has nothing to do with it.
	act(on screen, act kit.Action) (message string, taken bool)
	// point handles the mouse. inside is the inside of the panel, x is a column of the screen, and wheel is 0
	// for a click on the focused panel.
	point(on screen, inside kit.Rect, x, wheel int)
	// hasCursor reports whether the arrows move a cursor now. removeCursor removes it.
	hasCursor() bool
	removeCursor()
}

// screen shows panels.
type screen interface {
	board() *Board
	// inside returns the inside of a panel. It is empty if the panel is not on the screen.
	inside(p *panel) kit.Rect
	// shows reports whether a panel is on the screen with its title.
	shows(p *panel) bool
	focused() *panel
	// focusOn opens the page of a panel and focuses it. enlarge shows it on the whole screen.
	focusOn(p *panel)
	enlarge(p *panel)
	// choose selects another run.
	choose(by int) string
	// turn moves a choice of a panel. turnChoices moves the choice with an arrow key, or selects another run.
	turn(p *panel, c *choice, by int) string
	turnChoices(p *panel, across, down int) string
}

// cursorless is embedded in movers without a cursor.
type cursorless struct{}

func (cursorless) hasCursor() bool { return false }
func (cursorless) removeCursor()   {}
