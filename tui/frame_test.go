package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit/kittest"
)

// states returns apps with the frames that the host draws or changes.
func states() map[string]func() *app {
	training := func() *app { a, _ := dashApp(kittest.Training(someConfig, 1240), 80, 24); return a }
	return map[string]func() *app{
		"dashboard": training,
		"set-up":    func() *app { return testApp(kittest.NewEngine(), 80, 24) },
		"question":  func() *app { a := training(); a.Update(kittest.Press("q")); return a },
		"status":    func() *app { a := training(); a.Update(kittest.Press("k")); return a },
		"palette":   func() *app { a := training(); press(a, "ctrl+p", "s", "t"); return a },
		"help":      func() *app { a := training(); a.Update(kittest.Press("?")); return a },
	}
}

// viewAt returns a frame of w x h cells.
func (a *app) viewAt(w, h int) string {
	a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return a.View()
}

// Frames of all states fill the screen exactly.
func TestEveryFrameFits(t *testing.T) {
	for name, make := range states() {
		kittest.CheckSizes(t, name, make().viewAt)
	}
}

func TestFramesWithoutUnicodeOrColour(t *testing.T) {
	for name, make := range states() {
		a := make()
		*a.theme = *kittest.ASCIITheme()
		kittest.CheckASCII(t, name, a.viewAt)
	}
}

func TestNoColourMeansNoEscapeCodes(t *testing.T) {
	for name, make := range states() {
		if frame := make().View(); strings.Contains(frame, "\x1b") {
			t.Errorf("%s has escape codes without colour", name)
		}
	}
}

// A message that no screen handles does not rebuild the frame.
func TestFrameIsBuiltOnlyAfterAChange(t *testing.T) {
	a, _ := dashApp(kittest.Training(someConfig, 500), 120, 40)
	a.View()
	a.frame = "cached"
	a.Update(struct{}{})
	if a.View() != "cached" {
		t.Error("an unknown message rebuilds the frame")
	}
	a.Update(kittest.Press("tab"))
	if a.View() == "cached" {
		t.Error("a key does not rebuild the frame")
	}
}

// hostPage returns an app that shows a page of the host over the set-up screen. It has only the first two
// screens, so that the pages have no keys of others.
func hostPage(keys ...string) *app {
	a := testApp(kittest.NewEngine(), 80, 24)
	a.screens = a.screens[:2]
	for i, s := range a.screens {
		a.screens[i].table = a.table(s.id, s.Screen)
	}
	press(a, keys...)
	return a
}

func TestHostPages(t *testing.T) {
	kittest.CheckPage(t, "help", hostPage("?").viewAt)
	kittest.CheckPage(t, "palette", hostPage("ctrl+p").viewAt)
}

// Small screens show the beginning of the keys and of the commands. Found commands that are not available
// say why.
func TestHostPagesOnSmallScreens(t *testing.T) {
	kittest.CheckShows(t, "help", hostPage("?").viewAt(40, 10), "Keys ── ↑↓ scroll, ? or esc close",
		"enter      Start the run.", "ctrl+o     Pick a data file.")
	kittest.CheckShows(t, "palette", hostPage("ctrl+p").viewAt(40, 10), "Commands ── enter run, esc close",
		"› start                        enter", "Start the run.")
	kittest.CheckShows(t, "fet", hostPage("ctrl+p", "f", "e", "t").viewAt(80, 24), "▸ fet▏",
		"› fetch               Download the selected data set, or cancel the        f",
		"✗ mountaincar is built in", "✗ go to the families or the settings first", "q │")
}

// Changed data are drawn at the end of the period. A key redraws immediately, with the newest data.
func TestDataAreDrawnOncePerPeriod(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	a.View()
	drawn := func() bool {
		a.frame = "as before"
		return a.View() != "as before"
	}
	for i, step := range []struct {
		do   func()
		want bool
	}{
		{func() { a.dataChanged() }, true},
		{func() { a.dataChanged() }, false},
		{func() { a.Update(frameDueMsg{}) }, true},
		{func() { a.dataChanged() }, false},
		{func() { press(a, "down") }, true},
		{func() { a.Update(frameDueMsg{}) }, false}, // The key has already drawn it.
		{func() { a.dataChanged() }, true},
		{func() { a.Update(frameDueMsg{}) }, false},
	} {
		step.do()
		if got := drawn(); got != step.want {
			t.Errorf("step %d: drawn %v, want %v", i, got, step.want)
		}
	}
}
