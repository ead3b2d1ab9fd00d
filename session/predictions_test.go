package session

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/session/rundir"
)

// The scores computed from the file of predictions equal the scores in the summary.
func TestPredictionsOfRun(t *testing.T) {
	w := newWorld(t)
	run := w.start(t, fakeConfig())
	end := wait(t, run, rundir.StopSteps)
	record, err := rundir.FindReadOnly(run.ID())
	if err != nil {
		t.Fatal(err)
	}
	p, err := record.Predictions()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, end.Predictions) {
		t.Errorf("file:\n%+v\nsnapshot:\n%+v", p, end.Predictions)
	}
	if s := Open(record); !reflect.DeepEqual(p, s.Predictions) {
		t.Errorf("recorded snapshot: %+v", s.Predictions)
	}
	if p.N != 40 || p.Of != 40 || p.P != 1 || p.Training != 144 || p.Near != 144 ||
		p.IsClassification() || p.Rows[39] != 39 {
		t.Fatalf("%d of %d points, rows %v, %d of %d training inputs", p.N, p.Of, p.Rows, p.Near, p.Training)
	}
	logLik, squares, inside := 0.0, 0.0, 0.0
	for i := range p.N {
		logLik += p.LogLik[i] / 40
		squares += (p.Target[i] - p.Mean[i]) * (p.Target[i] - p.Mean[i]) / 40
		if p.PIT[i] >= 0.05 && p.PIT[i] <= 0.95 {
			inside += 1.0 / 40
		}
		if !(p.Variance[i] > 0) || !(p.Distance[i] > 0) {
			t.Errorf("point %d: variance %v, distance %v", i, p.Variance[i], p.Distance[i])
		}
	}
	m := end.Test
	if math.Abs(logLik-float64(m.LogLik)) > 1e-12*math.Abs(logLik) ||
		math.Abs(math.Sqrt(squares)-float64(*m.RMSE)) > 1e-12 ||
		math.Abs(inside-float64(m.Coverage["90"])) > 1e-12 {
		t.Errorf("log-likelihood %v, RMSE %v, coverage %v; in the summary %v, %v, %v",
			logLik, math.Sqrt(squares), inside, m.LogLik, *m.RMSE, m.Coverage["90"])
	}
	if data := end.Data; data.D != 3 || w.dataset().Y.At(160+7, 0) != p.Target[7]/2 {
		t.Errorf("target 7 is %v, want twice %v", p.Target[7], w.dataset().Y.At(167, 0))
	}
}

// A resumed run removes its earlier predictions.
func TestPredictionsAfterResume(t *testing.T) {
	w := newWorld(t)
	run := w.start(t, fakeConfig("keep=last"))
	first := wait(t, run, rundir.StopSteps).Predictions
	w.predictErr = errors.New("no prediction today")
	rest, err := Resume(context.Background(), run.ID(), WithSteps(70), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, rest, rundir.StopFailed); s.Predictions != nil {
		t.Error("a failed evaluation left predictions")
	}
	record, err := rundir.FindReadOnly(run.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Predictions(); err == nil || !strings.Contains(err.Error(), "not evaluated") {
		t.Errorf("the predictions at step 60 are left at step 70: %v", err)
	}
	w.predictErr = nil
	rest, err = Resume(context.Background(), run.ID(), WithSteps(70), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if p := wait(t, rest, rundir.StopSteps).Predictions; p == nil || slices.Equal(p.Mean, first.Mean) ||
		!slices.Equal(p.Distance, first.Distance) {
		t.Errorf("predictions after ten more steps: %+v", p)
	}
}

// Runs with different seeds are trained on different rows but tested on the same ones.
func TestTestDigest(t *testing.T) {
	facts := func(split string, seed uint64) rundir.DataFacts {
		ds, err := datasets.Load(context.Background(), datasets.Source{Name: "steps"})
		if err != nil {
			t.Fatal(err)
		}
		prepared, _, err := prepare(ds, division{split: split, validation: 0.1, seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return describe(ds, prepared)
	}
	a := facts("interpolation:0", 1)
	b := facts("interpolation:0", 2)
	c := facts("interpolation:1", 1)
	if a.SHA256 == b.SHA256 || a.TestSHA256 != b.TestSHA256 ||
		a.TestSHA256 == c.TestSHA256 || len(a.TestSHA256) != 64 {
		t.Errorf("seeds 1 and 2 of split 0, and split 1:\n%+v\n%+v\n%+v", a, b, c)
	}
	if !a.Equal(facts("interpolation:0", 1)) || a.Equal(b) || a.Equal(c) {
		t.Error("equal data are not Equal")
	}
}
