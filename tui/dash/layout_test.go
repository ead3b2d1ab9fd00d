package dash

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// signs maps panels to their characters in a sketch.
var signs = map[string]byte{
	"Objective": 'E', "Validation": 'V', "Covariance": 'C', "Layers": 'L',
	"Functions": 'F', "Network": 'N', "Moments": 'M', "Plane": 'P', "Inducing": 'I',
	"Quadrature": 'Q', "Prior": 'R', "Table": 'T', "Direct": 'D',
	"Errors": 'e', "Distance": 'd', "PIT": 'p', "Coverage": 'c',
	"Confusion": 'x', "Health": 'H',
}

// arranged returns the layout of the page that has a panel, in a dashboard without runs of w x h cells.
func (d *desk) arranged(w, h, runs int, focus string, zoomed bool) layout {
	d.Size(w, h)
	d.dash.FocusOn(d.panel(focus))
	tabs := d.dash.tabs(d.dash.page)
	at := slices.IndexFunc(tabs, func(t tab) bool { return t.panel.Name == focus })
	return arrange(w, h, runs, d.dash.pageTabs(), tabs, at, zoomed)
}

// sketch draws a layout with sx x sy cells per character.
func sketch(l layout, w, h, sx, sy int) string {
	rows := make([][]byte, h/sy)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", w/sx))
	}
	fill := func(r kit.Rect, with byte) {
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if y/sy < len(rows) && x/sx < len(rows[0]) {
					rows[y/sy][x/sx] = with
				}
			}
		}
	}
	for _, p := range l.panels {
		fill(p.Rect, signs[p.ID.Name])
	}
	fill(l.header, '=')
	fill(l.pages, '-')
	fill(l.tabs, '-')
	fill(l.footer, '_')
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		w, h   int
		runs   int
		focus  string
		zoomed bool
		sx, sy int
		want   string
	}{
		{120, 40, 1, "Objective", false, 15, 5, `
			--------
			EEEEVVVV
			EEEEVVVV
			EEEEVVVV
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			________`},
		{120, 40, 1, "Layers", true, 15, 5, `
			--------
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			________`},
		{80, 24, 1, "Validation", false, 10, 1, `
			========
			========
			--------
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			________
			________`},
		{80, 24, 4, "Validation", false, 10, 1, `
			========
			========
			========
			========
			--------
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			EEEEEEEE
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			VVVVVVVV
			________
			________`},
		{80, 24, 1, "Direct", false, 10, 3, `
			--------
			TTTTTTTT
			TTTTTTTT
			TTTTTTTT
			DDDDDDDD
			DDDDDDDD
			DDDDDDDD
			________`},
		{120, 40, 2, "PIT", false, 15, 5, `
			--------
			eeeedddd
			eeeedddd
			eeeedddd
			ppppcccc
			ppppcccc
			ppppcccc
			________`},
		{120, 40, 2, "Health", false, 15, 5, `
			--------
			HHHHHHHH
			HHHHHHHH
			HHHHHHHH
			HHHHHHHH
			HHHHHHHH
			HHHHHHHH
			________`},
		{80, 24, 1, "Covariance", false, 10, 3, `
			--------
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			________`},
		{40, 10, 1, "Layers", false, 10, 1, `
			====
			----
			LLLL
			LLLL
			LLLL
			LLLL
			LLLL
			LLLL
			LLLL
			____`},
		{20, 5, 1, "Objective", false, 10, 1, `
			==
			EE
			EE
			EE
			EE`},
		{10, 3, 1, "Objective", false, 1, 1, `
			==========
			==========
			==========`},
		{10, 1, 1, "Objective", false, 1, 1, `
			==========`},
	} {
		got := sketch(emptyDesk(c.w, c.h).arranged(c.w, c.h, c.runs, c.focus, c.zoomed), c.w, c.h, c.sx, c.sy)
		want := strings.TrimPrefix(strings.ReplaceAll(c.want, "\t", ""), "\n") + "\n"
		if got != want {
			t.Errorf("%d x %d, %d runs, focus %s, zoomed %v:\n%s\nwant\n%s",
				c.w, c.h, c.runs, c.focus, c.zoomed, got, want)
		}
	}
}

func TestLayoutsTile(t *testing.T) {
	empty := emptyDesk(80, 24)
	for w := 1; w <= 130; w++ {
		for h := 1 + w%9; h <= 45; h += 9 {
			for focus := range signs {
				p := empty.panel(focus)
				if !slices.Contains(empty.dash.Panels(empty.dash.pageOf(p)), p) {
					continue // The panel appears if a model has its view.
				}
				for _, zoomed := range []bool{false, true} {
					l := empty.arranged(w, h, 1+(w+h)%board.MostShown, focus, zoomed)
					regions := []kit.Rect{l.header, l.pages, l.tabs, l.footer}
					shown := false
					for _, p := range l.panels {
						regions = append(regions, p.Rect)
						shown = shown || p.ID.Name == focus
					}
					kittest.CheckTiling(t, "dashboard", w, h, regions)
					if l.header.H < 1 {
						t.Fatalf("dashboard %d x %d has no status line", w, h)
					}
					if len(l.panels) > 0 && !shown {
						t.Fatalf("dashboard %d x %d does not show the focused panel", w, h)
					}
				}
			}
		}
	}
}

// A smaller screen never shows more panels than a larger one.
func TestShrinkingNeverAddsPanels(t *testing.T) {
	d := emptyDesk(80, 24)
	for _, runs := range []int{1, 2, 3, 4} {
		var narrower [46]int // counts of the previous width, by height
		for w := 1; w <= 130; w++ {
			lower := 0 // count of the previous height
			for h := 1; h <= 45; h++ {
				n := len(d.arranged(w, h, runs, "Objective", false).panels)
				if n < narrower[h] || n < lower {
					t.Fatalf("%d x %d shows %d panels, one column less shows %d and one line less %d",
						w, h, n, narrower[h], lower)
				}
				narrower[h] = n
				lower = n
			}
		}
	}
}

// sizedTabs returns the tabs of a page with a row of its own, short panels and tall panels, as given by
// heights.
func sizedTabs(heights []int) (tabs []tab) {
	for i, h := range heights {
		tabs = append(tabs, tab{&board.Panel{Name: strconv.Itoa(i)}, i == 0 && h > 0, "name", "n",
			func(int) int { return h }, func(int, int) int { return 0 }})
	}
	return tabs
}

// If a panel in either row can use more than half of the height, its row grows as far as the panel can use.
// The other row keeps the height of its details.
func TestDetailsGetHeight(t *testing.T) {
	number := kit.Tabs{"1"}
	pages := pageTabs{number, number, number, number, 0}
	for _, c := range []struct{ at, used, h, first, second int }{
		{2, 0, 60, 27, 27},
		{2, 20, 60, 27, 27},
		{2, 30, 60, 22, 32},
		{2, 50, 60, 20, 34}, // The panel would use all of the height.
		{0, 30, 60, 32, 22},
		{0, 50, 60, 34, 20},
		{2, 50, 40, 17, 17}, // The first row would be too low.
	} {
		tabs := sizedTabs(make([]int, 5))
		tabs[c.at].uses = func(_, h int) int { return min(c.used, h) }
		l := arrange(200, c.h, 1, pages, tabs, 0, false)
		if first, second := l.panels[0].Rect.H, l.panels[2].Rect.H; first != c.first || second != c.second {
			t.Errorf("panel %d uses %d of %d lines: rows of %d and %d, want %d and %d",
				c.at, c.used, c.h, first, second, c.first, c.second)
		}
	}
}

// At every size the panels tile the body, and the focused panel is on the screen. Panels that need a given
// height get it if other panels can fill any height.
func TestLayoutsBySize(t *testing.T) {
	number := kit.Tabs{"1"}
	pages := pageTabs{number, number, number, number, 0}
	for _, heights := range [][]int{{0}, {3}, {4, 0}, {0, 4}, {4, 8, 0, 0}, {0, 0, 0, 0, 3},
		{4, 8, 0, 0, 20, 0, 7, 4}, {3, 3, 3}, {0, 3, 3, 3}, {50, 0, 0}, {0, 50, 0, 9}} {
		for w := 1; w <= 210; w += 11 {
			for h := 1; h <= 62; h += 5 {
				tabs := sizedTabs(heights)
				for focus := range tabs {
					l := arrange(w, h, 1, pages, tabs, focus, false)
					regions := []kit.Rect{l.header, l.pages, l.tabs, l.footer}
					shown := map[*board.Panel]kit.Rect{}
					for _, p := range l.panels {
						regions = append(regions, p.Rect)
						shown[p.ID] = p.Rect
					}
					kittest.CheckTiling(t, fmt.Sprint(heights), w, h, regions)
					if len(l.panels) == 0 {
						continue
					}
					if len(shown) != len(l.panels) || shown[tabs[focus].panel].Empty() {
						t.Fatalf("%v at %d x %d, focus %d: %d panels", heights, w, h, focus, len(shown))
					}
				}
			}
		}
	}
	l := arrange(200, 60, 1, pages, sizedTabs([]int{2, 8, 0, 0, 0, 0, 4}), 0, false)
	for i, want := range []int{5, 10, 0, 0, 0, 0, 6} {
		if p := l.panels[i]; want > 0 && p.Rect.H != want {
			t.Errorf("panel %s has %d lines, want %d", p.ID.Name, p.Rect.H, want)
		}
	}
}

func TestEdges(t *testing.T) {
	for _, c := range []struct{ h, runs, header, footer int }{
		{30, 0, 3, 2}, {30, 1, 3, 2}, {29, 1, 2, 2}, {30, 2, 3, 2}, {30, 4, 5, 2}, {30, 99, 9, 2},
		{29, 4, 4, 2}, {18, 1, 2, 2}, {18, 9, 8, 2}, {17, 9, 2, 1}, {12, 1, 2, 1}, {11, 1, 1, 1},
		{7, 4, 1, 1},
		{6, 4, 1, 0}, {1, 1, 1, 0},
	} {
		if header, footer := edges(c.h, c.runs); header != c.header || footer != c.footer {
			t.Errorf("%d lines, %d runs: %d and %d, want %d and %d", c.h, c.runs, header, footer,
				c.header, c.footer)
		}
	}
}

// The body of the screen shows four panels, two, or one, and a table in addition.
func TestPanelsBySize(t *testing.T) {
	for _, c := range []struct {
		heights    []int
		w, h, want int
	}{
		{[]int{0, 0, 0, 0}, 96, 24, 4}, {[]int{0, 0, 0, 0}, 95, 24, 2}, {[]int{0, 0, 0, 0}, 96, 23, 2},
		{[]int{0, 0, 0, 0}, 64, 15, 2}, {[]int{0, 0, 0, 0}, 63, 15, 1}, {[]int{0, 0, 0, 0}, 64, 14, 1},
		{[]int{4, 0, 0}, 34, 15, 2}, {[]int{4, 0, 0}, 33, 15, 1}, {[]int{4, 0, 0}, 34, 14, 1},
		{[]int{0, 0}, 200, 60, 2}, {[]int{0, 0, 0}, 200, 60, 3},
		{[]int{0, 0, 0, 0, 0}, 107, 60, 4}, {[]int{0, 0, 0, 0, 0}, 108, 60, 5},
	} {
		if got := len(split(kit.Area(0, 0, c.w, c.h), sizedTabs(c.heights), 0, false)); got != c.want {
			t.Errorf("%v in %d x %d cells: %d panels, want %d", c.heights, c.w, c.h, got, c.want)
		}
	}
}

// Short panels share columns with each other and with a tall panel, which keeps its minimum height.
func TestStacks(t *testing.T) {
	for _, c := range []struct {
		heights []int
		h       int
		want    string
	}{
		{[]int{0, 3, 3}, 14, "[01][2]"}, {[]int{0, 3, 3}, 13, "[0][12]"}, {[]int{0, 3, 3}, 19, "[012]"},
		{[]int{3, 0}, 14, "[01]"}, {[]int{3, 0}, 13, "[0][1]"}, {[]int{0, 0}, 60, "[0][1]"},
		{[]int{3, 3}, 10, "[01]"}, {[]int{3, 3}, 9, "[0][1]"}, {[]int{12, 3, 3, 0}, 14, "[0][12][3]"},
		{[]int{13, 3}, 14, "[01]"}, {[]int{12, 12, 0}, 23, "[02][1]"}, {[]int{12, 12, 0}, 22, "[0][1][2]"},
	} {
		got := ""
		for _, s := range stacks(sizedTabs(c.heights), 40, c.h) {
			got += "["
			for _, t := range s.tabs {
				got += t.panel.Name
			}
			got += "]"
		}
		if got != c.want {
			t.Errorf("%v in %d lines: %s, want %s", c.heights, c.h, got, c.want)
		}
	}
}

// The row around a column has as many columns as fit.
func TestAround(t *testing.T) {
	list := make([]stack, 5)
	for i := range list {
		list[i].short = i
	}
	for _, c := range []struct{ at, n, first, length int }{
		{0, 2, 0, 2}, {1, 2, 0, 2}, {2, 2, 2, 2}, {4, 2, 3, 2}, {-2, 2, 0, 2}, {3, 3, 2, 3}, {4, 9, 0, 5},
	} {
		got := around(list, c.at, c.n)
		if len(got) != c.length || got[0].short != c.first {
			t.Errorf("%d around column %d: %d from %d, want %d from %d", c.n, c.at, len(got), got[0].short,
				c.length, c.first)
		}
	}
}
