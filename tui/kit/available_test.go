package kit_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// limited is a screen with a paused run and no layers. Digits, q, ? and - are typed into a text
// field.
type limited struct{ kit.Screen }

func (limited) Available(act kit.Action) (word, reason string) {
	switch act {
	case "pause":
		return "continue", ""
	case "next_layer":
		return "", "there are no layers"
	case "previous_layer":
		return "back", ""
	}
	return "", ""
}

func (limited) Types(r rune) bool { return r >= '0' && r <= '9' || r == 'q' || r == '?' || r == '-' }

func TestFooterShowsAvailableActions(t *testing.T) {
	th := kittest.PlainTheme()
	for _, c := range []struct {
		screen kit.Screen
		want   string
	}{
		{limited{}, "space continue  ← back  _ smooth  f1 help"},
		{nil, "space pause  ←→ layer  +- smooth  ? help  q quit"},
	} {
		if got := th.KeyLine(kit.Available(c.screen, table), 80); got != c.want {
			t.Errorf("%T: %q, want %q", c.screen, got, c.want)
		}
	}
	if kit.Unavailable(limited{}, "next_layer") != "there are no layers" ||
		kit.Unavailable(limited{}, "pause") != "" {
		t.Error("wrong reason")
	}
	// The table is unchanged, so its keys still work.
	if got := kit.Lookup(table, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")}); got != kit.ActQuit {
		t.Errorf("q performs %q", got)
	}
}
