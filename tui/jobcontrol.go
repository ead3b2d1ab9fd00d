package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// jobControl lets the shell stop the process, and shows the screens again when the process continues.
type jobControl struct {
	// ended ends when the program is asked to end.
	ended context.Context
	// continued receives the time for which the process was stopped, if a suspension waits for it.
	continued chan time.Duration
	// away is closed if the program is asked to end while the terminal belongs to the shell.
	away chan struct{}
}

func newJobControl(ended context.Context) *jobControl {
	return &jobControl{ended, make(chan time.Duration), make(chan struct{})}
}

// continuedMsg is sent when the process continues after SIGSTOP or another stop that the screens did not ask
// for. The shell may have changed the modes and the content of the terminal.
type continuedMsg struct{ stopped time.Duration }

// returnedMsg is sent when the screens have the terminal again.
type returnedMsg struct {
	stopped time.Duration
	err     error
}

// suspend gives the terminal back to the shell and stops the process.
func (j *jobControl) suspend() tea.Cmd { return j.leave(&absence{jobControl: j, stop: true}) }

// retake sets the modes of the terminal again and redraws the frame, as soon as the process is in the
// foreground.
func (j *jobControl) retake(stopped time.Duration) tea.Cmd {
	return j.leave(&absence{jobControl: j, stopped: stopped})
}

// leave runs an absence while Bubble Tea has released the terminal.
func (j *jobControl) leave(a *absence) tea.Cmd {
	return tea.Exec(a, func(err error) tea.Msg { return returnedMsg{a.stopped, err} })
}

// absence is the time in which the terminal belongs to the shell. It implements tea.ExecCommand.
type absence struct {
	*jobControl
	stop    bool // stop the process
	stopped time.Duration
}

// Run returns when the screens may use the terminal again. It never returns if the program is asked to end
// before, because Bubble Tea would then change the modes of the terminal under the shell's hands.
func (a *absence) Run() error {
	if a.stop {
		stopped, err := a.stopProcess()
		if err != nil {
			return err
		}
		a.stopped = stopped
	}
	if !a.awaitForeground() {
		close(a.away)
		select {}
	}
	return nil
}

// SetStdin, SetStdout and SetStderr do nothing.
func (*absence) SetStdin(io.Reader)  {}
func (*absence) SetStdout(io.Writer) {}
func (*absence) SetStderr(io.Writer) {}

// returned enables the mouse again, which Bubble Tea does not, sends the bitmaps again, and says what
// happened.
func (a *app) returned(msg returnedMsg) tea.Cmd {
	if a.images != nil {
		a.images.Resend()
	}
	var mouse tea.Cmd
	if a.settings.Mouse {
		mouse = tea.EnableMouseCellMotion
	}
	if msg.err != nil {
		return tea.Batch(mouse, a.Say(kit.Warn, "cannot suspend: "+msg.err.Error()))
	}
	if !a.quitting {
		a.Hold(kit.Calm, a.stoppedText(msg.stopped))
	}
	return mouse
}

// stoppedText says for how long the process was stopped, and whether runs train now.
func (a *app) stoppedText(stopped time.Duration) string {
	text := "was stopped"
	if stopped >= 2*time.Second { // Shorter times are not known exactly.
		text += " for " + canvas.Duration(stopped)
	}
	paused := 0
	for _, r := range a.Runs() {
		if s := r.Latest(); kit.Going(r) && s != nil && s.State == rundir.Paused {
			paused++
		}
	}
	if a.numGoing() > paused {
		text += "; training continues"
	}
	if paused > 0 {
		text += "; " + report.Plural(paused, "run remains", "runs remain") + " paused"
	}
	if a.work.busy() > a.numGoing() {
		text += "; the sweep is as before"
	}
	return text
}
