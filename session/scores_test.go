package session

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// A validation updates the best value. A failed one warns and returns NaN.
func TestValidate(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	tr.probe.Data.Validation = tr.probe.Data.Train
	tr.ValidationSamples = 5
	tr.progress.BestVal, tr.progress.Early = rundir.Number(nan), &rundir.EarlyStopping{Every: 10}
	got, err := tr.validate(t.Context(), 10)
	if err != nil || math.IsNaN(got) || float64(tr.progress.BestVal) != got || tr.progress.BestStep != 10 {
		t.Errorf("validation %v, %v; best %v at %d", got, err, tr.progress.BestVal, tr.progress.BestStep)
	}
	w.predictErr = errors.New("not positive definite")
	if got, _ := tr.validate(t.Context(), 30); !math.IsNaN(got) || len(tr.warnings.view()) != 1 {
		t.Errorf("a failed validation returns %v, warnings %q", got, tr.warnings.view())
	}
}

// A higher validation replaces the best one. For a sampler every validation does.
func TestReplacesBest(t *testing.T) {
	sampler := family.Objective{Kind: family.LogJoint}
	for _, c := range []struct {
		o           family.Objective
		best, value float64
		want        bool
	}{
		{fakeSpec.Objective, nan, -3, true}, {fakeSpec.Objective, -3, -2, true},
		{fakeSpec.Objective, -2, -3, false}, {fakeSpec.Objective, -2, nan, false},
		{fakeSpec.Objective, nan, nan, false}, {sampler, -2, -3, true}, {sampler, -2, nan, false},
	} {
		if got := replacesBest(c.o, c.best, c.value); got != c.want {
			t.Errorf("%s: %v after %v: %v", c.o.Kind, c.value, c.best, got)
		}
	}
}

// The peak memory is that of the model, the copies of the data and of the kept state, and the inputs of
// predictions.
func TestMemoryOf(t *testing.T) {
	points, _ := family.PredictionSize(10)
	data := 8 * (3*10 + 1.3*points) * 3
	r := &config.Resolved{}
	for _, c := range []struct {
		size       models.Size
		keep       bool
		validation int
		model      float64
	}{
		{models.Size{Memory: 1000, Parameters: 100}, false, 5, 1000},
		{models.Size{Memory: 1000, Parameters: 100}, true, 0, 1000},
		{models.Size{Memory: 1000, Parameters: 100}, true, 1, 1000 + 8*3*100},
		{models.Size{Parameters: 100}, false, 0, 8 * 4 * 100},
	} {
		r.KeepBest = c.keep
		if got := memoryOf(r, c.size, 10, 3, c.validation); math.Abs(got-c.model-data) > 1e-9 {
			t.Errorf("%+v: %v bytes, want %v", c, got, c.model+data)
		}
	}
}

// A checkpoint is due after a number of steps or seconds, either of which can be disabled.
func TestCheckpointsAreDue(t *testing.T) {
	s := store{seconds: 10}
	for _, c := range []struct {
		every   int
		wait    float64
		step    int
		seconds float64
		due     bool
	}{
		{100, 0, 200, 99, true}, {100, 0, 201, 99, false}, {0, 0, 200, 99, false},
		{0, 60, 7, 70, true}, {0, 60, 7, 69.9, false}, {100, 60, 201, 70, true},
	} {
		set := config.Settings{CheckpointEvery: c.every, CheckpointSeconds: c.wait}
		if got := s.due(rundir.Progress{Step: c.step, Seconds: c.seconds}, set); got != c.due {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// timed is a fake model whose steps can be timed by part.
type timed struct {
	*fakeModel
	requests int
}

func (m *timed) TimeNextStep(func() time.Duration) { m.requests++ }

// The steps 2 to 9 and every 25th step are timed by part.
func TestStepsTimedByPart(t *testing.T) {
	tr := onPlane(newWorld(t))
	m := &timed{fakeModel: tr.probe.Model.(*fakeModel)}
	tr.probe.Model = m
	var steps []int
	for step := 1; step <= 51; step++ {
		tr.progress.Step = step - 1
		before := m.requests
		tr.timeStep()
		if m.requests > before {
			steps = append(steps, step)
		}
	}
	if want := []int{2, 3, 4, 5, 6, 7, 8, 9, 25, 50}; !slices.Equal(steps, want) {
		t.Errorf("timed the steps %v, want %v", steps, want)
	}
}
