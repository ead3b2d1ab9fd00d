package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
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

// TestEveryFrameFits draws the frames at a lattice of sizes up to 130 x 45 that contains every width and
// every height.
func TestEveryFrameFits(t *testing.T) {
	for name, make := range states() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := make()
			kittest.CheckSizes(t, name, 9, a.viewAt)
		})
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

// TestGoldenPages checks the pages of the host. Key tables belong to the screens, so only the set-up screen
// is used.
func TestGoldenPages(t *testing.T) {
	for name, keys := range map[string][]string{
		"help": {"?"}, "palette": {"ctrl+p"}, "palette-found": {"ctrl+p", "f", "e", "t"},
	} {
		for _, size := range kittest.Sizes {
			a := testApp(kittest.NewEngine(), size.W, size.H)
			a.screens = a.screens[:2] // With the first two only, a new screen does not change the pages.
			for i, s := range a.screens {
				a.screens[i].table = a.table(s.id, s.Screen)
			}
			press(a, keys...)
			golden.Check(t, name+"-"+size.Name, kittest.Trim(a.View()))
		}
	}
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
