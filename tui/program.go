package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
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

	engine engine // nil means the program's own; tests have theirs
}

// Run opens the workbench and returns when the user has left it, ctx has ended
// or a signal came. On every way out, a panic included, the terminal is restored
// and the runs that are going are asked to stop, and waited for.
//
// It returns ErrInterrupted when a run was going and was not left by q. A panic
// of the screen comes back as one line that names the file with the details. A
// run that failed is not an error of Run.
func Run(ctx context.Context, opts Options) error {
	ctx, release := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer release()
	if opts.engine == nil {
		opts.engine = &workbench{}
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	work, cancel := context.WithCancel(context.Background())
	defer cancel()
	if opts.Remember {
		opts.State = settings.LoadState()
	}
	a := newApp(work, opts.engine, newTheme(opts.Settings, rememberedDots(opts.State)), opts)
	lines := printable.Writer{Writer: opts.Output} // before and after the screens
	for _, p := range a.problems {
		fmt.Fprintln(lines, "dgplab:", p)
	}
	g := &guard{model: a}

	_, err := tea.NewProgram(g, programOptions(ctx, opts)...).Run()

	going := a.going()
	atOnce := a.interrupted && a.quitting && going
	left := a.endAll(atOnce)
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
	case left > 0 && !atOnce:
		return fmt.Errorf("%s did not stop within %v; the last checkpoint is kept", kit.Plural(left, "run", "runs"), stopLimit)
	case a.interrupted || going:
		return ErrInterrupted
	}
	return nil
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

// endAll ends everything that is going, each run with a checkpoint, and waits for
// it, or not at all. It returns how many pieces of work have not ended.
func (a *app) endAll(atOnce bool) (left int) {
	limit := time.After(stopLimit)
	if atOnce {
		limit = time.After(0)
	}
	for _, done := range a.endWork() {
		select {
		case <-done:
			continue
		default:
		}
		select {
		case <-done:
		case <-limit:
			left++
			limit = time.After(0)
		}
	}
	return left
}

// farewell leaves a line or two for each run and each piece of work on the ordinary
// screen: what became of it and how to go on.
func (a *app) farewell(w io.Writer) {
	for _, r := range a.allRuns() {
		s := r.last
		if s == nil {
			continue
		}
		line := "run " + s.ID + ": still saving at step " + kit.Grouped(s.Step)
		if s.State == session.Ended {
			line = "run " + s.ID + ": " + kit.StopReason(s)
		}
		if s.State != session.Ended || s.Stop == rundir.StopAsked || s.Stop == rundir.StopFailed {
			line += "\n  go on with: dgplab train --resume " + s.ID
		}
		fmt.Fprintln(w, line)
	}
	for _, worker := range a.workers() {
		for _, line := range worker.Farewell() {
			fmt.Fprintln(w, line)
		}
	}
}

// lastRun returns the newest run, nil if there was none.
func (a *app) lastRun() kit.Run {
	if len(a.started) == 0 {
		return nil
	}
	return a.started[len(a.started)-1].Run
}
