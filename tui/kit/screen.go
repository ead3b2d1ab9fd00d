package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
)

// ScreenID is the name of a screen.
type ScreenID string

// The screens.
const (
	Setup         ScreenID = "setup"          // configures a run; takes a Fill
	Dash          ScreenID = "dash"           // shows runs; takes a Watch
	Browse        ScreenID = "browse"         // lists run directories
	Sweep         ScreenID = "sweep"          // configures a sweep; takes a Fill
	SweepProgress ScreenID = "sweep_progress" // shows a sweep; opened by Sweep
	Published     ScreenID = "published"      // compares runs with published tables
	Settings      ScreenID = "settings"       // shows and changes the settings file
)

// Screen is a screen of the workbench. All methods are called from the goroutine of the Bubble Tea program
// and must not block. Slow work runs in a command, whose message arrives in Update.
type Screen interface {
	// Title returns the name of the screen in the palette, such as "Set up a run".
	Title() string
	// Bindings returns the key table, in the order of the footer and the help page.
	Bindings() []Binding
	// Open is called whenever the screen comes to the front. payload is the argument of Host.Go;
	// nil shows the screen unchanged.
	Open(payload any) tea.Cmd
	// Update handles all messages except keys, mouse events and sizes, even while another screen is
	// in front. It also receives the messages of other screens, and must ignore types that it does
	// not know. It reports whether the screen needs to be redrawn.
	Update(msg tea.Msg) (cmd tea.Cmd, changed bool)
	// Typed receives every key first, in case text is being typed, and reports whether it handled the key.
	Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool)
	// Act performs an available action of Bindings. msg is the key, or the zero value if the palette
	// calls it.
	Act(act Action, msg tea.KeyMsg) tea.Cmd
	// Mouse handles the mouse at the cell (x, y). wheel is -1 if the wheel was turned up, or 1 if
	// it was turned down, and 0 for a click.
	Mouse(x, y, wheel int) tea.Cmd
	SetSize(w, h int)
	// View draws exactly as many cells as SetSize set. keys is the footer's line of keys, two cells narrower
	// than the screen. A note replaces the keys. If the screen has no footer, the note must replace something
	// else, because it can be a question.
	View(keys, note string) string
	// PlainText returns the focused panel as text without escape sequences, for the clipboard.
	PlainText() string
}

// Keeper is a screen that keeps its state across restarts of the program.
type Keeper interface {
	// Keep returns the state, which is encoded with encoding/json.
	Keep() any
	// Restore sets the state from the JSON of Keep, before the screen is first shown. It ignores unknown
	// content, because another version of the program may have written the file.
	Restore(state []byte)
}

// Layered is a screen that can show an overlay with its own keys, which take precedence over the
// keys of the screen.
type Layered interface {
	// Layer returns the keys of the overlay, or nil if there is none.
	Layer() []Binding
}

// Leaver is a screen that suspends work while another screen is in front.
type Leaver interface {
	// Leave is called whenever another screen comes to the front. Work that only updates the display, such as
	// periodic reading of files, may stop until Open is called.
	Leave()
}

// Recoverer is a screen that can recover from a panic caused by a run that it shows. Such a panic
// must not end runs that are training.
type Recoverer interface {
	// Recover removes the runs that the screen cannot show, and reports them. err is the panic; the message
	// or the key that caused it is lost.
	Recover(err error) tea.Cmd
}

// Fill is the payload that fills in the set-up screen or the base configuration of a sweep.
type Fill struct {
	Config rundir.Config
	// Families are the families of a sweep; nil stands for the family of Config.
	Families []string
	// Parent is the run that the configuration was forked from, or "".
	Parent string
}

// MostWatched is the maximum number of runs on the dashboard. More than four runs are shown in groups.
const MostWatched = 100

// Watch is the payload that shows runs on the dashboard, at most MostWatched, by ID and in this
// order. They may belong to this program, belong to another process, or have ended.
type Watch struct{ Runs []string }

// Start is a request for a run. If Resume is set, it continues the run with that ID, with the step limit
// Steps unless that is 0, and begins the decay of its learning rate if Finish is set. Otherwise it starts a
// run of Config, forked from Parent unless Parent is "".
type Start struct {
	Config         rundir.Config
	Parent, Resume string
	Steps          int
	Finish         bool
}

// RunStartedMsg tells every screen the outcome of a Start: a run or an error.
type RunStartedMsg struct {
	Asked Start
	Run   Run // nil if Err is set
	Err   error
}

// RunEndedMsg tells every screen that the goroutine of a run of this program has returned. Its last
// snapshot has been published.
type RunEndedMsg struct{ Run Run }
