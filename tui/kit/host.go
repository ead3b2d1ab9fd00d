package kit

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
)

// Host is the interface of the application to its screens. Its methods must be called from the goroutine of
// the Bubble Tea program. Changes have taken effect when a method returns, so that the next key already sees
// the new state. The caller must pass a returned command on to Bubble Tea.
type Host interface {
	// Context returns the context of all work of this program. It ends when the program is asked to end.
	Context() context.Context
	// Theme returns the theme. The pointer stays the same while the program runs.
	Theme() *Theme
	// Frame returns the minimum time between two frames with new data. It is the period of a screen's ticks.
	Frame() time.Duration

	// Say shows a line in the footer for a while.
	Say(t Tone, text string) tea.Cmd
	// Hold shows a line in the footer until the next key or line.
	Hold(t Tone, text string) tea.Cmd
	// Ask opens a question, which receives all keys until it is answered.
	Ask(q Question)
	// Explain shows a text over the screen, which scrolls and closes like the help page.
	Explain(title, text string)
	// Go opens a screen and passes it the payload (Fill, Watch or nil).
	Go(to ScreenID, payload any) tea.Cmd
	// Back returns to the previous screen, if there is one.
	Back() tea.Cmd
	// Copy copies text to the clipboard of the user's terminal.
	Copy(text string) tea.Cmd

	// Start starts a run and shows it on the dashboard. All screens receive a RunStartedMsg, with
	// an error if the maximum number of runs are training.
	Start(s Start) tea.Cmd
	// Runs returns the runs of this program, oldest first.
	Runs() []Run
	// Sweeps returns the sweeps of this program, oldest first.
	Sweeps() []SweepRun
	// SecondsPerStep returns the time per step of a configuration as measured by a run of this
	// program, or 0 if no run has measured it.
	SecondsPerStep(c rundir.Config) float64
}

// Question is a yes-or-no dialog.
type Question struct {
	// Text is the question; Short replaces it on a narrow terminal.
	Text, Short string
	// Again is the key that opened the question. Pressing it again means yes. It may be empty.
	Again key.Binding
	Yes   func() tea.Cmd
}
