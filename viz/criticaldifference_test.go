package viz_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// demoRanks returns five methods in two groups.
func demoRanks() tables.RankDiagram {
	return tables.RankDiagram{
		Labels: []string{"mean-field", "stripes & arrow", "fully-coupled", "svgp",
			"chain inducing=128 width=5,5"},
		Ranks: []float64{2.9, 1.2, 2.6, 4.3, 4},
		CD:    1.93, Groups: [][]int{{1, 2, 0}, {2, 0, 4, 3}}, Note: "Friedman p 6.6e-05, 10 blocks",
	}
}

func TestCriticalDifferenceTexts(t *testing.T) {
	drawing := string(drawn(t, "ranks", figure.SVG))
	for _, w := range []string{"CD = 1.93", "stripes &amp; arrow (1.20)", "svgp (4.30)",
		"Friedman p 6.6e-05", "Average ranks"} {
		if !strings.Contains(drawing, w) {
			t.Errorf("the diagram does not contain %q", w)
		}
	}
	if two := string(drawn(t, "two ranks", figure.SVG)); !strings.Contains(two, "longer than the axis") {
		t.Error("a difference beyond the axis is not mentioned")
	}
}

// A thick line joins the lowest and the highest rank of each group.
func TestGroupsAreJoined(t *testing.T) {
	c := tables.RankDiagram{Labels: []string{"a", "b", "c", "d"}, Ranks: []float64{3, 1, 2, 4},
		Groups: [][]int{{2, 0}, {0, 3}}}
	d := draw(t, c, figure.Options{})
	at := func(rank string) float64 {
		i := slices.IndexFunc(d.texts, func(w written) bool { return w.text == rank })
		return d.texts[i].middle()
	}
	var groups [][2]float64
	for _, s := range d.shapes {
		if strings.Contains(s.style, "stroke-width:3.1181") {
			groups = append(groups, [2]float64{s.points[0].X, s.points[1].X})
		}
	}
	over := vg.Length(vg.Millimeter).Points()
	want := [][2]float64{{at("2") - over, at("3") + over}, {at("3") - over, at("4") + over}}
	if !slices.EqualFunc(groups, want, func(a, b [2]float64) bool {
		return math.Hypot(a[0]-b[0], a[1]-b[1]) < 1
	}) {
		t.Errorf("the lines are at %v, want %v", groups, want)
	}
}

// A diagram of too many methods is an error with their number.
func TestTooManyRanks(t *testing.T) {
	many := tables.RankDiagram{Labels: make([]string, 50), Ranks: make([]float64, 50)}
	checkRefused(t, "50 methods", many, "50")
}
