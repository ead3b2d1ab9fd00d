package curves

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/chart"
)

func TestLinesAreCutWhereTheyLeaveTheAxis(t *testing.T) {
	for name, c := range map[string]struct {
		line []chart.XY
		want [][]chart.XY
	}{
		"within": {[]chart.XY{{X: 0, Y: 0}, {X: 1, Y: 1}},
			[][]chart.XY{{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		"from below": {[]chart.XY{{X: 0, Y: -1}, {X: 1, Y: 1}},
			[][]chart.XY{{{X: 0.5, Y: 0}, {X: 1, Y: 1}}}},
		"below and back": {[]chart.XY{{X: 0, Y: 1}, {X: 1, Y: -1}, {X: 2, Y: 1}},
			[][]chart.XY{{{X: 0, Y: 1}, {X: 0.5, Y: 0}}, {{X: 1.5, Y: 0}, {X: 2, Y: 1}}}},
		"right through": {[]chart.XY{{X: 0, Y: -1}, {X: 4, Y: 3}},
			[][]chart.XY{{{X: 1, Y: 0}, {X: 3, Y: 2}}}},
		"all outside":       {[]chart.XY{{X: 0, Y: -1}, {X: 1, Y: -1}}, nil},
		"one point":         {[]chart.XY{{X: 0, Y: 1}}, [][]chart.XY{{{X: 0, Y: 1}}}},
		"one point outside": {[]chart.XY{{X: 0, Y: 3}}, nil},
		"along the edge": {[]chart.XY{{X: 0, Y: 0}, {X: 1, Y: 0}},
			[][]chart.XY{{{X: 0, Y: 0}, {X: 1, Y: 0}}}},
		"upright, through": {[]chart.XY{{X: 1, Y: -1}, {X: 1, Y: 3}},
			[][]chart.XY{{{X: 1, Y: 0}, {X: 1, Y: 2}}}},
		"beyond all numbers": {[]chart.XY{{X: 0, Y: -1.7e308}, {X: 1, Y: 1.7e308}},
			[][]chart.XY{{{X: 0.5, Y: 0}, {X: 0.5, Y: 2}}}},
	} {
		if got := cutHeight(c.line, 0, 2); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A line that comes from far below starts at the edge instead of running along it.
func TestChartExcludesOutside(t *testing.T) {
	y := make([]float64, 200)
	for i := range y {
		y[i] = -1000 / float64(1+i)
	}
	out := Curve{Series: []Series{{Y: y}}, Smoothing: 0.9, Range: Recent}.Chart(100, 5, 5)
	if !strings.Contains(out.XName, "raw below") ||
		strings.Contains(out.XName, "above") || len(out.Marks) != 2 {
		t.Fatalf("%q, %d lines", out.XName, len(out.Marks))
	}
	for i, what := range []string{"raw", "smoothed"} {
		edge := 0
		for _, p := range out.Marks[i].(chart.Line).XY {
			if p.Y <= out.Y.Lo {
				edge++
			}
		}
		if edge != 1 {
			t.Errorf("%s: %d points at the edge, want the crossing alone", what, edge)
		}
	}
}

// TestMeansOfFewPointsToAColumn counts the points of means with more columns than points.
func TestMeansOfFewPointsToAColumn(t *testing.T) {
	const n, w = 500, 800
	y := make([]float64, n)
	for i := range n {
		y[i] = float64(i)
	}
	c := Prepare(nil, y, 0).bin(0, n-1, w)
	c.condense(figureMeans)
	if c.meanOf < meanPoints-1 || c.meanOf > meanPoints+1 {
		t.Errorf("means of about %d points", c.meanOf)
	}
	first := c.mean[0].last // the mean of half the points and one
	if of := 2*first + 1; math.Abs(of-float64(c.meanOf)/2) > 1.5 {
		t.Errorf("the first mean is of %g points, others are said to be of %d", of, c.meanOf)
	}
}

// TestChartOfManyPointsIsMeans draws noise with many and with few points for a figure. The line
// of many runs through means, which vary less than the raw values.
func TestChartOfManyPointsIsMeans(t *testing.T) {
	for n, want := range map[int]bool{500: true, 100: false} {
		y := make([]float64, n)
		for i := range y {
			y[i] = math.Sin(float64(i * i))
		}
		for _, means := range []bool{true, false} {
			out := Curve{Series: []Series{{Label: "a", Y: y}}, Means: means}.Chart(800, 5, 5)
			if got := len(out.Marks) == 2; got != (want && means) {
				t.Errorf("%d points, means %v: a line of means is %v", n, means, got)
			}
			for _, m := range out.Marks[1:] {
				line := m.(chart.Line)
				if !strings.HasPrefix(line.Name, "a, means of about ") {
					t.Errorf("the line is named %q", line.Name)
				}
				for _, p := range line.XY {
					if math.Abs(p.Y) > 0.9 {
						t.Errorf("a mean of noise is %g", p.Y)
					}
				}
			}
		}
	}
}
