package dash

import (
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// sketch draws a layout at a scale of sx x sy cells for each character.
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
		fill(p.rect, "EVCL"[p.id])
	}
	fill(l.header, '=')
	fill(l.tabs, '-')
	fill(l.footer, '_')
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

func TestDashboardLayouts(t *testing.T) {
	for _, c := range []struct {
		w, h   int
		focus  panelID
		zoomed bool
		sx, sy int
		want   string
	}{
		{120, 40, panelELBO, false, 15, 5, `
			========
			EEEEVVVV
			EEEEVVVV
			EEEEVVVV
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			________`},
		{120, 40, panelLayers, true, 15, 5, `
			========
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			LLLLLLLL
			________`},
		{80, 24, panelValidation, false, 10, 1, `
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
		{80, 24, panelCovariance, false, 10, 3, `
			--------
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			CCCCLLLL
			________`},
		{40, 10, panelLayers, false, 10, 1, `
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
		{20, 5, panelELBO, false, 10, 1, `
			==
			EE
			EE
			EE
			EE`},
		{10, 3, panelELBO, false, 1, 1, `
			==========
			==========
			==========`},
		{10, 1, panelELBO, false, 1, 1, `
			==========`},
	} {
		got := sketch(arrange(c.w, c.h, c.focus, c.zoomed), c.w, c.h, c.sx, c.sy)
		want := strings.TrimPrefix(strings.ReplaceAll(c.want, "\t", ""), "\n") + "\n"
		if got != want {
			t.Errorf("%d x %d, focus %d, zoomed %v:\n%s\nwant\n%s", c.w, c.h, c.focus, c.zoomed, got, want)
		}
	}
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1; h <= 45; h++ {
			for focus := range numPanels {
				for _, zoomed := range []bool{false, true} {
					l := arrange(w, h, focus, zoomed)
					regions := []kit.Rect{l.header, l.tabs, l.footer}
					shown := false
					for _, p := range l.panels {
						regions = append(regions, p.rect)
						shown = shown || p.id == focus
					}
					kittest.CheckTiling(t, "dashboard", w, h, regions)
					if l.header.H < 1 {
						t.Fatalf("dashboard %d x %d has no line of state", w, h)
					}
					if len(l.panels) > 0 && !shown {
						t.Fatalf("dashboard %d x %d does not show the focused panel", w, h)
					}
				}
			}
		}
	}
}

// TestShrinkingNeverAdds checks that what is given up comes back in the reverse
// order: a smaller screen never shows more panels than a larger one.
func TestShrinkingNeverAdds(t *testing.T) {
	for w := 1; w < 130; w++ {
		for h := 1; h < 45; h++ {
			n := len(arrange(w, h, panelELBO, false).panels)
			if more := len(arrange(w+1, h, panelELBO, false).panels); more < n {
				t.Fatalf("%d x %d shows %d panels, one column more %d", w, h, n, more)
			}
			if more := len(arrange(w, h+1, panelELBO, false).panels); more < n {
				t.Fatalf("%d x %d shows %d panels, one line more %d", w, h, n, more)
			}
		}
	}
}
