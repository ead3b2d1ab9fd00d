package kit

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
)

// Host is what a screen may ask of the house it stands in. Its methods are for
// the goroutine of the Bubble Tea program; what they change is changed when they
// return, so that a key that follows at once meets the new state. A command that
// a method returns must be handed on to Bubble Tea.
type Host interface {
	// Context ends with the program.
	Context() context.Context
	// Theme is the same for as long as the program runs.
	Theme() *Theme
	// Frame is the shortest time between two frames of new data: the period of a
	// screen's ticks.
	Frame() time.Duration

	// Say shows a line in the footer for a while.
	Say(t Tone, text string) tea.Cmd
	// Ask opens a question; it gets all keys until it is answered.
	Ask(q Question)
	// Go brings a screen to the front and hands it the payload (Fill, Watch or nil).
	Go(to ScreenID, payload any) tea.Cmd
	// Back brings the screen before to the front, if there was one.
	Back() tea.Cmd
	// Copy puts text on the clipboard of the person's terminal.
	Copy(text string) tea.Cmd

	// Start starts a run and shows it on the dashboard. All screens hear of it by a
	// RunStartedMsg. It says why not when as many runs are going as may.
	Start(s Start) tea.Cmd
	// Runs returns every run that this program has started, the oldest first.
	Runs() []Run
	// SecondsPerStep returns the time of a step of a configuration as measured by a
	// run of this program, 0 when there was none.
	SecondsPerStep(c rundir.Config) float64
}

// Question is a dialog that waits for yes or no.
type Question struct {
	// Short takes the place of Text on a narrow terminal.
	Text, Short string
	// Again is the key that asked: pressing it again means yes. It may be empty.
	Again key.Binding
	Yes   func() tea.Cmd
}
