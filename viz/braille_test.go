package viz

import (
	"strings"
	"testing"
)

// TestDots draws a diagonal by hand: each of the eight dots has its bit.
func TestDots(t *testing.T) {
	d := newDots(2, 1)
	d.line([]int{0, 1, 2, 3})
	cv := newCanvas(Style{Braille: true}, 2, 1)
	d.drawOn(cv, ink{})
	if got := cv.String(); got != "⡠⠊" {
		t.Errorf("a rising line is %q", got)
	}
	for i, want := range []rune("⡀⠄⠂⠁⢀⠠⠐⠈") {
		d, cv := newDots(1, 1), newCanvas(Style{Braille: true}, 1, 1)
		d.set(i/4, i%4)
		d.set(-1, 0)
		d.set(0, 4)
		d.drawOn(cv, ink{})
		if got := cv.String(); got != string(want) {
			t.Errorf("dot %d is %q, want %q", i, got, string(want))
		}
	}
}

// TestLinesOfDotsCross draws two lines over each other and over something else.
func TestLinesOfDotsCross(t *testing.T) {
	cv := newCanvas(Style{Braille: true}, 2, 1)
	cv.put(0, 0, '░', ink{})
	for _, rows := range [][]int{{0, 0, 0, 0}, {3, 3, -1, -1}} {
		d := newDots(2, 1)
		d.line(rows)
		d.drawOn(cv, ink{})
	}
	if got := cv.String(); got != "⣉⣀" {
		t.Errorf("two lines are %q", got)
	}
}

// TestBrailleOnlyWhereAsked looks for patterns in plain and in ASCII pictures.
func TestBrailleOnlyWhereAsked(t *testing.T) {
	c := Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}
	for style, want := range map[Style]bool{{}: false, {Braille: true}: true, {Braille: true, ASCII: true}: false} {
		got := strings.ContainsFunc(c.Render(style, 60, 12), func(r rune) bool { return r >= 0x2800 && r < 0x2900 })
		if got != want {
			t.Errorf("%+v: braille is %v", style, got)
		}
	}
}
