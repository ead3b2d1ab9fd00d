package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
)

// ScreenID names a screen.
type ScreenID string

// The screens.
const (
	Setup  ScreenID = "setup"  // before a run; takes a Fill
	Dash   ScreenID = "dash"   // watches runs; takes a Watch
	Browse ScreenID = "browse" // lists run directories
	Ablate ScreenID = "ablate" // grids of runs; takes a Fill
	Sweep  ScreenID = "sweep"  // watches a sweep; shown by Ablate
)

// Screen is one of the screens of the workbench. All methods are called by the
// goroutine of the Bubble Tea program and none may block; what takes time is a
// command, whose message comes back through Update.
type Screen interface {
	// Title names the screen in the palette: "Set up a run".
	Title() string
	// Bindings is the table of keys, in the order of the footer and the help page.
	Bindings() []Binding
	// Open is called whenever the screen comes to the front. The payload is the one
	// given to Host.Go, nil for "as it was".
	Open(payload any) tea.Cmd
	// Update takes every message but keys, the mouse and sizes, also while another
	// screen is in front, and also messages that are another screen's: types that it
	// does not know are none of its business. It reports whether the screen looks
	// different now.
	Update(msg tea.Msg) (cmd tea.Cmd, changed bool)
	// Typed is offered every key first, for text that is being typed, and reports
	// whether it took it.
	Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool)
	// Act does what a key of Bindings asks for. From the palette msg is the zero
	// value.
	Act(act Action, msg tea.KeyMsg) tea.Cmd
	// Mouse takes a click at the cell (x, y), or a turn of the wheel there: -1 is up,
	// 1 is down, 0 is a click.
	Mouse(x, y, wheel int) tea.Cmd
	SetSize(w, h int)
	// View draws exactly as many cells as SetSize said. keys is the footer's line of
	// keys, two cells narrower than the screen. A note, when there is one, takes the
	// place of the keys; where there is no footer it takes that of something else,
	// since it may be a question.
	View(keys, note string) string
	// PlainText returns the focused panel as text without escape sequences, to be
	// copied.
	PlainText() string
}

// Keeper is a screen that remembers how a person likes it from one start of the
// program to the next.
type Keeper interface {
	// Keep returns what to remember, for encoding/json.
	Keep() any
	// Restore takes what Keep returned as JSON, before the screen is first shown. It
	// ignores what it does not understand: the file may be of another version.
	Restore(state []byte)
}

// Layered is a screen over which something may lie that has keys of its own, before those of the
// screen.
type Layered interface {
	// Layer returns the keys of what lies over the screen, nil if nothing does.
	Layer() []Binding
}

// Leaver is a screen that rests while another one is in front.
type Leaver interface {
	// Leave is called whenever another screen comes to the front. What only serves to
	// be seen, such as reading files again and again, may stop until Open.
	Leave()
}

// Mender is a screen that can go on after it has panicked over a run that it shows: runs that are
// training are not to end for that.
type Mender interface {
	// Mend takes from the screen what it cannot show, and says so. why is the panic; the message or
	// the key that led to it is lost.
	Mend(why error) tea.Cmd
}

// Worker is a screen that trains runs which were not started by Host.Start: the
// house asks before it leaves them, and waits for them. One screen answers for a
// piece of work, also when several show it.
type Worker interface {
	// Busy returns how many runs would have to be stopped, 0 when nothing is going.
	Busy() (runs int)
	// End asks everything to stop, each run with a checkpoint, and returns what is
	// closed when it has.
	End() []<-chan struct{}
	// Farewell returns lines for the ordinary screen, once the program has ended: what
	// became of the work, and how to go on.
	Farewell() []string
}

// Fill is the payload that fills in the set-up screen, or the base configuration
// of a grid.
type Fill struct {
	Config rundir.Config
	// Parent is the run that the configuration was forked from, "" for none.
	Parent string
}

// MostWatched is how many runs the dashboard shows at most, where there are more than four in
// groups.
const MostWatched = 100

// Watch is the payload that shows runs on the dashboard, at most MostWatched, by their
// identifiers, in this order: runs of this program, other processes' and finished ones.
type Watch struct{ Runs []string }

// Start asks for a run: of Config, forked from Parent if that is not "", or, when
// Resume is not "", the continuation of the run of that identifier, with another limit
// of steps unless Steps is 0.
type Start struct {
	Config         rundir.Config
	Parent, Resume string
	Steps          int
}

// RunStartedMsg tells every screen what became of a Start: a run, or why there is
// none.
type RunStartedMsg struct {
	Asked Start
	Run   Run // nil if Err is set
	Err   error
}

// RunEndedMsg tells every screen that the goroutine of a run of this program has
// returned: its last snapshot is published.
type RunEndedMsg struct{ Run Run }
