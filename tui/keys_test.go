package tui

import (
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

func TestNoKeyIsBoundTwiceOnAScreen(t *testing.T) {
	for _, s := range testApp(kittest.NewEngine(), 80, 24).screens {
		owner := map[string]kit.Action{}
		for _, b := range s.table {
			for _, k := range b.Keys() {
				if other, taken := owner[k]; taken {
					t.Errorf("%s: %q is bound to %s and to %s", s.id, k, other, b.Action)
				}
				owner[k] = b.Action
			}
		}
	}
}

// TestDocumentedKeys lists the documented keys.
func TestDocumentedKeys(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	for id, promised := range map[kit.ScreenID]map[string]kit.Action{
		kit.Dash: {
			" ": "pause", "s": "stop", "k": "checkpoint", "tab": "focus_next",
			"shift+tab": "focus_previous", "enter": "zoom",
			"x": "x_axis", "l": "y_axis", "+": "smoother", "-": "rougher", "n": "new_run", "e": "export",
			"?": kit.ActHelp, "q": kit.ActQuit, "m": kit.ActMouse, "ctrl+c": kit.ActInterrupt,
		},
		kit.Setup: {"enter": "start", "tab": "next_part", "f": "fetch", "esc": "back",
			"?": kit.ActHelp, "q": kit.ActQuit},
	} {
		s, _ := a.screen(id)
		for key, want := range promised {
			if got := kit.Lookup(s.table, kittest.Press(key)); got != want {
				t.Errorf("%s: %q performs %q, want %q", id, key, got, want)
			}
		}
	}
}

func TestHelpListsEveryBindingOfEveryScreen(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 200)
	for _, s := range a.screens {
		a.Go(s.id, nil)
		a.Update(kittest.Press("?"))
		text := strings.Join(strings.Fields(strings.ReplaceAll(a.View(), "│", "")), " ")
		for _, b := range s.table {
			if b.Sentence == "" || !strings.Contains(text, b.Sentence) {
				t.Errorf("%s: the help page has no sentence on %s", s.id, b.Action)
			}
			if b.Group == "" {
				t.Errorf("%s: %s has no group on the help page", s.id, b.Action)
			}
		}
		a.Update(kittest.Press("?"))
	}
}

func TestFooterOrder(t *testing.T) {
	a, _ := dashApp(kittest.Training(someConfig, 100), 46, 24)
	a.Update(statusExpiredMsg{a.status.gen})
	for id, want := range map[kit.ScreenID]string{
		kit.Dash:  "space pause  enter zoom  tab focus  ? help",
		kit.Setup: "enter start  tab next part",
	} {
		a.Go(id, nil)
		rows := strings.Split(a.View(), "\n")
		if got := rows[len(rows)-1]; !strings.HasPrefix(got, " "+want) {
			t.Errorf("%s: footer %q, want it to start with %q", id, got, want)
		}
	}
}
