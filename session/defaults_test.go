package session

import (
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// The defaults that a family declares for training settings are applied.
func TestFamilyDefaults(t *testing.T) {
	w := newWorld(t)
	w.training = map[string]family.Default{"steps": {Value: "7", Source: "a page"}}
	c := fakeConfig()
	delete(c.Set, "steps")
	if s := wait(t, w.start(t, c), rundir.StopSteps); s.Step != 7 || s.Values["steps"] != "7" {
		t.Errorf("%d steps, %v", s.Step, s.Values)
	}
	spec, _ := w.environment().Family("fake")
	fields := config.Fields(spec)
	if h := fields[slices.Index(family.Names(fields), "steps")]; h.Default != "7" || h.Source != "a page" {
		t.Errorf("%+v", h)
	}
}
