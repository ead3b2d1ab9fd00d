package board

import (
	"math"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/curves"
)

// values returns the points of a prepared series.
func values(p *curves.Prepared) (x, y []float64) { return curves.Series{Prepared: p}.Points() }

// inBatches returns the summary of a run with n training points in batches.
func inBatches(n int, batch string) rundir.Summary {
	return rundir.Summary{Data: rundir.DataFacts{N: n}, Values: models.Values{"batch": batch}}
}

func TestGrowingCurve(t *testing.T) {
	all := kittest.Training(someConfig, 400).Curve
	at := func(n int) *session.Snapshot {
		return &session.Snapshot{Summary: inBatches(100, "50"), Curve: all[:n:n]}
	}
	var p growingCurve
	m := pointRule{strength: 0.9}
	first := p.take(at(100), m)
	if again := p.take(at(100), m); again != first {
		t.Error("an unchanged curve is prepared again")
	}
	grown := p.take(at(300), m)
	x, y := values(grown)
	if len(x) != 300 || x[299] != 300 || y[299] != all[299].Objective {
		t.Errorf("after growing: %d points, the last at %g", len(x), x[len(x)-1])
	}
	if x, _ := values(first); len(x) != 100 {
		t.Error("a returned series has changed")
	}
	// After thinning, or resuming from an earlier checkpoint, the points differ.
	thinned := &session.Snapshot{Summary: inBatches(100, "50"), Curve: slices.Clone(all[100:200])}
	if x, _ := values(p.take(thinned, m)); len(x) != 100 || x[0] != 101 {
		t.Errorf("after thinning: %d points from %g on", len(x), x[0])
	}
}

func TestPointRules(t *testing.T) {
	s := &session.Snapshot{Summary: inBatches(200, "50"), Curve: []rundir.Point{
		{Step: 4, Seconds: 0.5, Objective: -300, ValLogLik: math.NaN()},
		{Step: 8, Seconds: 0.9, Objective: -100, ValLogLik: -1.5},
	}}
	for _, c := range []struct {
		rule pointRule
		x, y []float64
	}{
		{pointRule{}, []float64{4, 8}, []float64{-300, -100}},
		{pointRule{x: xEpochs, perPoint: true}, []float64{1, 2}, []float64{-1.5, -0.5}},
		{pointRule{x: xTime}, []float64{0.5, 0.9}, []float64{-300, -100}},
		{pointRule{of: ofValidation, x: xEpochs}, []float64{2}, []float64{-1.5}},
	} {
		var p growingCurve
		x, y := values(p.take(s, c.rule))
		if !slices.Equal(x, c.x) || !slices.Equal(y, c.y) {
			t.Errorf("%+v: %v, %v, want %v, %v", c.rule, x, y, c.x, c.y)
		}
	}
}

// Converting a position to another axis and back returns the position.
func TestWhereRoundTrip(t *testing.T) {
	s := &session.Snapshot{
		Summary: inBatches(100, "25"),
		Curve:   []rundir.Point{{Step: 1, Seconds: 1}, {Step: 11, Seconds: 2}, {Step: 21, Seconds: 22}},
	}
	for _, c := range []struct {
		x        float64
		from, to xAxis
		want     float64
	}{
		{11, xSteps, xTime, 2}, {16, xSteps, xTime, 12}, {12, xTime, xSteps, 16}, {21, xSteps, xEpochs, 5.25},
		{22, xTime, xEpochs, 5.25},
		{1, xSteps, xTime, 1}, {99, xSteps, xTime, 22}, {-5, xTime, xSteps, 1},
	} {
		if got := where(s, c.x, c.from, c.to); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g over %s is %g over %s, want %g", c.x, c.from, got, c.to, c.want)
		}
	}
}

// A run whose data have no validation points has no validation curve, whatever its report lines say.
func TestMeasuredValidation(t *testing.T) {
	curve := []rundir.Point{{ValLogLik: math.NaN()}, {ValLogLik: -1}}
	for _, c := range []struct {
		data  rundir.DataFacts
		curve []rundir.Point
		want  bool
	}{
		{rundir.DataFacts{N: 1}, curve, false}, {rundir.DataFacts{N: 1, Validation: 1}, curve, true},
		{rundir.DataFacts{}, curve, true}, {rundir.DataFacts{}, curve[:1], false},
	} {
		s := &session.Snapshot{Summary: rundir.Summary{Data: c.data}, Curve: c.curve}
		if got := ofValidation.measured(s); got != c.want {
			t.Errorf("%+v with %d points: %v", c.data, len(c.curve), got)
		}
		if !ofObjective.measured(s) {
			t.Error("the objective is not measured")
		}
	}
}
