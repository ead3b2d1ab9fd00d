package bench

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	cases := []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{4, 1}, 2.5},
		{[]float64{5, 100, 1}, 5},
		{[]float64{4, 2, 3, 1}, 2.5},
	}
	for _, c := range cases {
		before := slices.Clone(c.values)
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v; want %v", c.values, got, c.want)
		}
		if !slices.Equal(c.values, before) {
			t.Errorf("%v was reordered to %v", before, c.values)
		}
	}
}

func TestSummarise(t *testing.T) {
	c := Cell{FLOPs: 6e9}
	c.summarise([]float64{2, 4, 3, 9}, 10, 100)
	if c.Steps != 4 || c.Median != 3.5 || c.Min != 2 || c.Allocs != 2.5 || c.Bytes != 25 {
		t.Errorf("got %+v", c)
	}
	if got, want := c.Rate(), 6e9/3.5; got != want {
		t.Errorf("rate %v; want %v", got, want)
	}
	c.Err = errors.New("no")
	if c.Rate() != 0 || (Cell{FLOPs: 1}).Rate() != 0 {
		t.Error("a rate without a time")
	}
}

func TestPeak(t *testing.T) {
	cases := []struct {
		peak   Peak
		best   float64
		steady bool
	}{
		{Peak{}, 0, true},
		{Peak{Before: 50}, 50, true},
		{Peak{Before: 100, After: 91}, 100, true},
		{Peak{Before: 91, After: 100}, 100, true},
		{Peak{Before: 100, After: 89}, 100, false},
		{Peak{Before: 89, After: 100}, 100, false},
	}
	for _, c := range cases {
		if c.peak.Best() != c.best || c.peak.Steady() != c.steady {
			t.Errorf("%+v: best %v, steady %v", c.peak, c.peak.Best(), c.peak.Steady())
		}
	}
	if got := (Peak{Before: 100, After: 80}).Share(40); got != 0.4 {
		t.Errorf("share %v", got)
	}
	if got := (Peak{}).Share(40); got != 0 {
		t.Errorf("share of no peak %v", got)
	}
}

func TestPowerLaw(t *testing.T) {
	for _, p := range []float64{-1, 0, 0.5, 1, 2, 3} {
		x := []float64{32, 64, 128, 200}
		var y []float64
		for _, v := range x {
			y = append(y, 0.037*math.Pow(v, p))
		}
		if got := powerLaw(x, y); math.Abs(got-p) > 1e-12 {
			t.Errorf("exponent %v; want %v", got, p)
		}
	}
	// Values 1, e and e^2 with logarithms 0, 0 and 3: the line of least squares
	// has slope 1.5 (sum of products 3, of squares 2).
	if got := powerLaw([]float64{1, math.E, math.E * math.E}, []float64{1, 1, math.Exp(3)}); math.Abs(got-1.5) > 1e-12 {
		t.Errorf("exponent %v; want 1.5", got)
	}
	for name, y := range map[string][]float64{"zero": {0, 0}, "a zero": {0, 1}, "negative": {-1, 1}} {
		if got := powerLaw([]float64{2, 4}, y); !math.IsNaN(got) {
			t.Errorf("%s: exponent %v", name, got)
		}
	}
	if got := powerLaw([]float64{2, 2}, []float64{1, 3}); !math.IsNaN(got) {
		t.Errorf("equal x: exponent %v", got)
	}
}

// powerCells returns a sweep whose times are an exact power law, and whose
// operations are another.
func powerCells(family string, m, l, tau float64) []Cell {
	var cells []Cell
	for _, width := range []int{2, 5} {
		for _, layers := range []int{2, 3, 5} {
			for _, inducing := range []int{32, 64, 256} {
				time := math.Pow(float64(inducing), m) * math.Pow(float64(layers), l) * math.Pow(float64(width), tau)
				cells = append(cells, Cell{
					Setting: Setting{Family: family, Inducing: inducing, Layers: layers, Width: width},
					Median:  1e-6 * time, FLOPs: 10 * time * time,
				})
			}
		}
	}
	return cells
}

func TestScaling(t *testing.T) {
	cells := append(powerCells("star", 1.7, 1.9, 0.8), powerCells("chain", 2, 1, 1)...)
	want := []Exponent{
		{"star", Inducing, []int{32, 64, 256}, 1.7, 3.4, 2},
		{"star", Layers, []int{2, 3, 5}, 1.9, 3.8, 2},
		{"star", Width, []int{2, 5}, 0.8, 1.6, 1},
		{"chain", Inducing, []int{32, 64, 256}, 2, 4, 0},
		{"chain", Layers, []int{2, 3, 5}, 1, 2, 0},
		{"chain", Width, []int{2, 5}, 1, 2, 0},
	}
	got := Scaling(cells)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Family != w.Family || g.Axis != w.Axis || !slices.Equal(g.Values, w.Values) || g.Theory != w.Theory ||
			math.Abs(g.Time-w.Time) > 1e-12 || math.Abs(g.Operations-w.Operations) > 1e-12 {
			t.Errorf("got %+v; want %+v", g, w)
		}
	}
}

// TestScalingAverages has two settings that grow differently: the exponent is
// the mean of theirs.
func TestScalingAverages(t *testing.T) {
	cell := func(m, width int, time float64) Cell {
		return Cell{Setting: Setting{Family: "star", Inducing: m, Layers: 3, Width: width}, Median: time}
	}
	got := Scaling([]Cell{cell(10, 2, 1), cell(100, 2, 10), cell(10, 4, 1), cell(100, 4, 1000)})
	if len(got) != 2 || math.Abs(got[0].Time-2) > 1e-12 || !math.IsNaN(got[0].Operations) {
		t.Errorf("got %+v", got)
	}
}

// TestScalingLeavesOut has cells that take no part: one that failed, and a model
// without hidden layers. What is left is one value on every axis.
func TestScalingLeavesOut(t *testing.T) {
	cells := []Cell{
		{Setting: Setting{Family: "star", Inducing: 10, Layers: 2, Width: 3}, Median: 1},
		{Setting: Setting{Family: "star", Inducing: 20, Layers: 2, Width: 3}, Err: errors.New("no")},
		{Setting: Setting{Family: "star", Inducing: 10, Layers: 1}, Median: 1},
	}
	if got := Scaling(cells); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := Scaling(nil); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
