package curves

import (
	"strings"
	"testing"

	"dgplab/viz/canvas"
)

// TestBrailleOnlyWhereAsked looks for patterns in plain and in ASCII pictures.
func TestBrailleOnlyWhereAsked(t *testing.T) {
	c := Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}
	for style, want := range map[canvas.Style]bool{{}: false, {Braille: true}: true, {Braille: true, ASCII: true}: false} {
		got := strings.ContainsFunc(c.Render(style, 60, 12), func(r rune) bool { return r >= 0x2800 && r < 0x2900 })
		if got != want {
			t.Errorf("%+v: braille is %v", style, got)
		}
	}
}
