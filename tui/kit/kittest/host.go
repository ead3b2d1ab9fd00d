package kittest

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Host is a kit.Host for testing a single screen. It records the calls of its methods and dispatches messages
// to the screen like the program. Tests may set its fields before sending messages and read them afterwards.
type Host struct {
	Screen kit.Screen
	// Started is the result of Runs.
	Started []kit.Run
	// StepSeconds is the result of SecondsPerStep.
	StepSeconds float64

	Note   string // last line shown by Say or Hold
	Asked  *kit.Question
	Visits []Visit
	Backs  int
	Copied string
	// Explained holds the title and the text of the last Explain.
	Explained [2]string
	Starts    []kit.Start
	// Redraws is the number of messages after which the screen has asked to be redrawn.
	Redraws int

	w, h  int
	theme *kit.Theme
}

// Visit is a call of Go.
type Visit struct {
	To      kit.ScreenID
	Payload any
}

// NewHost returns a host without colours, with Unicode glyphs. The caller creates a screen for the host and
// stores it in Screen.
func NewHost() *Host { return &Host{theme: PlainTheme()} }

// PlainTheme returns a theme without colours, with Unicode glyphs.
func PlainTheme() *kit.Theme { return kit.NewTheme(termenv.Ascii, true, kit.Unicode) }

// ASCIITheme returns a theme without colours, with ASCII glyphs.
func ASCIITheme() *kit.Theme { return kit.NewTheme(termenv.Ascii, true, kit.ASCII) }

// The methods of kit.Host.

func (h *Host) Context() context.Context             { return context.Background() }
func (h *Host) Theme() *kit.Theme                    { return h.theme }
func (h *Host) Frame() time.Duration                 { return time.Millisecond }
func (h *Host) Ask(q kit.Question)                   { h.Asked = &q }
func (h *Host) Explain(title, text string)           { h.Explained = [2]string{title, text} }
func (h *Host) Runs() []kit.Run                      { return h.Started }
func (h *Host) Sweeps() []kit.SweepRun               { return nil }
func (h *Host) SecondsPerStep(rundir.Config) float64 { return h.StepSeconds }

func (h *Host) Say(_ kit.Tone, text string) tea.Cmd {
	h.Note = text
	return nil
}

func (h *Host) Hold(t kit.Tone, text string) tea.Cmd { return h.Say(t, text) }

func (h *Host) Go(to kit.ScreenID, payload any) tea.Cmd {
	h.Visits = append(h.Visits, Visit{to, payload})
	return nil
}

func (h *Host) Back() tea.Cmd {
	h.Backs++
	return nil
}

func (h *Host) Copy(text string) tea.Cmd {
	h.Copied = text
	return nil
}

func (h *Host) Start(s kit.Start) tea.Cmd {
	h.Starts = append(h.Starts, s)
	return nil
}

// Size sets the size of the screen to w x h cells.
func (h *Host) Size(w, height int) {
	h.w, h.h = w, height
	h.Screen.SetSize(w, height)
}

// View returns the frame of the screen.
func (h *Host) View() string {
	return h.Screen.View(h.theme.KeyLine(kit.Available(h.Screen, h.Screen.Bindings()), h.w-2), h.Note)
}

// ViewAt returns the frame of the screen at w x h cells.
func (h *Host) ViewAt(w, height int) string {
	h.Size(w, height)
	return h.View()
}

// TextAt returns the frame at w x h cells and, at 80 x 24 cells, the text for the clipboard below it.
func (h *Host) TextAt(w, height int) string {
	frame := h.ViewAt(w, height)
	if w != 80 || height != 24 {
		return frame
	}
	return frame + "\n" + h.Screen.PlainText()
}

// Find returns the position of a string on the screen.
func (h *Host) Find(t testing.TB, text string) (x, y int) {
	t.Helper()
	for y, line := range strings.Split(h.View(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			return kit.Cells(before), y
		}
	}
	t.Fatalf("no %s in\n%s", text, h.View())
	return 0, 0
}

// Keys presses keys by name and returns the command of the last one.
func (h *Host) Keys(names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		cmd = h.Send(Press(name))
	}
	return cmd
}

// Send dispatches a message. Keys go to Typed and, if not handled there, through the key table; other
// messages go to Update. A key clears the note.
func (h *Host) Send(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		h.Note = ""
		if cmd, taken := h.Screen.Typed(msg); taken {
			return cmd
		}
		if act := kit.Lookup(h.Screen.Bindings(), msg); act != "" {
			if why := kit.Unavailable(h.Screen, act); why != "" {
				return h.Say(kit.Calm, why)
			}
			return h.Screen.Act(act, msg)
		}
		return nil
	case tea.WindowSizeMsg:
		h.Size(msg.Width, msg.Height)
		return nil
	}
	cmd, changed := h.Screen.Update(msg)
	if changed {
		h.Redraws++
	}
	return cmd
}

// Click clicks on a cell.
func (h *Host) Click(x, y int) tea.Cmd { return h.Screen.Mouse(x, y, 0) }

// Wheel turns the wheel over a cell: -1 is up, 1 is down.
func (h *Host) Wheel(x, y, by int) tea.Cmd { return h.Screen.Mouse(x, y, by) }

// Perform runs a command, sends its messages to the screen and runs the resulting commands, until none is
// left.
func (h *Host) Perform(cmd tea.Cmd) { Perform(cmd, h.Send) }

// waiting holds parts of the names of functions whose commands wait for time to pass or for the end of work.
var waiting = []string{"bubbletea.Tick.", "tui.waitForEnd", "tui.(*app).stopAndQuit", "(*work).began"}

// Perform runs a command, passes its messages to send and runs the resulting commands, at most a hundred. It
// stops at tea.Quit and reports whether it reached it. It abandons commands that wait for longer than two
// seconds, whose event the test does not need. Commands that compute take as long as the machine needs.
func Perform(cmd tea.Cmd, send func(tea.Msg) tea.Cmd) (quit bool) {
	return PerformWithin(2*time.Second, cmd, send)
}

// PerformWithin is Perform with another time limit for commands that wait.
func PerformWithin(patience time.Duration, cmd tea.Cmd, send func(tea.Msg) tea.Cmd) (quit bool) {
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0 && n < 100; n++ {
		c := queue[0]
		queue = queue[1:]
		if c == nil {
			continue
		}
		got := make(chan tea.Msg, 1)
		go func() { got <- c() }()
		name := runtime.FuncForPC(reflect.ValueOf(c).Pointer()).Name()
		isPart := func(part string) bool { return strings.Contains(name, part) }
		var abandon <-chan time.Time
		if slices.ContainsFunc(waiting, isPart) {
			abandon = time.After(patience)
		}
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
		case <-abandon:
		}
	}
	return false
}
