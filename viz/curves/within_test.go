package curves

import (
	"slices"
	"testing"

	"dgplab/viz/axes"
)

func TestLinesAreCutWhereTheyLeaveTheAxis(t *testing.T) {
	for name, c := range map[string]struct {
		line []axes.XY
		want [][]axes.XY
	}{
		"within":            {[]axes.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}, [][]axes.XY{{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		"from below":        {[]axes.XY{{X: 0, Y: -1}, {X: 1, Y: 1}}, [][]axes.XY{{{X: 0.5, Y: 0}, {X: 1, Y: 1}}}},
		"below and back":    {[]axes.XY{{X: 0, Y: 1}, {X: 1, Y: -1}, {X: 2, Y: 1}}, [][]axes.XY{{{X: 0, Y: 1}, {X: 0.5, Y: 0}}, {{X: 1.5, Y: 0}, {X: 2, Y: 1}}}},
		"right through":     {[]axes.XY{{X: 0, Y: -1}, {X: 4, Y: 3}}, [][]axes.XY{{{X: 1, Y: 0}, {X: 3, Y: 2}}}},
		"all outside":       {[]axes.XY{{X: 0, Y: -1}, {X: 1, Y: -1}}, nil},
		"one point":         {[]axes.XY{{X: 0, Y: 1}}, [][]axes.XY{{{X: 0, Y: 1}}}},
		"one point outside": {[]axes.XY{{X: 0, Y: 3}}, nil},
		"along the edge":    {[]axes.XY{{X: 0, Y: 0}, {X: 1, Y: 0}}, [][]axes.XY{{{X: 0, Y: 0}, {X: 1, Y: 0}}}},
		"upright, through":  {[]axes.XY{{X: 1, Y: -1}, {X: 1, Y: 3}}, [][]axes.XY{{{X: 1, Y: 0}, {X: 1, Y: 2}}}},
		"beyond all numbers": {[]axes.XY{{X: 0, Y: -1.7e308}, {X: 1, Y: 1.7e308}},
			[][]axes.XY{{{X: 0.5, Y: 0}, {X: 0.5, Y: 2}}}},
	} {
		if got := cutHeight(c.line, 0, 2); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A line that comes from far below starts at the edge instead of running along it.
func TestOutlineLeavesOutWhatIsOutside(t *testing.T) {
	y := make([]float64, 200)
	for i := range y {
		y[i] = -1000 / float64(1+i)
	}
	out, ok := Curve{Series: []Series{{Y: y}}, Smoothing: 0.9, Range: Recent}.Outline(100, 5, 5)
	if !ok || out.Below == 0 || out.Above != 0 {
		t.Fatalf("%d below, %d above", out.Below, out.Above)
	}
	for what, pieces := range map[string][][]axes.XY{"raw": out.Lines[0].Raw, "smoothed": out.Lines[0].Smooth} {
		edge := 0
		for _, piece := range pieces {
			for _, p := range piece {
				if p.Y <= out.Y0 {
					edge++
				}
			}
		}
		if edge != 1 {
			t.Errorf("%s: %d points at the edge, want the crossing alone", what, edge)
		}
	}
}
