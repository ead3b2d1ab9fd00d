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

// Both parts of a split have the position and the size of their share, and together they cover the whole.
func TestRectSplits(t *testing.T) {
	r := Rect{X: 10, Y: 20, W: 7, H: 9}
	left, right := r.Beside()
	if left != (Rect{10, 20, 3, 9}) || right != (Rect{13, 20, 4, 9}) {
		t.Errorf("halves beside each other: %+v, %+v", left, right)
	}
	top, bottom := r.Stacked()
	if top != (Rect{10, 20, 7, 5}) || bottom != (Rect{10, 25, 7, 4}) {
		t.Errorf("halves above each other: %+v, %+v", top, bottom)
	}
	for _, c := range []struct {
		top, bottom int // needed heights
		want        int // height of the top
	}{{0, 0, 5}, {1, 0, 1}, {5, 0, 5}, {6, 0, 5}, {0, 1, 8}, {0, 4, 5}, {6, 3, 6}, {6, 5, 5}} {
		a, b := r.Shared(c.top, c.bottom)
		if a != (Rect{10, 20, 7, c.want}) || b != (Rect{10, 20 + c.want, 7, 9 - c.want}) {
			t.Errorf("parts that need %d and %d lines: %+v, %+v", c.top, c.bottom, a, b)
		}
	}
	if got := r.Inner(); got != (Rect{12, 21, 3, 7}) {
		t.Errorf("inside its border: %+v", got)
	}
	if got := (Rect{W: 1, H: 1}).Inner(); got != (Rect{X: 2, Y: 1}) {
		t.Errorf("inside the border of a single cell: %+v", got)
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

// A plan is drawn below the body. With less room, it loses its border, then its lines.
func TestPlanAndTabsAreCutFromTheBody(t *testing.T) {
	for _, c := range []struct {
		h                int // of the body
		tabs, foot, body Rect
		bare             bool
	}{
		{19, Rect{0, 1, 40, 1}, Rect{0, 14, 40, 6}, Rect{0, 2, 40, 12}, false},
		{18, Rect{0, 1, 40, 1}, Rect{1, 16, 39, 3}, Rect{0, 2, 40, 14}, true},
		{13, Rect{0, 1, 40, 1}, Rect{1, 11, 39, 3}, Rect{0, 2, 40, 9}, true},
		{12, Rect{0, 1, 40, 1}, Rect{1, 12, 39, 1}, Rect{0, 2, 40, 10}, true},
		{5, Rect{0, 1, 40, 1}, Rect{1, 5, 39, 1}, Rect{0, 2, 40, 3}, true},
		{4, Rect{}, Rect{1, 4, 39, 1}, Rect{0, 1, 40, 3}, true},
		{3, Rect{}, Rect{}, Rect{0, 1, 40, 3}, false},
	} {
		l, body := NewLayout(40, c.h+2)
		body = l.CutTabs(body, c.h+2)
		body = l.CutPlan(body, 4)
		if l.Tabs != c.tabs || l.Foot != c.foot || body != c.body || l.FootBare != c.bare {
			t.Errorf("%d lines: tabs %+v, plan %+v (bare: %v), body %+v", c.h, l.Tabs, l.Foot, l.FootBare,
				body)
		}
	}
}

// A cell belongs to a part or to a tab, or to neither.
func TestPartsAtCells(t *testing.T) {
	l := Layout{Tabs: Rect{0, 1, 30, 1},
		Parts: []Placed[int]{Place(4, Rect{0, 2, 20, 5}), Place(7, Rect{20, 2, 20, 5})}}
	names := Tabs{"one", "two"} // from column 1 and from column 7
	for _, c := range []struct {
		x, y, id int
		tab, ok  bool
	}{
		{0, 2, 4, false, true}, {19, 6, 4, false, true}, {20, 2, 7, false, true}, {39, 6, 7, false, true},
		{1, 1, 0, true, true}, {7, 1, 1, true, true}, {28, 1, 0, true, false}, {7, 0, 1, true, false},
	} {
		p, tab, ok := l.At(c.x, c.y, names)
		if ok != c.ok || ok && (p.ID != c.id || tab != c.tab) {
			t.Errorf("(%d, %d) is part %d, a tab: %v, found: %v; want %+v", c.x, c.y, p.ID, tab, ok, c)
		}
	}
}
