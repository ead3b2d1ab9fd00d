package heatmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// TestPoolingKeepsTheGreatest hides one large value in a map and looks for it at every size.
func TestPoolingKeepsTheGreatest(t *testing.T) {
	b := BlockMap{Parts: parts([]int{2, 1}, 90, 30), Log10: make([]float64, 90*90)}
	for i := range b.Log10 {
		b.Log10[i] = -5
	}
	b.Log10[40*90+7] = 0
	for w := 1; w < 120; w += 3 {
		got := golden.Text(b, canvas.Style{}, w, 40)
		// The colour bar also shows the character: two cells in every line of its top.
		if !strings.Contains(got, "@") {
			t.Errorf("width %d: the greatest value is lost\n%s", w, got)
		}
	}
	l := b.layout(canvas.Style{}, 60, 12)
	most := math.Inf(-1)
	for _, r := range l.rows {
		for _, c := range l.cols {
			if r.border == inBlock && c.border == inBlock {
				most = math.Max(most, l.pool(r, c))
			}
		}
	}
	if most != 0 {
		t.Errorf("the greatest pooled value is %g", most)
	}
}

// TestStripsCoverEverything checks that every cell lies in a pixel and that no pixel mixes GPs
// while there are lines between them.
func TestStripsCoverEverything(t *testing.T) {
	lists := [][]Part{demoParts().Parts,
		{{Size: 9, Cells: 1}, {Group: 1, Size: 9, Cells: 90}, {Group: 1, Size: 9, Cells: 1},
			{Group: 4, Size: 9, Cells: 2}}}
	for _, gps := range [][]int{{1}, {3, 3, 1}, {0, 2, 0, 5}, {10, 10, 10}} {
		for _, cells := range []int{1, 5, 32} {
			lists = append(lists, parts(gps, 0, cells))
		}
	}
	for _, list := range lists {
		for n := 1; n < 90; n++ {
			l := &blockLayout{BlockMap: BlockMap{Parts: list}}
			strips := l.strips(n, 1, 3)
			if len(strips) > n {
				t.Fatalf("%v: %d strips for %d pixels", list, len(strips), n)
			}
			var owner []int
			for gp, p := range list {
				owner = append(owner, slices.Repeat([]int{gp}, p.Cells)...)
			}
			seen := make([]bool, len(owner))
			for _, s := range strips {
				for i := s.lo; i < s.hi && s.border == inBlock; i++ {
					seen[i] = true
				}
				if n >= l.total() && s.border == inBlock && (owner[s.lo] != s.gp || owner[s.hi-1] != s.gp) {
					t.Fatalf("%v in %d pixels: a pixel of GP %d has cells %d to %d",
						list, n, s.gp, s.lo, s.hi)
				}
			}
			if i := slices.Index(seen, false); i >= 0 {
				t.Fatalf("%v in %d pixels: cell %d is in none", list, n, i)
			}
		}
	}
}

func TestMapRange(t *testing.T) {
	b := BlockMap{Parts: parts([]int{1}, 0, 2), Log10: []float64{-20, math.Inf(-1), math.NaN(), 1}}
	if lo, hi, clipped, bad := b.colorRange(); lo != -7 || hi != 1 || !clipped || bad != 1 {
		t.Errorf("range %g to %g, clipped %v, %d not finite", lo, hi, clipped, bad)
	}
	b.Log10[0] = -5
	if lo, _, clipped, _ := b.colorRange(); lo != -5 || clipped {
		t.Errorf("the range of six decades begins at %g, clipped %v", lo, clipped)
	}
}

// TestMapsShareARange draws a strong and a weak map together. The same character means the same
// value in both.
func TestMapsShareARange(t *testing.T) {
	strong := BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{0}, Title: "strong"}
	weak := BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{-20}, Title: "weak"}
	maps := BlockMaps{strong, weak, {Title: "none"}}
	if lo, hi := maps.colorRange(); lo != -8 || hi != 0 {
		t.Errorf("range %g to %g", lo, hi)
	}
	line := maps.Render(canvas.Style{}, 90, 10)[4]
	if !strings.Contains(line, "@@") || !strings.Contains(line, "..") ||
		!strings.Contains(line, "no covariance yet") {
		t.Errorf("maps differ by 20 decades: %q", line)
	}
	if lo, hi := (BlockMaps{{}}).colorRange(); lo != 0 || hi != 0 {
		t.Errorf("without values the range is %g to %g", lo, hi)
	}
	weak.Lo, weak.Hi = -22, -21
	if got := golden.Text(weak, canvas.Style{}, 60, 10); !strings.Contains(got, "≥-21") ||
		!strings.Contains(got, "weak") {
		t.Errorf("a value above the range is not said:\n%s", got)
	}
}

// TestMapIsSquare checks that covariances have equal numbers of columns and of rows of half blocks,
// and that lines between layers are whole cells in both directions.
func TestMapIsSquare(t *testing.T) {
	b := demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6))
	for _, s := range [][2]int{{200, 40}, {60, 18}, {40, 40}, {9, 30}, {24, 9}} {
		l := b.layout(canvas.Style{Mode: canvas.TrueColor}, s[0], s[1])
		if lines := s[1] > 9; l.lines != lines {
			t.Errorf("%v: lines %t", s, l.lines)
		}
		within := slices.DeleteFunc(slices.Clone(l.rows), func(s strip) bool {
			return s.border == layerBorder
		})
		if want := slices.DeleteFunc(slices.Clone(l.cols), func(s strip) bool {
			return s.border == layerBorder
		}); !slices.Equal(within, want) || l.left+len(l.cols) > s[0] || l.top+(len(l.rows)+1)/2 > s[1] {
			t.Errorf("%v: %d x %d pixels", s, len(l.cols), len(l.rows))
		}
		for y := 0; y+1 < len(l.rows); y += 2 {
			if l.lines && l.rows[y].border == layerBorder && l.rows[y+1].border != layerBorder {
				t.Errorf("%v: the line in row %d of pixels shares a cell", s, y)
			}
		}
		c := b.layout(canvas.Style{}, s[0], s[1])
		if ratio := float64(len(c.cols)) / float64(len(c.rows)); ratio < 1.5 || ratio > 2.3 {
			t.Errorf("%v: %d x %d characters", s, len(c.cols), len(c.rows))
		}
	}
}

// TestHeight compares the height that maps can use with their size at every height: at that height
// every map has its largest size, and with one line less a map is smaller.
func TestHeight(t *testing.T) {
	one := BlockMap{Title: "one", Cursor: &Cursor{}}
	for i := range 11 {
		one.Parts = append(one.Parts, Part{Group: i / 5, Size: 16, Cells: 16})
	}
	side := one.Side()
	one.Log10 = make([]float64, side*side)
	untitled := one
	untitled.Title, untitled.Cursor = "", nil
	for _, style := range []canvas.Style{{}, {Mode: canvas.TrueColor}} {
		for _, w := range []int{20, 62} {
			for _, m := range []BlockMap{one, untitled} {
				used := m.Height(style, w, 60)
				most := m.pixelsIn(style, w, used)
				for h := 1; h <= 60; h++ {
					s := m.pixelsIn(style, w, h)
					if s > most || s == most && h < used {
						t.Errorf("width %d: side %d at height %d, and %d at %d", w, most, used, s, h)
					}
					_, l := m.draw(style, w, h-m.readoutLines(h))
					if drawn := len(l.cols); drawn != s {
						t.Errorf("%d x %d cells: side %d, drawn %d", w, h, s, drawn)
					}
				}
			}
			several := BlockMaps{untitled, untitled, untitled}
			used := several.Height(style, w, 60)
			if drawn := len(several.Render(style, w, used)); drawn != used || used < 10 {
				t.Errorf("width %d: three maps use %d lines and fill %d", w, used, drawn)
			}
		}
	}
	if got := (BlockMap{}).Height(canvas.Style{}, 62, 80); got != 0 {
		t.Errorf("an empty map uses %d lines", got)
	}
	if got := (BlockMaps{}).Height(canvas.Style{}, 62, 80); got != 0 {
		t.Errorf("no maps use %d lines", got)
	}
}

// The characters of the ramp have equal shares of the range.
func TestRamp(t *testing.T) {
	n := float64(len(blockRamp))
	for k, want := range blockRamp {
		for _, at := range []float64{0.01, 0.99} {
			if got := rampRune((float64(k) + at) / n); got != want {
				t.Errorf("at %g of %g: %c, want %c", float64(k)+at, n, got, want)
			}
		}
	}
	if got := rampRune(1); got != '@' {
		t.Errorf("at the end: %c", got)
	}
}

// The legend has the largest values of the chosen part, alone and with another part.
func TestChosenTexts(t *testing.T) {
	none := math.Inf(-1)
	b := BlockMap{Parts: []Part{{Cells: 1}, {Group: 1, Cells: 2}, {Group: 1, Cells: 1}}, Log10: []float64{
		-1, -3, -2, none,
		-3, -4, -5, -6,
		-2, -5, -7, -0.5,
		none, -6, -0.5, math.NaN(),
	}}
	for chosen, want := range []string{"", "L1: -1.0, L2.1 -2.0", "L2.1: -4.0, L2.2 -0.5",
		"L2.2: , L2.1 -0.5", ""} {
		b.Chosen = chosen
		if got := b.chosenText(); got != want {
			t.Errorf("part %d: %q, want %q", chosen, got, want)
		}
	}
	b.Parts, b.Log10, b.Chosen = b.Parts[:1], b.Log10[:1], 1
	if got := b.chosenText(); got != "L1: -1.0" {
		t.Errorf("a single part: %q", got)
	}
}

// A shortened title keeps the part that differs from other maps.
func TestLongTitlesStayDistinct(t *testing.T) {
	m := BlockMap{Mark: "●", Title: "mean-field seed 12", Step: "at step 290",
		Parts: []Part{{Size: 2, Cells: 2}}, Log10: make([]float64, 4)}
	title, _, _ := strings.Cut(golden.Text(m, canvas.Style{}, 15, 8), "\n")
	if !strings.Contains(title, "s12") {
		t.Errorf("the title is %q", title)
	}
}

// BenchmarkBlockMap draws a map of 400 x 400 cells in 24-bit colour.
func BenchmarkBlockMap(b *testing.B) {
	m := demoMap([]int{8, 8, 1}, 24, starBlocks(8, 16))
	b.ReportAllocs()
	for b.Loop() {
		m.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 120, 40)
	}
}
