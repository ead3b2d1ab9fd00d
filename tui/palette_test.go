package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// press gives keys to an app and returns the last one's command.
func press(a *app, names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		_, cmd = a.Update(kittest.Press(name))
	}
	return cmd
}

func TestPaletteListsEveryActionAndScreen(t *testing.T) {
	a := testApp(kittest.NewEngine(), 200, 100)
	for _, s := range a.screens {
		a.Go(s.id, nil)
		press(a, "ctrl+p")
		frame := a.View()
		for _, b := range s.table {
			if b.Action != kit.ActPalette && !strings.Contains(frame, string(b.Action)) {
				t.Errorf("%s: no %s in the palette", s.id, b.Action)
			}
		}
		for _, other := range a.screens {
			if has := strings.Contains(frame, "Go to: "+other.Title()); has != (other.id != s.id) {
				t.Errorf("%s: the palette leads to %s: %v", s.id, other.id, has)
			}
		}
		press(a, "esc")
	}
}

func TestPaletteFindsAndDoes(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	press(a, "ctrl+p", "c", "h", "e", "c", "k", "p")
	if frame := a.View(); !strings.Contains(frame, "› checkpoint") || strings.Contains(frame, "next_layer") {
		t.Fatalf("the best match is not the first:\n%s", frame)
	}
	press(a, "enter")
	if r.Count("checkpoint") != 1 || a.palette != nil || !strings.Contains(a.View(), "checkpoint asked for") {
		t.Fatalf("asked for %v:\n%s", r.Asked(), a.View())
	}
	press(a, "ctrl+p", "z", "q", "z", "enter")
	if !strings.Contains(a.View(), "no command has these letters") || a.palette == nil {
		t.Fatalf("nothing matches, and yet:\n%s", a.View())
	}
	press(a, "ctrl+u", "s", "e", "t", " ", "u", "p", "enter")
	if a.on != kit.Setup || a.palette != nil {
		t.Fatalf("the palette leads to %s", a.on)
	}
}

// TestPaletteTakesEveryKey: letters are typed, and do nothing to a run.
func TestPaletteTakesEveryKey(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	press(a, "ctrl+p", "s", "k", " ", "q", "m", "left", "backspace")
	if len(r.Asked()) != 0 || a.question != nil || !a.mouse {
		t.Fatalf("keys went through: %v", r.Asked())
	}
	if press(a, "esc"); a.palette != nil || a.on != kit.Dash {
		t.Fatal("esc does not leave the palette alone")
	}
	press(a, "ctrl+p")
	if cmd := press(a, "ctrl+c"); !perform(a, cmd) || a.palette != nil || r.Count("cancel") != 1 {
		t.Fatal("ctrl+c must stop cleanly from the palette too")
	}
}

func TestPaletteByMouse(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	wheel := func(button tea.MouseButton) {
		a.Update(tea.MouseMsg{X: 9, Y: 9, Action: tea.MouseActionPress, Button: button})
	}
	press(a, "ctrl+p")
	wheel(tea.MouseButtonWheelDown)
	wheel(tea.MouseButtonWheelDown)
	wheel(tea.MouseButtonWheelUp)
	if a.palette.chosen != 1 {
		t.Fatalf("the wheel chose line %d", a.palette.chosen)
	}
	press(a, "h", "e", "l", "p")
	a.View()
	a.Update(tea.MouseMsg{X: 9, Y: 3, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	if !a.help || a.palette != nil {
		t.Fatalf("a click on the first line does not do it:\n%s", a.View())
	}
}

func TestPaletteScrolls(t *testing.T) {
	a := testApp(kittest.NewEngine(), 60, 9)
	press(a, "ctrl+p")
	for range 200 {
		press(a, "down")
	}
	if last := a.screens[len(a.screens)-1]; !strings.Contains(a.View(), "› "+string(last.id)) {
		t.Fatalf("the last line is out of sight:\n%s", a.View())
	}
	if press(a, "pgup", "pgup", "pgup", "pgup", "pgup"); a.palette.chosen != 0 {
		t.Fatalf("line %d is chosen", a.palette.chosen)
	}
}
