package session

import (
	"math"
	"math/rand/v2"
	"reflect"
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
