package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/session"
)

func plainTheme() *theme { return newTheme(termenv.Ascii, true, unicodeGlyphs) }

// testApp returns an app of the given size on the set-up screen.
func testApp(e engine, w, h int) *app {
	a := newApp(context.Background(), e, plainTheme(), Options{})
	a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// dashApp returns an app that watches a run which shows s.
func dashApp(s *session.Snapshot, w, h int) (*app, *fakeRun) {
	e := newFakeEngine()
	a := testApp(e, w, h)
	r := newFakeRun(s)
	a.cancelRuns = r.cancel
	a.starting = 1
	a.Update(runStartedMsg{gen: 1, run: r})
	a.Update(snapshotTakenMsg{1, s})
	if s != nil && s.State == session.Ended {
		close(r.done)
		a.Update(runEndedMsg{1})
	}
	return a, r
}

// checkFrame fails unless the frame has exactly h lines of w cells.
func checkFrame(t *testing.T, what, frame string, w, h int) {
	t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		t.Fatalf("%s at %d x %d has %d lines", what, w, h, len(rows))
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("%s at %d x %d: line %d has %d cells: %q", what, w, h, i, n, row)
		}
	}
}

// states are the screens that the sweep goes through.
func states() map[string]func() *app {
	base := func(s *session.Snapshot) func() *app {
		return func() *app { a, _ := dashApp(s, 80, 24); return a }
	}
	c := session.Config{Dataset: "mountaincar", Family: "star"}
	bare := *training(c, 40)
	bare.Curve, bare.Diagnostics = nil, nil
	list := map[string]func() *app{
		"training":  base(training(c, 1240)),
		"preparing": base(nil),
		"no points": base(&bare),
		"ended":     base(ended(c, session.StopEarly)),
		"failed":    base(ended(c, session.StopFailed)),
	}
	for id := panelValidation; id < numPanels; id++ {
		list[fmt.Sprintf("focus %d", id)] = func() *app {
			a := list["training"]()
			a.dash.focus = id
			return a
		}
	}
	list["zoomed"] = func() *app { a := list["training"](); a.dash.zoomed = true; return a }
	list["question"] = func() *app { a := list["training"](); a.Update(press("q")); return a }
	list["help"] = func() *app { a := list["training"](); a.Update(press("?")); return a }
	for s := range numSections {
		list["set-up "+sectionNames[s]] = func() *app {
			a := testApp(newFakeEngine(), 80, 24)
			a.setup.section = s
			a.setup.planning, a.setup.plan = false, &plan{N: 2000, D: 2, P: 3, Warnings: []string{"column 3 is constant"}}
			return a
		}
	}
	return list
}

// TestEveryFrameFits draws every screen at every size up to 130 x 45: all sizes
// for one dashboard and one set-up, a lattice that meets every width and height
// for the others.
func TestEveryFrameFits(t *testing.T) {
	for name, make := range states() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := make()
			stride := 6
			if name == "training" || name == "set-up Settings" {
				stride = 2
			}
			if testing.Short() {
				stride = 29
			}
			for w := 1; w <= 130; w++ {
				for h := 1 + w%stride; h <= 45; h += stride {
					a.Update(tea.WindowSizeMsg{Width: w, Height: h})
					checkFrame(t, name, a.View(), w, h)
				}
			}
		})
	}
}

func TestFramesWithoutUnicodeOrColour(t *testing.T) {
	for name, make := range states() {
		a := make()
		th := newTheme(termenv.Ascii, true, asciiGlyphs)
		a.theme, a.setup.theme = th, th
		if a.dash != nil {
			a.dash.theme = th
		}
		for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 10}, {12, 2}} {
			a.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for i, r := range a.View() {
				if r != '\n' && (r < 32 || r > 126) {
					t.Fatalf("%s at %v: byte %d is %q", name, size, i, r)
				}
			}
		}
	}
}

func TestNoColourMeansNoEscapeCodes(t *testing.T) {
	for name, make := range states() {
		if frame := make().View(); strings.Contains(frame, "\x1b") {
			t.Errorf("%s has escape codes without colour", name)
		}
	}
}

func TestColourChangesNoCell(t *testing.T) {
	for name, make := range states() {
		if strings.HasPrefix(name, "focus") || name == "training" || name == "zoomed" {
			continue // The map has twice the pixels in colour.
		}
		for _, dark := range []bool{true, false} {
			a := make()
			plain := a.View()
			th := newTheme(termenv.TrueColor, dark, unicodeGlyphs)
			a.theme, a.setup.theme = th, th
			if a.dash != nil {
				a.dash.theme, a.dash.cache = th, [numPanels]panelCache{}
			}
			a.dirty = true
			if got := a.View(); ansi.Strip(got) != plain {
				if name != "ended" && name != "failed" && name != "question" && name != "help" {
					t.Errorf("%s, dark %v: colour moved cells", name, dark)
				}
			} else if !strings.Contains(got, "\x1b") {
				t.Errorf("%s, dark %v: no colour at all", name, dark)
			}
		}
	}
}

// TestFocusShowsWithoutColour checks that the focused panel differs by a sign.
func TestFocusShowsWithoutColour(t *testing.T) {
	a, _ := dashApp(training(session.Config{}, 500), 120, 40)
	for _, title := range []string{"ELBO", "Validation log-likelihood", "Covariance", "Layer 1"} {
		frame := a.View()
		if !strings.Contains(frame, "─▸ "+title) || strings.Count(frame, "─▸") != 1 {
			t.Errorf("the focus on %s is not marked by one sign:\n%s", title, frame)
		}
		a.Update(press("tab"))
	}
}

// TestFrameIsBuiltOnlyWhenSomethingChanged watches the panels' cache.
func TestFrameIsBuiltOnlyWhenSomethingChanged(t *testing.T) {
	s := training(session.Config{}, 500)
	a, _ := dashApp(s, 120, 40)
	a.View()
	a.frame = "cached"
	a.Update(snapshotTakenMsg{1, s})
	if got := a.View(); got != "cached" {
		t.Error("an unchanged snapshot made a new frame")
	}
	a.Update(snapshotTakenMsg{1, training(session.Config{}, 501)})
	if got := a.View(); got == "cached" {
		t.Error("a new snapshot made no new frame")
	}
	panel := &a.dash.cache[panelELBO]
	panel.lines[0] = strings.Repeat("#", ansi.StringWidth(panel.lines[0]))
	a.Update(press("k"))
	if !strings.Contains(a.View(), "####") {
		t.Error("a status line redrew the charts")
	}
}

func press(key string) tea.KeyMsg {
	switch key {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "tab":
		return tea.KeyMsg{Type: tea.KeyTab}
	case "shift+tab":
		return tea.KeyMsg{Type: tea.KeyShiftTab}
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "up":
		return tea.KeyMsg{Type: tea.KeyUp}
	case "down":
		return tea.KeyMsg{Type: tea.KeyDown}
	case "left":
		return tea.KeyMsg{Type: tea.KeyLeft}
	case "right":
		return tea.KeyMsg{Type: tea.KeyRight}
	case "pgdown":
		return tea.KeyMsg{Type: tea.KeyPgDown}
	case "backspace":
		return tea.KeyMsg{Type: tea.KeyBackspace}
	case "home":
		return tea.KeyMsg{Type: tea.KeyHome}
	case "end":
		return tea.KeyMsg{Type: tea.KeyEnd}
	case "ctrl+w":
		return tea.KeyMsg{Type: tea.KeyCtrlW}
	case "ctrl+u":
		return tea.KeyMsg{Type: tea.KeyCtrlU}
	case "ctrl+c":
		return tea.KeyMsg{Type: tea.KeyCtrlC}
	case " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}

// perform runs a command and gives its messages to a, commands of those
// included; ticks come at once. It stops at tea.Quit and reports it.
func perform(a tea.Model, cmd tea.Cmd) (quit bool) {
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
			case statusExpiredMsg, nil:
			default:
				_, next := a.Update(msg)
				queue = append(queue, next)
			}
		case <-time.After(500 * time.Millisecond): // A wait that the test does not need.
		}
	}
	return false
}
