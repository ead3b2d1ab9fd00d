package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestNoKeyIsBoundTwiceOnAScreen(t *testing.T) {
	for _, on := range []screenID{onSetup, onDash} {
		owner := map[string]action{}
		for _, b := range bindings {
			if b.screens&on == 0 {
				continue
			}
			for _, k := range b.Keys() {
				if other, taken := owner[k]; taken {
					t.Errorf("screen %d: %q is bound to %d and to %d", on, k, other, b.action)
				}
				owner[k] = b.action
			}
		}
	}
}

// TestKeysOfTheIssue lists the keys that users were promised.
func TestKeysOfTheIssue(t *testing.T) {
	for key, want := range map[string]action{
		" ": actPause, "s": actStop, "k": actCheckpoint, "tab": actFocusNext, "shift+tab": actFocusPrevious, "enter": actZoom,
		"x": actTimeAxis, "l": actLogAxis, "+": actSmoother, "-": actRougher, "left": actPreviousLayer, "right": actNextLayer,
		"up": actPreviousGP, "down": actNextGP, "n": actNew, "e": actExport, "?": actHelp, "q": actQuit, "m": actMouse,
		"ctrl+c": actInterrupt,
	} {
		if got := lookup(onDash, press(key)); got != want {
			t.Errorf("dashboard: %q asks for %d, want %d", key, got, want)
		}
	}
	if got := lookup(onDash, press("esc")); got != actNone {
		t.Errorf("dashboard: esc asks for %d; it must never cancel a run", got)
	}
	if got := lookup(onSetup, press("enter")); got != actStart {
		t.Errorf("set-up: enter asks for %d, want start", got)
	}
}

func TestHelpListsEveryBinding(t *testing.T) {
	th := plainTheme()
	for _, on := range []screenID{onSetup, onDash} {
		page := strings.Join(th.helpRows(on, 200), "\n")
		for _, b := range bindings {
			if has := strings.Contains(page, b.help); has != (b.screens&on != 0) {
				t.Errorf("screen %d: help has %q: %v", on, b.help, has)
			}
		}
	}
}

// TestNarrowHelpLosesNoWord draws the page where sentences go below their keys.
func TestNarrowHelpLosesNoWord(t *testing.T) {
	squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
	for w := 12; w < 40; w++ {
		rows := plainTheme().helpRows(onDash, w)
		page := squeeze(strings.Join(rows, "\n"))
		for _, b := range bindings {
			if b.screens&onDash != 0 && w < 22 && !strings.Contains(page, squeeze(b.help)) {
				t.Errorf("%d cells: no %q", w, b.help)
			}
		}
		for _, row := range rows {
			if n := ansi.StringWidth(row); n != w {
				t.Fatalf("a row for %d cells has %d: %q", w, n, row)
			}
		}
	}
}

func TestFootersStartWithWhatMattersMost(t *testing.T) {
	th := plainTheme()
	for on, want := range map[screenID]string{
		onDash:  "space pause  enter zoom  tab focus  ? help",
		onSetup: "enter start  tab next part",
	} {
		if got := th.keyLine(on, 44); !strings.HasPrefix(got, want) {
			t.Errorf("screen %d: footer %q, want it to start with %q", on, got, want)
		}
		for w := range 200 {
			if n := ansi.StringWidth(th.keyLine(on, w)); n > w {
				t.Fatalf("footer for %d cells has %d", w, n)
			}
		}
	}
}

func TestASCIILabelsAreASCII(t *testing.T) {
	for _, b := range bindings {
		for _, r := range asciiGlyphs.keyLabel(b.Help().Key) {
			if r > 126 {
				t.Errorf("label %q has %q", b.Help().Key, r)
			}
		}
	}
}
