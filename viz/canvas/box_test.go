package canvas_test

import (
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// TestRunesKeepTheirWidth draws runes side by side that tend to join.
func TestRunesKeepTheirWidth(t *testing.T) {
	joiners := []rune{'a', '二', 'é', '\u0301', '\u200d', '\ufe0f', '🇩', '🇪', '👩', '🏽', '\u1100', '\u1161',
		'\u11a8', '가', 'क', '\u094d', 'ष', '\u0600', '\U000111C2', '\u0d4e', '\u00ad', '★',
		'①', 'ﷺ', '\x1b', '\u009b'}
	for _, a := range joiners {
		for _, b := range joiners {
			for _, style := range golden.Styles {
				cv := canvas.New(style, 9, 1)
				cv.Text(1, 0, string([]rune{a, b, a, b}), canvas.Ink{})
				golden.CheckBox(t, cv.Lines(), style, 9, 1)
			}
		}
	}
}

// FuzzText checks that canvas and terminal library agree on the width of any text.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "二号", "🇩🇪🇫🇷", "e\u0301", "👩‍👩‍👧", "\u1100\u1161\u11a8", "क्षि",
		"\x1b[31mred", "\u0600\u0661", "🏽", "a\u200db", "é…"} {
		f.Add(s, uint8(5))
	}
	f.Fuzz(func(t *testing.T, s string, w uint8) {
		for _, style := range golden.Styles {
			cv := canvas.New(style, int(w), 2)
			cv.Text(int(w)/3, 0, s, canvas.Ink{})
			cv.TextRight(int(w), 1, s, canvas.Ink{FG: style.Bad(), Bold: true})
			cv.Put(int(w)/2, 1, '│', canvas.Ink{})
			golden.CheckBox(t, cv.Lines(), style, int(w), min(2, int(w)*2))
		}
		if got := canvas.Width(canvas.Truncate(s, int(w))); got > int(w) {
			t.Errorf("truncate to %d cells gave %d", w, got)
		}
	})
}
