package session

import (
	"context"
	"errors"
	"math"
	"testing"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// estimated is a fake model that can evaluate its objective over all points.
type estimated struct {
	models.Model
	value func(seed uint64) (float64, bool, error)
}

func (e estimated) EvaluateObjective(_ context.Context, seed uint64) (float64, bool, error) {
	return e.value(seed)
}

// At the end of a run, the mean over passes and its standard error are in the summary and the
// record. Exact objectives are marked, and an evaluation that fails does not fail the run.
func TestEvaluateObjective(t *testing.T) {
	var seeds []uint64
	run := func(noisy bool, value func(seed uint64) (float64, bool, error)) *Snapshot {
		w := newWorld(t)
		env := w.environment()
		of, build := env.Family, models.Spec{}
		env.Family = func(name string) (models.Spec, error) {
			spec, err := of(name)
			build = spec
			spec.Objective.Noisy = noisy
			spec.New = func(v models.Values, d models.Data, seed uint64) (models.Model, error) {
				m, err := build.New(v, d, seed)
				return estimated{m, value}, err
			}
			return spec, err
		}
		r, err := Start(context.Background(), fakeConfig(), withEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		return wait(t, r, rundir.StopSteps)
	}
	s := run(true, func(seed uint64) (float64, bool, error) {
		seeds = append(seeds, seed)
		return float64(len(seeds) % 2), true, nil
	})
	e := s.Evaluation
	if e == nil || e.Step != 60 || e.Passes != 20 || e.Points != s.Data.N ||
		math.Abs(float64(e.Objective)-0.5) > 1e-12 || math.Abs(float64(e.SE)-math.Sqrt(0.25/19)) > 1e-12 {
		t.Fatalf("%+v", e)
	}
	if seeds[0] == seeds[1] || seeds[0] != config.Derive(3, "objective", 0) {
		t.Errorf("seeds %v", seeds)
	}
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil || *Open(record).Evaluation != *e {
		t.Errorf("%+v, %v", record, err)
	}
	if e := run(true, func(uint64) (float64, bool, error) {
		return -7, true, nil
	}).Evaluation; e == nil || e.Objective != -7 || e.SE != 0 || e.Passes != 2 {
		t.Errorf("without draws: %+v", e)
	}
	if e := run(true, func(uint64) (float64, bool, error) { return 0, false, nil }).Evaluation; e != nil {
		t.Errorf("without an evaluation: %+v", e)
	}
	failed := run(true, func(uint64) (float64, bool, error) { return 0, true, errors.New("no") })
	if failed.Evaluation != nil || failed.Test == nil ||
		failed.Warnings[len(failed.Warnings)-1] !=
			"could not evaluate the objective over all points: no" {
		t.Errorf("failed: %+v, %q", failed.Evaluation, failed.Warnings)
	}
	exact := run(false, nil)
	if e := exact.Evaluation; e == nil || !e.Exact || float64(e.Objective) != exact.Last.Objective {
		t.Errorf("exact: %+v", e)
	}
}
