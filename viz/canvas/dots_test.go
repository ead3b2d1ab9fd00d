package canvas

import (
	"slices"
	"testing"
)

// TestDots draws a diagonal: each of the eight dots has its bit.
func TestDots(t *testing.T) {
	d := NewDots(2, 1)
	d.Line([]int{0, 1, 2, 3})
	cv := New(Style{Braille: true}, 2, 1)
	d.DrawOn(cv, Ink{})
	if got := cv.String(); got != "⡠⠊" {
		t.Errorf("a rising line is %q", got)
	}
	for i, want := range []rune("⡀⠄⠂⠁⢀⠠⠐⠈") {
		d := NewDots(1, 1)
		cv := New(Style{Braille: true}, 1, 1)
		d.Set(i/4, i%4)
		d.Set(-1, 0)
		d.Set(0, 4)
		d.DrawOn(cv, Ink{})
		if got := cv.String(); got != string(want) {
			t.Errorf("dot %d is %q, want %q", i, got, string(want))
		}
	}
}

// TestLinesOfDotsCross draws two lines over each other and over something else.
func TestLinesOfDotsCross(t *testing.T) {
	cv := New(Style{Braille: true}, 2, 1)
	cv.Put(0, 0, '░', Ink{})
	for _, rows := range [][]int{{0, 0, 0, 0}, {3, 3, -1, -1}} {
		d := NewDots(2, 1)
		d.Line(rows)
		d.DrawOn(cv, Ink{})
	}
	if got := cv.String(); got != "⣉⣀" {
		t.Errorf("two lines are %q", got)
	}
}

// Dots outside the picture are left out; dots in its corners are not.
func TestDotsAtTheEdges(t *testing.T) {
	const w, h = 2, 2
	for _, c := range []struct {
		x, y int
		want bool
	}{
		{0, 0, true}, {dotsWide*w - 1, dotsHigh*h - 1, true}, {-1, 0, false}, {0, -1, false},
		{dotsWide * w, 0, false}, {0, dotsHigh * h, false},
	} {
		d := NewDots(w, h)
		d.Set(c.x, c.y)
		if got := slices.ContainsFunc(d.bits, func(b uint8) bool { return b != 0 }); got != c.want {
			t.Errorf("(%d, %d) is drawn: %v", c.x, c.y, got)
		}
	}
}

// A bar covers whole cells and the eighths of the last one.
func TestBarsOfEighths(t *testing.T) {
	for eighths, want := range map[int]string{0: ".....", 1: ".▏...", 8: ".█...", 9: ".█▏..", 23: ".██▉."} {
		cv := New(Style{}, 5, 1)
		cv.Text(0, 0, ".....", Ink{})
		DrawBar(cv, 1, 0, eighths, Ink{})
		if got := cv.String(); got != want {
			t.Errorf("%d eighths: %q, want %q", eighths, got, want)
		}
	}
}
