package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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
	c.summarise([]float64{2, 4, 3, 9}, 1, 10, 100)
	if c.Steps != 4 || c.Median != 3500 || c.Min != 2000 || c.Allocs != 2.5 || c.Bytes != 25 {
		t.Errorf("got %+v", c)
	}
	if seconds := 3.5; c.GFLOPS != Measure(6e9/seconds/giga) {
		t.Errorf("rate %v; want %v", c.GFLOPS, 6/seconds)
	}
	// Steps that differ are joined in cycles; the last step is incomplete.
	c.summarise([]float64{1, 5, 2, 8, 7}, 2, 0, 0)
	if c.Steps != 5 || c.Median != 4000 || c.Min != 3000 || c.GFLOPS != Measure(1.5) {
		t.Errorf("got %+v", c)
	}
	c = newCell(job{})
	c.summarise([]float64{1}, 1, 0, 0)
	if c.GFLOPS.Known() || c.Allocs != 0 {
		t.Errorf("%+v for unknown operations", c)
	}
}

// Times are compared with the floor, and processor times with the floor on all cores.
func TestRatiosToTheFloor(t *testing.T) {
	c := Cell{Median: 6, Min: 5, CPU: 16, Floor: 4}
	if c.Ratio() != 1.5 || c.CPURatio(2) != 2 {
		t.Errorf("ratios %v and %v", c.Ratio(), c.CPURatio(2))
	}
}

// Numbers in JSON have the precision of the measurement; missing numbers are null.
func TestCellJSON(t *testing.T) {
	c := newCell(job{Setting: Setting{Family: "star"}})
	c.Steps = 3
	c.FLOPs = 83123456
	c.Median = 1234.56789
	c.Allocs = 0
	text, err := json.Marshal(c)
	want := `{"steps":3,"ms_floor":null,"ms_median":1234.57,"ms_min":null,"ms_cpu":null,` +
		`"flops_per_step":83123456,"gflops":null,"peak_share":null,"allocs_per_step":0,"bytes_per_step":null}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func TestPeak(t *testing.T) {
	cases := []struct {
		peak   Peak
		best   Rate
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
		t.Errorf("share of an unknown peak %v", got)
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
	// The values are 1, e and e^2; the logarithms of the times are 0, 0 and 3. The least-squares line has
	// slope 1.5 (sum of products 3, sum of squares 2).
	if got := powerLaw([]float64{1, math.E, math.E * math.E},
		[]float64{1, 1, math.Exp(3)}); math.Abs(got-1.5) > 1e-12 {
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

// axes holds the axes of the cells below.
var axes = []string{"inducing", "layers", "width", "kernel"}

// at returns a setting from words such as inducing=32.
func at(family, words string) Setting {
	s := Setting{Family: family}
	for word := range strings.FieldsSeq(words) {
		name, text, _ := strings.Cut(word, "=")
		s.Values = append(s.Values, Value{name, text})
	}
	return s
}

// powerCells returns a sweep with times and operations that are exact power laws.
func powerCells(family string, m, l, tau float64) []Cell {
	var cells []Cell
	for _, width := range []float64{2, 5} {
		for _, layers := range []float64{2, 3, 5} {
			for _, inducing := range []float64{32, 64, 256} {
				time := math.Pow(inducing, m) * math.Pow(layers, l) * math.Pow(width, tau)
				cells = append(cells, Cell{
					Setting: at(family, fmt.Sprint("inducing=",
						inducing, " layers=", layers, " width=", width, " kernel=rbf")),
					Median: Measure(1e-3 * time), FLOPs: Count(10 * time * time),
				})
			}
		}
	}
	return cells
}

func TestScaling(t *testing.T) {
	cells := append(powerCells("star", 1.7, 1.9, 0.8), powerCells("chain", 2, 1, 1)...)
	want := []Exponent{
		{"star", "inducing", []float64{32, 64, 256}, 1.7, 3.4, 2},
		{"star", "layers", []float64{2, 3, 5}, 1.9, 3.8, 2},
		{"star", "width", []float64{2, 5}, 0.8, 1.6, 1},
		{"chain", "inducing", []float64{32, 64, 256}, 2, 4, 0},
		{"chain", "layers", []float64{2, 3, 5}, 1, 2, 0},
		{"chain", "width", []float64{2, 5}, 1, 2, 0},
	}
	got := Scaling(cells, axes)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Family != w.Family || g.Axis != w.Axis ||
			!slices.Equal(g.Values, w.Values) || g.Theory != w.Theory ||
			math.Abs(float64(g.Time-w.Time)) > 1e-12 || math.Abs(float64(g.Operations-w.Operations)) > 1e-12 {
			t.Errorf("got %+v; want %+v", g, w)
		}
	}
}

// If settings differ in growth, the exponent is the mean.
func TestScalingAverages(t *testing.T) {
	cell := func(m, width int, time Measure) Cell {
		return Cell{Setting: at("star", fmt.Sprint("inducing=", m, " layers=3 width=", width)), Median: time}
	}
	got := Scaling([]Cell{cell(10, 2, 1), cell(100, 2, 10), cell(10, 4, 1), cell(100, 4, 1000)}, axes)
	if len(got) != 2 || math.Abs(float64(got[0].Time-2)) > 1e-12 || got[0].Operations.Known() {
		t.Errorf("got %+v", got)
	}
}

// Scaling ignores a failed cell, a model without hidden layers, and a value that is a list. Each axis is left
// with a single value.
func TestScalingLeavesOut(t *testing.T) {
	cells := []Cell{
		{Setting: at("star", "inducing=10 layers=2 width=3"), Median: 1},
		{Setting: at("star", "inducing=20 layers=2 width=3"), Err: errors.New("no")},
		{Setting: at("star", "inducing=10 layers=1"), Median: 1},
		{Setting: at("star", "inducing=20,10 layers=2 width=3"), Median: 1},
	}
	if got := Scaling(cells, axes); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := Scaling(nil, axes); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
