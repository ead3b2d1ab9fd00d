package kittest

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// House stands in for the program around one screen: it is a kit.Host that
// remembers what it was asked, and passes messages on as the program does, to the
// screen alone. Its fields may be set before and read after.
type House struct {
	Screen kit.Screen
	// Started are what Runs returns.
	Started []kit.Run
	// StepSeconds is what SecondsPerStep returns for every configuration.
	StepSeconds float64

	Note   string // the last line that was said
	Asked  *kit.Question
	Went   []Visit
	Backs  int
	Copied string
	Starts []kit.Start

	w, h  int
	theme *kit.Theme
}

// Visit is one call of Go.
type Visit struct {
	To      kit.ScreenID
	Payload any
}

// NewHouse returns a house without colour, with the signs of Unicode. The screen
// is made with it and put into Screen.
func NewHouse() *House { return &House{theme: PlainTheme()} }

// PlainTheme has no colours and the signs of Unicode.
func PlainTheme() *kit.Theme { return kit.NewTheme(termenv.Ascii, true, kit.Unicode) }

// The methods of kit.Host.

func (h *House) Context() context.Context             { return context.Background() }
func (h *House) Theme() *kit.Theme                    { return h.theme }
func (h *House) Frame() time.Duration                 { return time.Millisecond }
func (h *House) Ask(q kit.Question)                   { h.Asked = &q }
func (h *House) Runs() []kit.Run                      { return h.Started }
func (h *House) SecondsPerStep(rundir.Config) float64 { return h.StepSeconds }

func (h *House) Say(_ kit.Tone, text string) tea.Cmd {
	h.Note = text
	return nil
}

func (h *House) Go(to kit.ScreenID, payload any) tea.Cmd {
	h.Went = append(h.Went, Visit{to, payload})
	return nil
}

func (h *House) Back() tea.Cmd {
	h.Backs++
	return nil
}

func (h *House) Copy(text string) tea.Cmd {
	h.Copied = text
	return nil
}

func (h *House) Start(s kit.Start) tea.Cmd {
	h.Starts = append(h.Starts, s)
	return nil
}

// Size gives the screen w x h cells.
func (h *House) Size(w, height int) {
	h.w, h.h = w, height
	h.Screen.SetSize(w, height)
}

// View returns the frame of the screen.
func (h *House) View() string {
	return h.Screen.View(h.theme.KeyLine(kit.Live(h.Screen, h.Screen.Bindings()), h.w-2), h.Note)
}

// Keys presses keys by name and returns the last one's command.
func (h *House) Keys(names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		cmd = h.Send(Press(name))
	}
	return cmd
}

// Send passes a message on: keys to a text that is being typed, else by the table
// of keys; everything else as it is. What was said before is forgotten.
func (h *House) Send(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		h.Note = ""
		if cmd, taken := h.Screen.Typed(msg); taken {
			return cmd
		}
		if act := kit.Lookup(h.Screen.Bindings(), msg); act != "" {
			if why := kit.Barred(h.Screen, act); why != "" {
				return h.Say(kit.Calm, why)
			}
			return h.Screen.Act(act, msg)
		}
		return nil
	case tea.WindowSizeMsg:
		h.Size(msg.Width, msg.Height)
		return nil
	}
	cmd, _ := h.Screen.Update(msg)
	return cmd
}

// Click clicks at a cell.
func (h *House) Click(x, y int) tea.Cmd { return h.Screen.Mouse(x, y, 0) }

// Wheel turns the wheel at a cell, up by -1 and down by 1.
func (h *House) Wheel(x, y, by int) tea.Cmd { return h.Screen.Mouse(x, y, by) }

// Perform runs a command and sends what it brings to the screen, and so on, until
// nothing is left. Commands that take longer than two seconds are left alone.
func (h *House) Perform(cmd tea.Cmd) {
	Perform(cmd, h.Send)
}

// Complete is Perform for commands that work and do not wait: each has a minute.
func (h *House) Complete(cmd tea.Cmd) {
	perform(cmd, h.Send, time.Minute)
}

// Perform runs a command and gives its messages to send, commands of those
// included, at most a hundred. It stops at tea.Quit and reports it. A command that
// takes longer than two seconds is left alone.
func Perform(cmd tea.Cmd, send func(tea.Msg) tea.Cmd) (quit bool) {
	return perform(cmd, send, 2*time.Second)
}

// perform is Perform with as much patience for each command.
func perform(cmd tea.Cmd, send func(tea.Msg) tea.Cmd, patience time.Duration) (quit bool) {
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0 && n < 100; n++ {
		c := queue[0]
		queue = queue[1:]
		if c == nil {
			continue
		}
		got := make(chan tea.Msg, 1)
		go func() { got <- c() }()
		select {
		case msg := <-got:
			switch msg := msg.(type) {
			case tea.QuitMsg:
				return true
			case tea.BatchMsg:
				queue = append(queue, msg...)
			case nil:
			default:
				queue = append(queue, send(msg))
			}
		case <-time.After(patience): // A wait that the test does not need.
		}
	}
	return false
}
