package board

import (
	"math"
	"testing"
)

func TestWindow(t *testing.T) {
	span := [2]float64{0, 100}
	middle := window{on: true, lo: 40, hi: 60}
	for _, c := range []struct {
		what string
		got  window
		want window
	}{
		{"zoom in around the middle", window{}.zoomed(span, 50, 0.5), window{on: true, lo: 25, hi: 75}},
		{"zoom in at the end and follow", window{}.zoomed(span, 100, 0.5),
			window{on: true, lo: 50, hi: 100, follow: true}},
		{"the zoom position stays at its place", middle.zoomed(span, 45, 2),
			window{on: true, lo: 35, hi: 75}},
		{"zoom out stays inside the span",
			window{on: true, lo: 0, hi: 20}.zoomed(span, 10, 2),
			window{on: true, lo: 0, hi: 40}},
		{"zoom out to everything", middle.zoomed(span, 50, 8), window{}},
		{"a position outside counts as the edge", middle.zoomed(span, 90, 0.5),
			window{on: true, lo: 50, hi: 60}},
		{"pan", middle.panned(span, 0.5), window{on: true, lo: 50, hi: 70}},
		{"pan stops at the start", middle.panned(span, -9), window{on: true, lo: 0, hi: 20}},
		{"pan to the end and follow",
			middle.panned(span, 9), window{on: true, lo: 80, hi: 100, follow: true}},
		{"pan of everything", window{}.panned(span, 1), window{}},
		{"follow moves to the end", middle.following(span), window{on: true, lo: 80, hi: 100, follow: true}},
		{"without follow the window stays at the end",
			window{on: true, lo: 60, hi: 80, follow: true}.following(span),
			window{on: true,
				lo: 80, hi: 100}},
		{"nothing to zoom into", window{}.zoomed([2]float64{7, 7}, 7, 0.5), window{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, c.got, c.want)
		}
	}
}

// When points are added, only a following window moves.
func TestWindowFollows(t *testing.T) {
	for _, c := range []struct {
		w    window
		want [2]float64
	}{
		{window{}, [2]float64{0, 500}},
		{window{on: true, lo: 20, hi: 60}, [2]float64{20, 60}},
		{window{on: true, lo: 60, hi: 100, follow: true}, [2]float64{460, 500}},
	} {
		if got := c.w.at([2]float64{0, 500}); got != c.want {
			t.Errorf("%+v shows %v, want %v", c.w, got, c.want)
		}
	}
}

// A window never becomes empty.
func TestNarrowestWindow(t *testing.T) {
	w, span := window{}, [2]float64{1, 20001}
	for range 100 {
		w = w.zoomed(span, 12345, 0.5)
	}
	if width := w.hi - w.lo; math.Abs(width/(20000*narrowest)-1) > 1e-9 || w.lo > 12345 || w.hi < 12345 {
		t.Errorf("after 100 steps of zoom: %+v", w)
	}
}

// A window that ends at the newest point up to rounding follows it.
func TestWindowAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		end, lo, width float64
		follow         bool
	}{
		{0.3, 0.1, 0.2 - 1e-11, true}, {0.3, 0.1, 0.2 - 1e-9, false}, {1e-3, 9e-4 - 1e-9, 1e-4, false},
		{1e6, 9e5, 1e5 - 1e-5, true},
	} {
		w := window{on: true}.placed([2]float64{0, c.end}, c.lo, c.width)
		if w.follow != c.follow {
			t.Errorf("%+v of %g follows: %v", w, c.end, w.follow)
		}
	}
}

func TestWindowText(t *testing.T) {
	for w, want := range map[window]string{
		{}: "", {on: true}: "zoomed", {on: true, follow: true}: "zoomed, follows",
	} {
		if got := w.String(); got != want {
			t.Errorf("%+v is %q, want %q", w, got, want)
		}
	}
}
