package session

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dgplab/session/rundir"
)

func wave(step int) rundir.Point {
	p := rundir.Point{Step: step, Objective: math.Sin(float64(step) / 50), ValLogLik: math.NaN()}
	if step%20 == 0 {
		p.ValLogLik = math.Cos(float64(step) / 70)
	}
	return p
}

func TestCurveIsBoundedAndKeepsExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	low := 10 * (1 + rng.IntN(4000))
	high := 10 * (1 + rng.IntN(4000))
	c := newCurve(64)
	for step := 10; step <= 40000; step += 10 {
		p := wave(step)
		if step == low {
			p.Objective = -50
		}
		if step == high {
			p.ValLogLik = 50
		}
		c.add(p)
		if len(c.points) > 64 {
			t.Fatalf("%d points at step %d", len(c.points), step)
		}
	}
	got := c.view()
	minObjective := math.Inf(1)
	maxVal := math.Inf(-1)
	for i, p := range got {
		minObjective = min(minObjective, p.Objective)
		if !math.IsNaN(p.ValLogLik) {
			maxVal = max(maxVal, p.ValLogLik)
		}
		if i > 0 && p.Step <= got[i-1].Step {
			t.Errorf("steps %d, %d are out of order", got[i-1].Step, p.Step)
		}
	}
	if minObjective != -50 || maxVal != 50 {
		t.Errorf("the extremes are %v and %v, want -50 and 50", minObjective, maxVal)
	}
	if got[len(got)-1].Step != 40000 {
		t.Errorf("last step %d", got[len(got)-1].Step)
	}
}

func TestCurveViewsAreImmutable(t *testing.T) {
	c := newCurve(32)
	var views [][]rundir.Point
	var copies [][]rundir.Point
	for step := 1; step <= 500; step++ {
		p := wave(step)
		p.ValLogLik = 0 // NaN would not compare equal.
		c.add(p)
		views = append(views, c.view())
		copies = append(copies, append([]rundir.Point(nil), c.view()...))
	}
	if !reflect.DeepEqual(views, copies) {
		t.Error("a view has changed")
	}
}

func TestCurveSurvivesNaN(t *testing.T) {
	c := newCurve(16)
	for step := range 1000 {
		c.add(rundir.Point{Step: step, Objective: math.NaN(), ValLogLik: math.Inf(-1)})
	}
	if n := len(c.view()); n == 0 || n > 16 {
		t.Errorf("%d points", n)
	}
}

// Of equal extremes the first is kept, and points without finite values count as one.
func TestExtremes(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		objective, validation []float64
		want                  []int
	}{
		{[]float64{1, 3, 0, 3, 0}, []float64{nan, nan, nan, nan, nan}, []int{1, 2}},
		{[]float64{1, 3, 0, 3, 0}, []float64{nan, 5, 9, nan, 2}, []int{1, 2, 4}},
		{[]float64{nan, math.Inf(1), nan}, []float64{nan, nan, 7}, []int{2}},
		{[]float64{nan, math.Inf(-1), nan}, []float64{nan, nan, nan}, []int{0}},
		{[]float64{2, 2, 2}, []float64{1, 1, 1}, []int{0}},
	} {
		var group []rundir.Point
		for i, v := range c.objective {
			group = append(group, rundir.Point{Step: i, Objective: v, ValLogLik: c.validation[i]})
		}
		if got := extremes(group); !slices.Equal(got, c.want) {
			t.Errorf("%v, %v: %v, want %v", c.objective, c.validation, got, c.want)
		}
	}
}

// A full curve is thinned to at most half of its capacity, in groups that double in width.
func TestThinnedCurve(t *testing.T) {
	c := newCurve(64)
	for step := range 65 {
		c.add(rundir.Point{Step: step, Objective: float64(step % 4), ValLogLik: math.NaN()})
	}
	// The groups have four steps with two extremes each, and another point follows.
	if c.width != 4 || len(c.points) != 32+1 || c.points[32].Step != 64 {
		t.Errorf("%d points in groups of %d steps: %v", len(c.points), c.width, c.points)
	}
}
