package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/background"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/tui/settings"
)

// ErrInterrupted is returned by Run when a signal, the end of the context or
// ctrl+c ended the program while a run was going. The run's checkpoint is kept.
var ErrInterrupted = errors.New("interrupted; the run's checkpoint is kept")

// stopLimit is how long Run waits for a run to save itself and return.
const stopLimit = 20 * time.Second

// Options say how the workbench opens.
type Options struct {
	// Config fills the set-up in; empty fields stand for the defaults.
	Config rundir.Config
	// Start opens on the dashboard of a run of Config.
	Start bool
	// Given says that Config was asked for, and is not replaced by what was chosen
	// the last time.
	Given bool
	// Settings are the person's; Problems is what is wrong in their file, each in a
	// line.
	Settings settings.Settings
	Problems []error
	// Remember says that the screens are as they were left, and that the way they
	// are left is kept. State is what they were.
	Remember bool
	State    settings.State
	// Input and Output are the terminal; nil means standard input and output.
	Input  io.Reader
	Output io.Writer
	// Errors takes the stacks that SIGQUIT asks for; nil means standard error.
	Errors io.Writer

	engine engine // nil means the program's own; tests have theirs
}

// Run opens the workbench and returns when the user has left it, ctx has ended
// or a signal came. On every way out, a panic or a screen that is stuck included, the
// terminal is restored and the runs that are going are asked to stop, and waited for
// until a second signal.
//
// It returns ErrInterrupted when a run was going and was not left by q, and ErrQuit after
// SIGQUIT. A panic of the screen comes back as one line that names the file with the
// details. A run that failed is not an error of Run.
func Run(ctx context.Context, opts Options) error {
	signals, release := newWatchdog(ctx)
	defer release()
	if opts.engine == nil {
		opts.engine = &workbench{}
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	if opts.Errors == nil {
		opts.Errors = os.Stderr
	}
	begun := &register{engine: opts.engine}
	work, cancel := context.WithCancel(context.Background())
	defer cancel()
	if opts.Remember {
		opts.State = settings.LoadState()
	}
	a := newApp(work, begun, newTheme(opts.Settings, rememberedDots(opts.State)), opts)
	lines := printable.Writer{Writer: opts.Output} // before and after the screens
	for _, p := range a.problems {
		fmt.Fprintln(lines, "dgplab:", p)
	}
	before := rememberTerminal(opts.Input, opts.Output)
	g := &guard{model: a}

	ended, err := signals.show(g, opts)
	if !ended {
		return signals.takeOver(before, begun, cancel, opts)
	}
	quit := signals.dump(opts.Errors)
	going := a.going()
	if a.interrupted && a.quitting && going {
		signals.urge() // A second ctrl+c is as a second signal.
	}
	left := signals.wait(a.endWork())
	if g.crash == nil {
		a.farewell(lines)
	}
	if g.crash == nil && opts.Remember {
		if err := a.keep().Save(); err != nil {
			fmt.Fprintln(lines, "dgplab:", err)
		}
	}
	switch {
	case g.crash != nil:
		return g.crash.report(a.lastRun())
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return fmt.Errorf("terminal: %w", err)
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("terminal: %w", err)
	}
	return signals.ending(quit, left, a.interrupted || going)
}

// newTheme returns how the screens look by the settings, by what was chosen the last time
// for the lines (nil if nothing), and by the terminal.
func newTheme(s settings.Settings, dots *bool) *kit.Theme {
	signs := kit.Unicode
	if s.ASCII || !kit.CanUnicode(os.Getenv) {
		signs = kit.ASCII
	}
	profile := kit.Colors(lipgloss.ColorProfile(), os.Getenv) // Knows NO_COLOR, and what the terminal can.
	if os.Getenv("TERM") == "dumb" {
		profile = termenv.Ascii
	}
	var list []kit.Option
	if s.Theme == settings.HighContrast {
		list = append(list, kit.WithHighContrast)
	}
	if s.Braille != nil {
		dots = s.Braille
	}
	if dots == nil && kit.CanDots(os.Getenv) || dots != nil && *dots {
		list = append(list, kit.WithBraille)
	}
	dark := s.Theme == settings.Dark
	if s.Theme != settings.Dark && s.Theme != settings.Light {
		dark = background.IsDark(os.Stdout)
	}
	return kit.NewTheme(profile, dark, signs, list...)
}

// echoRate is how many frames a second there may be at least, whatever the person's
// frame rate is: that one is about data, and keys are answered at once.
const echoRate = 30

// period returns the time between two frames that show new data.
func (o Options) period() time.Duration {
	rate := o.Settings.FrameRate
	if rate <= 0 {
		rate = settings.Default().FrameRate
	}
	return time.Second / time.Duration(rate)
}

// programOptions returns how the Bubble Tea program runs.
func programOptions(ctx context.Context, opts Options) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithOutput(opts.Output),
		tea.WithoutSignalHandler(), // Run has its own, which also saves the runs.
		tea.WithAltScreen(),
		tea.WithFilter(withoutLateAnswer()),
		tea.WithFPS(max(int(time.Second/opts.period()), echoRate)),
	}
	if opts.Input != nil {
		list = append(list, tea.WithInput(opts.Input))
	}
	if opts.Settings.Mouse {
		list = append(list, tea.WithMouseCellMotion())
	}
	return list
}

// farewell leaves a line or two for each run and each piece of work on the ordinary
// screen: what became of it and how to go on.
func (a *app) farewell(w io.Writer) {
	for _, r := range a.allRuns() {
		for _, line := range runFarewell(r.last) {
			fmt.Fprintln(w, line)
		}
	}
	for _, worker := range a.workers() {
		for _, line := range worker.Farewell() {
			fmt.Fprintln(w, line)
		}
	}
}

// runFarewell returns what became of a run and how to go on with it, nothing if s is nil.
func runFarewell(s *session.Snapshot) []string {
	if s == nil {
		return nil
	}
	line := "run " + s.ID + ": still saving at step " + kit.Grouped(s.Step)
	if s.State == session.Ended {
		line = "run " + s.ID + ": " + kit.StopReason(s)
	}
	if s.State == session.Ended && s.Stop != rundir.StopAsked && s.Stop != rundir.StopFailed {
		return []string{line}
	}
	return []string{line, "  go on with: dgplab train --resume " + s.ID}
}

// lastRun returns the newest run, nil if there was none.
func (a *app) lastRun() kit.Run {
	if len(a.started) == 0 {
		return nil
	}
	return a.started[len(a.started)-1].Run
}
