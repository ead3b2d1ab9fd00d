package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
)

// How long the screen waits.
const (
	// frameTime is the tick of the dashboard: it redraws ten times a second at most.
	frameTime = 100 * time.Millisecond
	// statusTime is how long a status line stays.
	statusTime = 6 * time.Second
)

// app is the root model. It belongs to the goroutine of the Bubble Tea program;
// its methods never block.
type app struct {
	ctx context.Context // ends with the program; downloads live in it
	// runs is the context of every run. Cancelled, they keep a checkpoint and end
	// without an evaluation.
	runs       context.Context
	cancelRuns context.CancelFunc
	engine     engine
	theme      *theme

	w, h  int
	on    screenID
	setup *setup
	dash  *dash // nil before the first run
	// started is every run of this program: Run waits for them at the end.
	started []run
	// stepTimes remembers seconds per step by configuration, for the set-up.
	stepTimes map[string]float64

	question *question
	help     bool
	helpPane viewport.Model
	status   status
	mouse    bool

	// starting counts requests to start; an answer to an older one is dropped.
	starting    int
	startsNow   bool // begin with a running dashboard
	quitting    bool // leave as soon as the run has ended
	interrupted bool // left by ctrl+c

	dirty bool
	frame string
}

// status is one line that says what just happened, until it expires.
type status struct {
	text string
	tone tone
	gen  int
}

// question is a dialog that waits for yes or no.
type question struct {
	// short takes the place of text on a narrow terminal.
	text, short string
	// again is the key that asked: pressing it again means yes.
	again key.Binding
	yes   func() tea.Cmd
}

func newApp(ctx context.Context, e engine, th *theme, opts Options) *app {
	runs, cancel := context.WithCancel(ctx)
	return &app{
		ctx: ctx, engine: e, theme: th,
		runs: runs, cancelRuns: cancel,
		on:        onSetup,
		setup:     newSetup(e, th, opts.Config),
		stepTimes: map[string]float64{},
		mouse:     !opts.NoMouse,
		startsNow: opts.Start,
		dirty:     true,
	}
}

// Init begins with an inspection of the configuration, or with a run of it.
func (a *app) Init() tea.Cmd {
	if a.startsNow {
		return a.start()
	}
	return a.setup.inspectSoon()
}

// Update takes one message. Every message but an unchanged snapshot makes the
// next frame be drawn anew.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m, ok := msg.(snapshotTakenMsg); ok {
		return a, a.snapshotTaken(m)
	}
	a.dirty = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = msg.Width, msg.Height
		if a.help {
			a.fitHelp()
		}
		return a, nil
	case tea.KeyMsg:
		return a, a.keys(msg)
	case tea.MouseMsg:
		return a, a.mouseEvent(msg)
	case runStartedMsg:
		return a, a.runStarted(msg)
	case runEndedMsg:
		return a, a.runEnded(msg)
	case exportDoneMsg:
		return a, a.exportDone(msg)
	case statusExpiredMsg:
		if msg.gen == a.status.gen {
			a.status.text = ""
		}
		return a, nil
	}
	return a, a.setup.update(a.ctx, msg)
}

// View returns the frame, w x h cells exactly. Bubble Tea asks after every
// message; the frame is built only when something changed.
func (a *app) View() string {
	if !a.dirty {
		return a.frame
	}
	a.dirty = false
	a.frame = a.draw()
	return a.frame
}

func (a *app) draw() string {
	if a.w <= 0 || a.h <= 0 {
		return ""
	}
	switch {
	case a.help:
		return strings.Join(a.helpView(), "\n")
	case a.on == onDash:
		return a.dash.view(a.w, a.h, a.footnote())
	}
	return a.setup.view(a.w, a.h, a.footnote(), a.knownStepTime())
}

// footnote is what takes the place of the keys in the footer: a question, else
// the status, else nothing.
func (a *app) footnote() string {
	if a.question != nil {
		return a.asked()
	}
	if a.status.text != "" {
		return a.theme.tone(a.status.tone).Render(a.status.text)
	}
	return ""
}

// asked writes the question and its answers. Where there is no room for both, the
// answers come first: a question whose answers are cut off is a riddle.
func (a *app) asked() string {
	th, yes, no := a.theme, answerYes.Help(), answerNo.Help()
	answers := th.key.Render(yes.Key) + th.dim.Render(yes.Desc+" ") + th.key.Render(no.Key) + th.dim.Render(no.Desc)
	for _, text := range []string{a.question.text, a.question.short} {
		if line := th.warn.Render(text) + "  " + answers; cells(line) <= a.w-2 {
			return line
		}
	}
	return answers + " " + th.warn.Render(a.question.short)
}

// say shows a status line for a while.
func (a *app) say(t tone, text string) tea.Cmd {
	a.status = status{text: text, tone: t, gen: a.status.gen + 1}
	gen := a.status.gen
	return tea.Tick(statusTime, func(time.Time) tea.Msg { return statusExpiredMsg{gen} })
}

// start asks the engine for a run of the configuration of the set-up.
func (a *app) start() tea.Cmd {
	a.starting++
	gen, c, ctx, e := a.starting, a.setup.config(), a.runs, a.engine
	a.setup.starting = true
	return func() tea.Msg {
		r, err := e.Start(ctx, c)
		return runStartedMsg{gen, r, err}
	}
}

func (a *app) runStarted(msg runStartedMsg) tea.Cmd {
	if msg.gen != a.starting {
		if msg.run != nil {
			msg.run.Stop()
			a.started = append(a.started, msg.run)
		}
		return nil
	}
	a.setup.starting = false
	if msg.err != nil {
		return tea.Batch(a.say(toneBad, "cannot start: "+msg.err.Error()), a.setup.inspectSoon())
	}
	a.started = append(a.started, msg.run)
	a.dash = newDash(a.theme, msg.run, msg.gen, a.setup.config(), a.dash)
	a.on = onDash
	a.status.text = ""
	return tea.Batch(poll(msg.run, msg.gen, 0), waitForEnd(a.ctx, msg.run, msg.gen))
}

// poll takes the newest snapshot after one frame. Latest is one atomic load, so
// neither side waits for the other.
func poll(r run, gen int, after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg { return snapshotTakenMsg{gen, r.Latest()} })
}

// waitForEnd reports that the goroutine of r has returned.
func waitForEnd(ctx context.Context, r run, gen int) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-r.Done():
		case <-ctx.Done():
		}
		return runEndedMsg{gen}
	}
}

func (a *app) snapshotTaken(msg snapshotTakenMsg) tea.Cmd {
	if a.dash == nil || msg.gen != a.dash.gen {
		return nil
	}
	if a.dash.take(msg.snapshot) {
		a.dirty = true
		a.learnStepTime(msg.snapshot)
	}
	if a.dash.over {
		return nil // The last snapshot will not change; nothing is left to poll.
	}
	return poll(a.dash.run, msg.gen, frameTime)
}

func (a *app) runEnded(msg runEndedMsg) tea.Cmd {
	if a.dash == nil || msg.gen != a.dash.gen {
		return nil
	}
	a.dash.over = true
	a.dash.take(a.dash.run.Latest())
	a.learnStepTime(a.dash.snap)
	if a.quitting {
		return tea.Quit
	}
	return nil
}

// learnStepTime keeps the time per step of a configuration that has trained for
// a while.
func (a *app) learnStepTime(s *session.Snapshot) {
	if s != nil && s.Step >= 20 && s.Seconds > 0 {
		a.stepTimes[costKey(a.dash.config)] = s.Seconds / float64(s.Step)
	}
}

// knownStepTime returns the time per step of the set-up's configuration, 0 when
// it has not run in this program.
func (a *app) knownStepTime() time.Duration {
	return time.Duration(a.stepTimes[costKey(a.setup.config())] * float64(time.Second))
}

// costKey names all of a configuration that decides what a step costs.
func costKey(c session.Config) string {
	key := c.Dataset + "\x00" + c.Split + "\x00" + c.Family
	for _, name := range sortedNames(c.Set) {
		if name != "steps" {
			key += "\x00" + name + "=" + c.Set[name]
		}
	}
	return key
}

// going reports whether there is a run that has not ended.
func (a *app) going() bool { return a.dash != nil && !a.dash.over }

// toSetup goes to the set-up screen, which keeps what was chosen.
func (a *app) toSetup() tea.Cmd {
	a.on = onSetup
	return a.setup.inspectSoon()
}

// exportDone says what was written.
func (a *app) exportDone(msg exportDoneMsg) tea.Cmd {
	if a.dash != nil {
		a.dash.exporting = false
	}
	if msg.err != nil {
		return a.say(toneBad, "export failed: "+msg.err.Error())
	}
	return a.say(toneGood, "exported "+strconv.Itoa(len(msg.files))+" files to "+msg.dir)
}
