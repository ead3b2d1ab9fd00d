package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/kitty"
	"dgplab/tui/report"
	"dgplab/tui/settings"
)

// statusTime is the time for which a status line is shown.
const statusTime = 6 * time.Second

// app is the root model and the kit.Host of the screens. It belongs to the goroutine of the Bubble
// Tea program; its methods never block.
type app struct {
	work      *register
	theme     *kit.Theme
	images    *kitty.Images // nil if maps are drawn with characters
	jobs      *jobControl
	clipboard clipboard
	cores     int // shared by the training runs

	w, h    int
	screens []screen
	on      kit.ScreenID
	// before holds the screens that were in front before, without duplicates, most recent last.
	before []kit.ScreenID
	// begin is called by Init.
	begin func() tea.Cmd

	question *kit.Question
	help     bool
	// explained holds the title and the text that replace the keys on the help page. If the text is empty,
	// the page shows the keys.
	explained struct{ title, text string }
	helpPane  viewport.Model
	palette   *palette // nil if closed
	status    status
	// settings holds the settings in use. They begin as in Options, and keys, the palette and the settings
	// page change them.
	settings settings.Settings
	page     *settings.Page
	// dark is set if the terminal has a dark background.
	dark bool
	dots *bool // the last choice between dots and strokes with a key, or nil if none
	// problems holds the errors in the settings, one line each.
	problems []error

	quitting    bool // quit when the runs have ended
	interrupted bool // by ctrl+c

	// dirty is set if the frame must be redrawn. Keys set it immediately. New data set it at most once per
	// period: during the period (resting) they set stale instead.
	dirty, resting, stale bool
	frame                 string
}

// status is a line that reports an event. The next key removes it, because it may then be out of date. Unless
// it is held, it is also removed after statusTime.
type status struct {
	text string
	tone kit.Tone
	gen  int
}

func newApp(e engine, th *kit.Theme, opts Options) *app {
	a := &app{
		work:      newRegister(e),
		theme:     th,
		jobs:      newJobControl(context.Background()),
		cores:     session.Cores(),
		clipboard: newClipboard(opts.Output),
		settings:  opts.Settings,
		dark:      opts.dark,
		problems:  opts.Problems,
		dirty:     true,
	}
	a.makeScreens(opts)
	return a
}

// Init opens the first screen, or starts the run of Options.Start, and reports the problems in the
// settings.
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

// Update handles one message. Messages other than input and the run messages go to every screen.
// The next frame is redrawn if the front screen has changed.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.WindowSizeMsg, tea.KeyMsg, tea.MouseMsg, runStartedMsg, runEndedMsg, statusExpiredMsg,
		returnedMsg:
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
	case continuedMsg:
		return a, a.jobs.retake(msg.stopped)
	case returnedMsg:
		return a, a.returned(msg)
	case workEndedMsg:
		return a, tea.Quit
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

// dataChanged redraws the frame at most once per period. Further changes are drawn when the period ends.
func (a *app) dataChanged() tea.Cmd {
	if a.resting {
		a.stale = true
		return nil
	}
	a.dirty, a.resting = true, true
	return tea.Tick(a.Frame(), func(time.Time) tea.Msg { return frameDueMsg{} })
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
	if a.images != nil {
		a.images.Measure()
	}
	a.arrange()
}

// View returns the frame, exactly w x h cells. Bubble Tea calls it after every message; the frame
// is built only after a change.
func (a *app) View() string {
	if !a.dirty {
		return a.frame
	}
	a.dirty, a.stale = false, false
	frame := a.draw()
	if a.dirty { // The screen has recovered from a panic and reports it.
		a.dirty = false
		frame = a.draw()
	}
	a.frame = a.theme.Paint(report.PrintablePicture(frame, a.theme.Profile != termenv.Ascii), a.w)
	if a.images != nil {
		a.images.Frame(a.frame)
	}
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
	keys := a.theme.KeyLine(kit.Available(front.Screen, front.table), a.w-2)
	status := ""
	if a.status.text != "" {
		status = a.theme.Tone(a.status.tone).Render(a.status.text)
	}
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

// statusHeight is the minimum height at which the status line does not replace the keys.
const statusHeight = 10

// withStatus draws the status over the line above the footer. It covers only part of a border, but replaces a
// whole line of text, because parts of both would read as one sentence.
func (a *app) withStatus(frame, status string) string {
	const indent = 2
	lines := kit.Lines(frame)
	row := &lines[len(lines)-2]
	status = " " + a.theme.Cut(status, a.w-2*indent-2) + " "
	if under := ansi.Strip(*row); !strings.HasPrefix(strings.TrimSpace(under), a.theme.Glyphs.BottomLeft) {
		*row = a.theme.Fit(status, a.w)
		return strings.Join(lines, "\n")
	}
	*row = ansi.Cut(*row, 0, indent) + status + ansi.Cut(*row, indent+kit.Cells(status), a.w)
	return strings.Join(lines, "\n")
}

// asked formats the question and its answers. If there is no room for both, the answers come first.
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
