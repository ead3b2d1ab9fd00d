package session

import (
	"errors"
	"math"
	"testing"
	"time"
)

// The steps of a run are timed with a model of its own. The result is kept for its configuration.
func TestTimeSteps(t *testing.T) {
	w := newWorld(t)
	env := w.environment()
	steps := 0
	w.onStep = func(int) error {
		steps++
		return nil
	}
	i := Inspector{env: &env}
	c := fakeConfig("steps=5000")
	for range 2 {
		got, err := i.TimeSteps(t.Context(), c)
		if err != nil || got.Steps != timedSteps || got.Converged || math.Abs(got.Seconds-0.001) > 1e-9 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if steps != timedSteps+1 {
		t.Errorf("%d steps of the model", steps)
	}
	w.stepCost = 2 * time.Second
	got, err := i.TimeSteps(t.Context(), fakeConfig("steps=4000"))
	if err != nil || got.Steps != 1 || math.Abs(got.Seconds-2) > 1e-9 {
		t.Errorf("a slow step: %+v, %v", got, err)
	}
	w.stepCost, w.convergesAt = time.Millisecond, 3
	if got, err := i.TimeSteps(t.Context(), c); err != nil || !got.Converged {
		t.Errorf("a model that converges: %+v, %v", got, err)
	}
	w.onStep = func(int) error { return errors.New("no step") }
	if _, err := i.TimeSteps(t.Context(), fakeConfig("steps=3000")); err == nil {
		t.Error("no error of the model")
	}
	w.onStep = func(int) error { panic("no step") }
	if _, err := i.TimeSteps(t.Context(), fakeConfig("steps=2000")); err == nil {
		t.Error("no error of a panic")
	}
	if _, err := i.TimeSteps(t.Context(), fakeConfig("steps=none")); err == nil {
		t.Error("an invalid run has a step time")
	}
	unusable["no model"].spoil(w)
	if _, err := i.TimeSteps(t.Context(), fakeConfig("steps=1500")); err == nil {
		t.Error("no model has a step time")
	}
	w.full = true
	if _, err := i.TimeSteps(t.Context(), fakeConfig("steps=1000")); err == nil {
		t.Error("a run that does not fit into memory has a step time")
	}
}
