package session

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dgplab/session/memory"
	"dgplab/session/rundir"
)

// refused checks that an error says that the run does not fit into memory.
func refused(t *testing.T, err error) {
	t.Helper()
	if full := new(memory.Error); !errors.As(err, &full) || full.Need <= 0 ||
		!strings.Contains(err.Error(), "--allow-memory") {
		t.Errorf("error %v", err)
	}
}

// The error suggests a subset of the points if the family supports it.
func TestRefusalSuggestsOptions(t *testing.T) {
	for family, want := range map[string]string{
		"gprn": "the run is large (--set points=N uses N training points; --allow-memory skips " +
			"this check)",
		"svgp": "the run is large (--allow-memory skips this check)",
	} {
		r, err := realEnvironment().Resolve(rundir.Config{Dataset: "steps", Family: family})
		if err != nil {
			t.Fatal(err)
		}
		if got := refusal(r, errors.New("is large")).Error(); got != want {
			t.Errorf("%s: %s", family, got)
		}
	}
}

func TestOutOfMemoryRunFailsBeforeBuild(t *testing.T) {
	w := newWorld(t)
	w.full = true
	s := wait(t, w.start(t, fakeConfig()), rundir.StopFailed)
	refused(t, s.Err)
	if w.built != 0 || s.Stop == "" || s.Error != s.Err.Error() {
		t.Errorf("%d models were built; summary %+v", w.built, s.Summary)
	}
	r, err := Start(context.Background(), fakeConfig(), withEnvironment(w.environment()), AllowMemory())
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
}

func TestOutOfMemoryRunIsNotResumed(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	before := contents(t, end.Dir)
	w.full = true
	more := []Option{withEnvironment(w.environment()), WithSteps(80)}
	r, err := Resume(context.Background(), end.ID, more...)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, wait(t, r, rundir.StopFailed).Err)
	if after := contents(t, end.Dir); !reflect.DeepEqual(after, before) {
		t.Error("the run directory has changed")
	}
	r, err = Resume(context.Background(), end.ID, append(more, AllowMemory())...)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
}

func TestOutOfMemoryModelIsNotDiagnosed(t *testing.T) {
	w := newWorld(t)
	record, err := rundir.FindReadOnly(wait(t, w.start(t, fakeConfig()), rundir.StopSteps).ID)
	if err != nil {
		t.Fatal(err)
	}
	w.full = true
	_, err = diagnose(context.Background(), record, w.environment())
	refused(t, err)
}

func TestMemoryIsReleasedAtTheEnd(t *testing.T) {
	w := newWorld(t)
	env := w.environment()
	before := env.memory.Free()
	w.onStep = func(step int) error {
		if step == 1 && env.memory.Free() >= before {
			t.Error("no memory is reserved for a running run")
		}
		return nil
	}
	r, err := Start(context.Background(), fakeConfig(), withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	if after := env.memory.Free(); after != before {
		t.Errorf("%v bytes are free, there were %v before", after, before)
	}
}

func TestInspectRefusesOutOfMemory(t *testing.T) {
	w := newWorld(t)
	w.full = true
	env := w.environment()
	_, err := (&Inspector{env: &env}).Inspect(context.Background(), fakeConfig())
	refused(t, err)
	if _, err := (&Inspector{env: &env, AllowMemory: true}).Inspect(context.Background(),
		fakeConfig()); err != nil {
		t.Error(err)
	}
}
