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

	"dgplab/datasets/files"
	"dgplab/session"
	"dgplab/session/interrupt"
	"dgplab/session/rundir"
	"dgplab/tui/background"
	"dgplab/tui/kit"
	"dgplab/tui/kitty"
	"dgplab/tui/report"
	"dgplab/tui/settings"
)

// ErrInterrupted is returned by Run if a signal, the end of the context or ctrl+c ended the program while a
// run was training. Every run has saved its checkpoint.
var ErrInterrupted = errors.New("interrupted; the run's checkpoint is kept")

// ErrAtOnce is returned by Run if a second signal or ctrl+c ended the program before every run had saved its
// checkpoint.
var ErrAtOnce = errors.New("ended at once, before the run saved its state; its last checkpoint is kept")

// stopLimit is the time for which Run waits for a run to save its state and end.
const stopLimit = 20 * time.Second

// Options configures the workbench.
type Options struct {
	// Config fills in the set-up screen. Empty fields stand for the defaults.
	Config rundir.Config
	// Pipe is the content of the pipe that Config names as its data set, or nil.
	Pipe *files.StoredPipe
	// Start starts a run of Config and opens the dashboard.
	Start bool
	// Given is set if the user gave Config, which then takes precedence over the saved state.
	Given bool
	// Settings holds the user's settings, and Problems holds the errors in the settings file, one line each.
	Settings settings.Settings
	Problems []error
	// Remember restores the state of the screens at the start and saves it at the end. State is the
	// state to restore.
	Remember bool
	State    SavedState
	// Input and Output are the terminal. If they are nil, standard input and output are used.
	Input  io.Reader
	Output io.Writer
	// Errors receives the stacks after SIGQUIT. If it is nil, standard error is used.
	Errors io.Writer

	engine engine // nil means the workbench; tests set a fake
	dark   bool   // the terminal has a dark background
}

// Run opens the workbench and returns when the user quits, ctx ends or a signal arrives. In all
// cases, including a panic and a blocked screen, it restores the terminal, asks the training runs
// to stop and waits for them until a second signal.
//
// Run returns ErrInterrupted if a run was training and the user did not quit with q, ErrAtOnce if a second
// signal prevented its checkpoint, and ErrQuit after SIGQUIT. For a panic of a screen it returns a one-line
// error that names the file with the details. A failed run is not an error of Run.
func Run(ctx context.Context, opts Options) error {
	signals, release := newWatchdog(ctx)
	defer release()
	defer session.ForScreen()()
	if opts.engine == nil {
		opts.engine = &workbench{inspector: session.Inspector{Pipe: opts.Pipe}}
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	if opts.Errors == nil {
		opts.Errors = os.Stderr
	}
	// After the first signal, a terminal that accepts no output must not hold up the end.
	opts.Output = interrupt.Limit(signals.asked, opts.Output)
	opts.Errors = interrupt.Limit(signals.asked, opts.Errors)
	if opts.Remember {
		opts.State = loadState()
	}
	opts.dark = isDark(interrupt.Limit(signals.asked, os.Stdout))
	theme := newTheme(terminalColors(), opts.dark, opts.Settings, rememberedDots(opts.State))
	images := askForImages(opts, theme)
	if images != nil {
		kit.WithImages(images)(theme)
		opts.Output = kitty.Output{File: opts.Output.(interrupt.File), Images: images}
	}
	a := newApp(opts.engine, theme, opts)
	a.images = images
	a.jobs = newJobControl(signals.asked)
	lines := report.PrintableWriter{Writer: opts.Output} // before and after the screens
	for _, p := range a.problems {
		fmt.Fprintln(lines, "dgplab:", p)
	}
	before := rememberTerminal(opts.Input, opts.Output)
	g := &guard{model: a}
	work := a.work
	defer work.end()

	ended, err := signals.show(g, a.jobs, opts)
	if !ended {
		return signals.takeOver(before, work, opts)
	}
	quit := signals.dump(opts.Errors)
	going := work.busy() > 0
	if a.interrupted && a.quitting && going {
		signals.urge() // A second ctrl+c counts as a second signal.
	}
	left := signals.endWork(work)
	if g.crash == nil {
		for _, line := range work.farewells() {
			fmt.Fprintln(lines, line)
		}
	}
	if g.crash == nil && opts.Remember {
		if err := a.save(); err != nil {
			fmt.Fprintln(lines, "dgplab:", err)
		}
	}
	if err := a.page.Finish(); err != nil {
		fmt.Fprintln(lines, "dgplab:", err)
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

// terminalColors returns the colours of the terminal. They respect NO_COLOR.
func terminalColors() termenv.Profile {
	if os.Getenv("TERM") == "dumb" {
		return termenv.Ascii
	}
	return kit.Colors(lipgloss.ColorProfile(), os.Getenv)
}

// isDark reports whether the terminal behind out has a dark background.
func isDark(out io.Writer) bool {
	tty, ok := out.(interrupt.File)
	return !ok || background.IsDark(tty)
}

// newTheme returns the theme for a terminal with the given colours and a dark or light background, for the
// settings, and for the saved choice of dots or strokes, which is nil if there is none.
func newTheme(colors termenv.Profile, dark bool, s settings.Settings, dots *bool) *kit.Theme {
	signs := kit.Unicode
	if s.ASCII || !kit.CanUnicode(os.Getenv) {
		signs = kit.ASCII
	}
	var list []kit.Option
	if s.Theme == settings.HighContrast {
		list = append(list, kit.WithHighContrast)
	}
	if s.Theme != settings.Auto && s.Theme != "" {
		list = append(list, kit.WithGround)
	}
	if s.Braille != nil {
		dots = s.Braille
	}
	if dots == nil && kit.CanDots(os.Getenv) || dots != nil && *dots {
		list = append(list, kit.WithBraille)
	}
	switch s.Theme {
	case settings.Dark:
		dark = true
	case settings.Light:
		dark = false
	}
	return kit.NewTheme(colors, dark, signs, list...)
}

// askForImages returns the bitmaps of the terminal, or nil if the settings turn them off or the terminal does
// not support them.
func askForImages(opts Options, th *kit.Theme) *kitty.Images {
	tty, ok := opts.Output.(interrupt.File)
	if !ok || !opts.Settings.Images || !th.Glyphs.Unicode || th.Profile != termenv.TrueColor {
		return nil
	}
	return kitty.Ask(tty)
}

// minFPS is the least frame rate of Bubble Tea, which answers keys. A higher one takes processor time when
// nothing happens: 60 take 1.3 % of a core, and 30 take 0.7 %.
const minFPS = 30

// programOptions returns the options of the Bubble Tea program.
func programOptions(ctx context.Context, opts Options) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithOutput(opts.Output),
		tea.WithoutSignalHandler(), // Run handles signals and saves the runs.
		tea.WithAltScreen(),
		tea.WithFilter(withoutLateAnswer()),
		tea.WithFPS(max(opts.Settings.FrameRate, minFPS)), // See app.dataChanged for frames with new data.
	}
	if opts.Input != nil {
		list = append(list, tea.WithInput(opts.Input))
	}
	if opts.Settings.Mouse {
		list = append(list, tea.WithMouseCellMotion())
	}
	return list
}

// runFarewell returns lines with the state of a run and how to resume it, or nil if s is nil.
func runFarewell(s *session.Snapshot) []string {
	if s == nil {
		return nil
	}
	line := "run " + s.ID + ": still saving at step " + report.Grouped(s.Step)
	if !s.State.Going() {
		line = "run " + s.ID + ": " + report.StopReason(s)
	}
	switch {
	case s.State.Going():
	case s.Stop == rundir.StopAsked, s.Stop == rundir.StopRung, s.Stop == rundir.StopFailed:
	default:
		return []string{line}
	}
	return []string{line, "  resume with: " + report.Program() + " train --resume " + s.ID}
}

// lastRun returns the newest run, or nil if there is none.
func (a *app) lastRun() kit.Run {
	list := a.Runs()
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
