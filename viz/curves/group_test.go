package curves

import (
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// The legend mentions common properties of groups once, and others for each group. Names are shortened last.
func TestLegendOfGroups(t *testing.T) {
	group := func(label string, run, n int) Group {
		g := Group{Label: label, Of: "seeds", Run: run}
		for i := range n {
			g.Members = append(g.Members, Series{X: []float64{0, 10, 20}, Y: []float64{1, float64(i + 2), 3}})
		}
		return g
	}
	same := []Group{group("mean-field", 0, 3), group("stripes-and-arrow", 1, 3)}
	for _, c := range []struct {
		groups []Group
		w      int
		want   string
	}{
		{same, 90, "● mean-field  ▲ stripes-and-arrow  mean ± s.e. of 3 seeds  smoothed 0.9"},
		{same, 64, "● mean-field  ▲ stripes-and-arrow  mean ± s.e. of 3 seeds  ~0.9"},
		{same, 48, "● mean-field  ▲ stripes-and-arrow  n=3  ~0.9"},
		{same, 36, "● mean-fie…  ▲ stripes-a…  n=3  ~0.9"},
		{[]Group{same[0], {Label: "none", Run: 1}}, 90, "● mean-field  mean ± s.e. of 3 seeds  smoothed 0.9"},
		{[]Group{group("", 0, 3), group("", 1, 2)}, 90, "mean ± s.e. of 2–3 seeds  smoothed 0.9"},
		{[]Group{same[0], group("chain", 1, 2)}, 90,
			"● mean-field  n=3  ▲ chain  n=2  mean ± s.e.  smoothed 0.9"},
	} {
		got, _, _ := strings.Cut(golden.Text(Curve{Groups: c.groups, Smoothing: 0.9},
			canvas.Style{}, c.w, 12),
			"\n")
		if strings.TrimSpace(got) != c.want {
			t.Errorf("in %d cells the legend is %q, want %q", c.w, strings.TrimSpace(got), c.want)
		}
	}
}
