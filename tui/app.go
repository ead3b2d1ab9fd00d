package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/tui/settings"
)

// statusTime is how long a status line stays.
const statusTime = 6 * time.Second

// app is the root model and the house of the screens (kit.Host). It belongs to the
// goroutine of the Bubble Tea program; its methods never block.
type app struct {
	ctx context.Context // ends with the program; downloads live in it
	// runs is the context of every run. Cancelled, they keep a checkpoint and end
	// without an evaluation.
	runs       context.Context
	cancelRuns context.CancelFunc
	engine     engine
	theme      *kit.Theme
	clipboard  clipboard
	cores      int // that trainings share

	w, h    int
	screens []screen
	on      kit.ScreenID
	// before are the screens that were in front, the last one last, each once.
	before []kit.ScreenID
	// begin is the first thing to do.
	begin func() tea.Cmd
	// started are the runs of this program that are at hand: Run waits for them at the end.
	// past are those that ended earlier.
	started  []startedRun
	past     []pastRun
	starting int // requests that are not answered yet

	question *kit.Question
	help     bool
	helpPane viewport.Model
	palette  *palette // nil when it is closed
	status   status
	mouse    bool
	dots     *bool // whether lines are dots, once somebody chose it
	// problems are what is wrong in the settings, a line each.
	problems []error
	period   time.Duration // between two frames of new data

	quitting    bool // leave as soon as the runs have ended
	interrupted bool // left by ctrl+c

	// dirty says that the frame is to be drawn anew. Data do so at most once a period:
	// while resting, what they change waits (stale). Keys are answered at once.
	dirty, resting, stale bool
	frame                 string
}

// status is one line that says what just happened, until it expires or a key asks for
// something else, after which it may no longer be true.
type status struct {
	text string
	tone kit.Tone
	gen  int
}

func newApp(ctx context.Context, e engine, th *kit.Theme, opts Options) *app {
	runs, cancel := context.WithCancel(ctx)
	a := &app{
		ctx: ctx, engine: e, theme: th,
		runs: runs, cancelRuns: cancel,
		cores:     runtime.GOMAXPROCS(0),
		clipboard: newClipboard(opts.Output),
		mouse:     opts.Settings.Mouse,
		period:    opts.period(),
		problems:  opts.Problems,
		dirty:     true,
	}
	a.makeScreens(opts)
	a.rebind(opts.Settings.Keys)
	return a
}

// Init begins with an inspection of the configuration, or with a run of it, and
// says what is wrong in the settings.
func (a *app) Init() tea.Cmd {
	begin := a.begin()
	if len(a.problems) == 0 {
		return begin
	}
	text := a.problems[0].Error()
	if p := (*settings.Problem)(nil); errors.As(a.problems[0], &p) {
		text = p.Brief()
	}
	if more := len(a.problems) - 1; more > 0 {
		text = fmt.Sprintf("(and %d more) %s", more, text)
	}
	return tea.Batch(begin, a.Say(kit.Warn, text))
}

// Update takes one message. What is neither input nor about runs goes to every
// screen; the next frame is drawn anew when the one in front has changed.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.WindowSizeMsg, tea.KeyMsg, tea.MouseMsg, runStartedMsg, runEndedMsg, statusExpiredMsg:
		a.dirty = true
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		return a, a.keys(msg)
	case tea.MouseMsg:
		return a, a.mouseEvent(msg)
	case runStartedMsg:
		return a, a.runStarted(msg)
	case runEndedMsg:
		return a, a.runEnded(msg)
	case workEndedMsg:
		return a, a.leaveWhenDone()
	case frameDueMsg:
		return a, a.frameDue()
	case statusExpiredMsg:
		if msg.gen == a.status.gen {
			a.status.text = ""
		}
	default:
		return a, a.broadcast(msg)
	}
	return a, nil
}

// broadcast passes a message to every screen.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	var list []tea.Cmd
	for _, s := range a.screens {
		cmd, changed := s.Update(msg)
		if changed && s.id == a.on {
			list = append(list, a.dataChanged())
		}
		list = append(list, cmd)
	}
	return tea.Batch(list...)
}

// dataChanged draws the frame anew, unless data have done so within this period:
// then at its end.
func (a *app) dataChanged() tea.Cmd {
	if a.resting {
		a.stale = true
		return nil
	}
	a.dirty, a.resting = true, true
	return tea.Tick(a.period, func(time.Time) tea.Msg { return frameDueMsg{} })
}

// frameDue ends a period.
func (a *app) frameDue() tea.Cmd {
	a.resting = false
	if a.stale {
		return a.dataChanged()
	}
	return nil
}

func (a *app) resize(w, h int) {
	a.w, a.h = w, h
	for _, s := range a.screens {
		s.SetSize(w, h)
	}
	if a.help {
		a.fitHelp()
	}
}

// View returns the frame, w x h cells exactly. Bubble Tea asks after every
// message; the frame is built only when something changed.
func (a *app) View() string {
	if !a.dirty {
		return a.frame
	}
	a.dirty, a.stale = false, false
	frame := a.draw()
	if a.dirty { // The screen was mended, which is said.
		a.dirty = false
		frame = a.draw()
	}
	a.frame = printable.Picture(frame, a.theme.Profile != termenv.Ascii)
	return a.frame
}

func (a *app) draw() string {
	switch {
	case a.w <= 0 || a.h <= 0:
		return ""
	case a.help:
		return strings.Join(a.helpView(), "\n")
	case a.palette != nil:
		return strings.Join(a.paletteView(), "\n")
	}
	front := a.front()
	keys := a.theme.KeyLine(kit.Live(front.Screen, front.table), a.w-2)
	status := a.statusLine()
	switch {
	case a.question != nil:
		return front.View(keys, a.asked())
	case status != "" && (a.h < statusHeight || a.w < kit.BareWidth):
		return front.View(keys, status)
	case status != "":
		return a.withStatus(front.View(keys, ""), status)
	}
	return front.View(keys, "")
}

// statusHeight is the height from which the status does not hide the keys.
const statusHeight = 10

// statusLine is the status as it is drawn, "" for none.
func (a *app) statusLine() string {
	if a.status.text == "" {
		return ""
	}
	return a.theme.Tone(a.status.tone).Render(a.status.text)
}

// withStatus draws the status over the line above the footer: into it where that is a
// border, and otherwise in its place, so that no sentence is made of the halves of two.
func (a *app) withStatus(frame, status string) string {
	const indent = 2
	lines := kit.Lines(frame)
	row := &lines[len(lines)-2]
	status = " " + a.theme.Fit(status, min(kit.Cells(status), a.w-2*indent-2)) + " "
	if under := ansi.Strip(*row); !strings.HasPrefix(strings.TrimSpace(under), a.theme.Glyphs.BottomLeft) {
		*row = a.theme.Fit(status, a.w)
		return strings.Join(lines, "\n")
	}
	*row = ansi.Cut(*row, 0, indent) + status + ansi.Cut(*row, indent+kit.Cells(status), a.w)
	return strings.Join(lines, "\n")
}

// asked writes the question and its answers. Where there is no room for both, the
// answers come first: a question whose answers are cut off is a riddle.
func (a *app) asked() string {
	th := a.theme
	yes := kit.AnswerYes.Help()
	no := kit.AnswerNo.Help()
	answers := th.Key.Render(yes.Key) + th.Dim.Render(" "+yes.Desc+"  ") + th.Key.Render(no.Key) +
		th.Dim.Render(" "+no.Desc)
	for _, text := range []string{a.question.Text, a.question.Short} {
		if line := th.Warn.Render(text) + "  " + answers; kit.Cells(line) <= a.w-2 {
			return line
		}
	}
	return answers + " " + th.Warn.Render(a.question.Short)
}
