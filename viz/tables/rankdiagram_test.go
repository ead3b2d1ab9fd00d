package tables

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

// demoRanks returns five methods in two groups: the first two and the last three.
func demoRanks() RankDiagram {
	return RankDiagram{
		Labels: []string{"mean-field", "stripes-and-arrow", "fully-coupled", "svgp", "chain"},
		Ranks:  []float64{2.9, 1.2, 2.6, 4.3, 4},
		CD:     1.93, Groups: [][]int{{1, 2, 0}, {2, 0, 4, 3}}, Note: "Friedman p 6.6e-05, 10 blocks",
	}
}

// A diagram has its axis, the marks of the methods, the bars of the groups, the ruler and the note.
func TestRankDiagram(t *testing.T) { golden.CheckPicture(t, "ranks", demoRanks(), 80, 9) }

// Without ranks, a diagram shows a message. It marks an unknown rank with a cross, and cuts a critical
// difference that is wider than the axis.
func TestUnusualRankDiagrams(t *testing.T) {
	golden.CheckMessage(t, RankDiagram{}, "no ranks")
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		diagram RankDiagram
		want    []string
	}{
		{"a rank that is not known", RankDiagram{Labels: []string{"x", "y"}, Ranks: []float64{2, nan},
			CD: nan, Note: "one block"}, []string{"x  2.00", "y   NaN", "×", "one block"}},
		{"one method", RankDiagram{Labels: []string{"alone"}, Ranks: []float64{1}},
			[]string{"alone  1.00  ●··"}},
		{"equal ranks", RankDiagram{Labels: []string{"a", "b"}, Ranks: []float64{1.5, 1.5}, CD: 0.6,
			Groups: [][]int{{0, 1}}}, []string{"a   1.50", "b   1.50", "CD  0.60  ├──"}},
		{"a difference wider than the axis", RankDiagram{Labels: []string{"a", "b", "c"},
			Ranks: []float64{1, 2, 3}, CD: 5, Groups: [][]int{{0, 1, 2}}}, []string{"CD  5.00  ├──", "──…"}},
	} {
		text := golden.Text(c.diagram, canvas.Style{}, 60, 9)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		golden.CheckBoxes(t, c.diagram)
	}
}

func TestCriticalDifferenceOrder(t *testing.T) {
	c := RankDiagram{Labels: []string{"a", "b", "c", "d"},
		Ranks: []float64{3, math.NaN(), 1, math.Inf(-1), 9}}
	if got := c.order(); !slices.Equal(got, []int{2, 0, 1, 3}) {
		t.Errorf("order %v", got)
	}
	if lo, hi := c.axisEnds(); lo != 1 || hi != 4 {
		t.Errorf("range %v to %v", lo, hi)
	}
	c.Ranks[0] = 7
	if lo, hi := c.axisEnds(); lo != 1 || hi != 7 {
		t.Errorf("range %v to %v", lo, hi)
	}
}

// Marks are drawn at their ranks, and the ruler has the length of the critical difference.
func TestCriticalDifferenceIsToScale(t *testing.T) {
	c := demoRanks()
	c.Note = ""
	lines := c.Render(canvas.Style{ASCII: true}, 100, 8)
	one := strings.Index(lines[0], "1")
	five := strings.Index(lines[0], "5")
	at := func(rank float64) float64 { return float64(one) + (rank-1)/4*float64(five-one) }
	if got := strings.Index(lines[2],
		canvas.Style{ASCII: true}.RunMarker(1)+"."); math.Abs(float64(got)-at(1.2)) > 1 {
		t.Errorf("rank 1.2 is at column %d, should be at %.1f:\n%s", got, at(1.2), strings.Join(lines, "\n"))
	}
	// below five methods and the axis
	ruler := strings.LastIndex(lines[7], "+") - strings.Index(lines[7], "+")
	if want := 1.93 / 4 * float64(five-one); math.Abs(float64(ruler)-want) > 1 {
		t.Errorf("the ruler is %d long, should be %.1f", ruler, want)
	}
}

func FuzzCriticalDifference(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		c := RankDiagram{Ranks: d.Floats(20), CD: d.Float(), Note: d.Text()}
		for range d.Byte() % 20 {
			c.Labels = append(c.Labels, d.Text())
		}
		for range d.Byte() % 6 {
			var group []int
			for range d.Byte() % 6 {
				group = append(group, int(int8(d.Byte())))
			}
			c.Groups = append(c.Groups, group)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, c.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

// Names in a figure are never cut: a long name has several lines.
func TestLongNamesAreWhole(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("width=5,5 ", 12))
	c := RankDiagram{Labels: []string{long, "star"}, Ranks: []float64{1, 2}}
	f, err := c.Figure(figure.Options{Width: figure.ColumnWidth})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Write(&b, figure.SVG); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "width=5,5"); n != 12 || strings.Contains(b.String(), "…") {
		t.Errorf("the figure has %d of the 12 words of the name:\n%s", n, b.String())
	}
}
