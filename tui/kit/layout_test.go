package kit

import "testing"

func TestRectContains(t *testing.T) {
	r := Rect{X: 3, Y: 2, W: 4, H: 2}
	for _, c := range []struct {
		x, y int
		want bool
	}{
		{3, 2, true}, {6, 2, true}, {3, 3, true}, {6, 3, true},
		{2, 2, false}, {7, 2, false}, {3, 1, false}, {3, 4, false},
	} {
		if got := r.Contains(c.x, c.y); got != c.want {
			t.Errorf("%+v contains (%d, %d): %v, want %v", r, c.x, c.y, got, c.want)
		}
	}
}

func TestPanelsWithoutRoomAreBare(t *testing.T) {
	for _, c := range []struct {
		w, h int
		bare bool
		want Rect
	}{
		{16, 5, false, Rect{2, 1, 12, 3}}, {15, 5, true, Rect{0, 0, 15, 5}}, {16, 4, true, Rect{0, 0, 16, 4}},
	} {
		p := Place("curves", Rect{W: c.w, H: c.h})
		if p.Bare != c.bare || p.Inner() != c.want {
			t.Errorf("%d x %d cells: %+v, inside %+v", c.w, c.h, p, p.Inner())
		}
	}
	for lines, want := range map[int]int{-1: 0, 0: 0, 1: 5, 3: 5, 4: 6, 10: 12} {
		if got := FramedHeight(lines); got != want {
			t.Errorf("%d lines need a panel of %d lines, want %d", lines, got, want)
		}
	}
}

// As a screen shrinks, it loses its footer, then its body.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		w, h                 int
		header, footer, body Rect
	}{
		{80, 24, Rect{0, 0, 80, 1}, Rect{0, 23, 80, 1}, Rect{0, 1, 80, 22}},
		{12, 5, Rect{0, 0, 12, 1}, Rect{0, 4, 12, 1}, Rect{0, 1, 12, 3}},
		{80, 4, Rect{0, 0, 80, 1}, Rect{}, Rect{0, 1, 80, 3}},
		{80, 2, Rect{0, 0, 80, 1}, Rect{}, Rect{0, 1, 80, 1}},
		{80, 1, Rect{0, 0, 80, 1}, Rect{}, Rect{}},
		{11, 24, Rect{0, 0, 11, 24}, Rect{0, 23, 11, 0}, Rect{}},
		{1, 1, Rect{0, 0, 1, 1}, Rect{}, Rect{}},
		{0, 24, Rect{}, Rect{}, Rect{}}, {80, 0, Rect{}, Rect{}, Rect{}},
	} {
		header, footer, body := Edges(c.w, c.h)
		if header != c.header || footer != c.footer || body != c.body {
			t.Errorf("%d x %d cells: header %+v, footer %+v, body %+v", c.w, c.h, header, footer, body)
		}
	}
}
