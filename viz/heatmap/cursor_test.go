package heatmap

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// covariances returns a map of single entries with a known covariance.
func covariances() BlockMap {
	b := BlockMap{Parts: []Part{{Size: 2, Cells: 2}, {Size: 1, Cells: 1}, {Group: 1, Size: 1, Cells: 1}}}
	for _, v := range []float64{4, 1, 0.5, 0, 1, 1, 0, 0, 0.5, 0, 9, 3, 0, 0, 3, 16} {
		b.Log10 = append(b.Log10, math.Log10(v))
	}
	b.Free = [][2]int{{3, 0}}
	b.Cursor = b.Start(0)
	return b
}

// The readout shows a variance, a covariance with its correlation, or the kind of zero.
func TestReadout(t *testing.T) {
	place := func(group, index, variable int) Place { return Place{group, index, variable} }
	for _, c := range []struct {
		row, column Place
		where, what string
	}{
		{place(0, 0, 0), place(0, 0, 0),
			"row layer 1 GP 1, inducing point 1, column layer 1 GP 1, inducing point 1",
			"|S_M| 4, a variance"},
		{place(0, 0, 0), place(0, 0, 1), "GP 1, inducing point 1, column layer 1 GP 1, inducing point 2",
			"|S_M| 1, |correlation| 0.5"},
		{place(0, 0, 0), place(0, 1, 0), "column layer 1 GP 2, inducing point 1",
			"|S_M| 0.5, |correlation| 0.083"},
		{place(1, 0, 0), place(0, 1, 0), "row layer 2 GP 1, inducing point 1", "|S_M| 3, |correlation| 0.25"},
		{place(0, 0, 1), place(0, 1, 0), "", "always 0"},
		{place(1, 0, 0), place(1, 0, 0), "", "|S_M| 16, a variance"},
		{place(2, 0, 0), place(1, 0, 0), "not on these maps", ""},
		{place(0, 0, 2), place(1, 0, 0), "not on these maps", ""},
	} {
		b := covariances()
		b.Cursor = &Cursor{c.row, c.column}
		text := golden.Text(b, canvas.Style{}, 90, 20)
		if !strings.Contains(text, c.where) || !strings.Contains(text, c.what) {
			t.Errorf("%v: want %q and %q in\n%s", b.Cursor, c.where, c.what, text)
		}
	}
	free := covariances()
	free.Free = [][2]int{{2, 0}}
	free.Log10[8] = math.Inf(-1)
	free.Log10[9] = math.Inf(-1)
	free.Log10[2] = math.Inf(-1)
	free.Log10[6] = math.Inf(-1)
	free.Cursor = &Cursor{place(0, 1, 0), place(0, 0, 1)}
	if text := golden.Text(free, canvas.Style{}, 90, 20); !strings.Contains(text, "0 so far") {
		t.Errorf("a zero that may change:\n%s", text)
	}
}

// For pooled cells the readout shows the number of entries, including those that were pooled
// before.
func TestReadoutOfPooledCells(t *testing.T) {
	b := demoMap([]int{1, 1}, 16, func(int, int) bool { return true }) // 64 entries each
	b.Cursor = b.Start(1)
	l := b.layout(canvas.Style{}, 30, 10)
	row, col, ok := l.under()
	if !ok {
		t.Fatal("no cursor")
	}
	want := (row.hi - row.lo) * 4 * (col.hi - col.lo) * 4
	text := golden.Text(b, canvas.Style{}, 80, 12)
	if want <= 16 || !strings.Contains(golden.Text(b, canvas.Style{}, 30, 12), fmt.Sprintf(" of %d", want)) {
		t.Errorf("want the greatest of %d in\n%s", want, golden.Text(b, canvas.Style{}, 30, 12))
	}
	if !strings.Contains(text, "GP 1, inducing point 1–") || strings.Contains(text, "correlation") {
		t.Errorf("several entries:\n%s", text)
	}
}

// The cursor reaches every pixel, returns the same way, and stops at the ends.
func TestCursorReachesEverything(t *testing.T) {
	for _, style := range []canvas.Style{{}, {Mode: canvas.TrueColor}} {
		for name, m := range map[string]BlockMap{
			"star":  demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6)),
			"parts": demoParts(), "single": covariances(),
		} {
			for _, size := range [][2]int{{100, 40}, {61, 21}, {30, 12}, {9, 9}} {
				w, h := size[0], size[1]
				m.Cursor = m.Start(0)
				l := m.layout(style, w, h-m.readoutLines(h))
				seen := map[float64]bool{}
				count := 0
				for range 1000 {
					if _, col, ok := l.at(m.Cursor); ok && !seen[float64(col.lo)] {
						seen[float64(col.lo)] = true
						count++
					}
					next := m.Moved(style, w, h, 1, 0)
					if *next == *m.Cursor {
						break
					}
					back := m
					back.Cursor = next
					if got := back.Moved(style, w, h, -1, 0); *got != *m.Cursor {
						t.Fatalf("%s %v: right and left goes from %v by %v to %v",
							name, size, m.Cursor, next, got)
					}
					m.Cursor = next
				}
				starts := map[int]bool{}
				for _, s := range l.cols {
					if s.border == inBlock {
						starts[s.lo] = true
					}
				}
				if count != len(starts) {
					t.Errorf("%s %v: %d of %d columns were reached", name, size, count, len(starts))
				}
				if end := m.Moved(style, w, h, 500, -500); *end != *m.Cursor {
					t.Errorf("%s %v: %v beyond the end, want %v", name, size, end, m.Cursor)
				}
			}
		}
	}
}

// at returns the strips of another cursor.
func (l *blockLayout) at(c *Cursor) (row, col strip, ok bool) {
	other := *l
	other.Cursor = c
	return other.under()
}

// A cursor moves on the map that has it. A map without the place of the cursor starts anew.
func TestCursorMovesOnOneOfSeveralMaps(t *testing.T) {
	several := demoMaps(3)
	for i := range several {
		several[i].Cursor = &Cursor{Place{0, 1, 3}, Place{1, 2, 5}}
	}
	at := several.Moved(canvas.Style{}, 120, 24, 1, 0, 1)
	if at.Row == several[1].Cursor.Row || at.Column != several[1].Cursor.Column {
		t.Errorf("down goes from %v to %v", several[1].Cursor, at)
	}
	if at := several.Moved(canvas.Style{}, 120, 24, 0, 0, 1); *at != *several[0].Start(0) {
		t.Errorf("a map without the place moves to %v", at)
	}
}
