package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// A fork without changes trains the same model, even if defaults have changed since.
func TestForkAndParent(t *testing.T) {
	w := newWorld(t)
	first := wait(t, w.start(t, fakeConfig("rate=0.02")), rundir.StopSteps)
	info, err := rundir.Find(first.ID)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.environment().Fork(info, map[string]string{"seed": " 5", "split": "interpolation:1"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Seed != 5 || c.Split != "interpolation:1" || c.Dataset != "line" || c.Set["rate"] != "0.02" ||
		!maps.Equal(c.Set, map[string]string(first.Values)) {
		t.Errorf("%+v", c)
	}
	if info.Config.Seed != 3 || len(info.Config.Set) != 2 {
		t.Errorf("the old configuration was changed: %+v", info.Config)
	}
	again, err := w.environment().Fork(info, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := Start(context.Background(), again, withEnvironment(w.environment()), WithParent(info.ID))
	if err != nil {
		t.Fatal(err)
	}
	second := wait(t, run, rundir.StopSteps)
	if *second.Test.RMSE != *first.Test.RMSE || fmt.Sprint(second.Last) != fmt.Sprint(first.Last) {
		t.Errorf("the fork differs: %+v, %+v", second.Last, first.Last)
	}
	if child, err := rundir.Find(run.ID()); err != nil || child.Parent != info.ID {
		t.Errorf("parent %q, %v; want %q", child.Parent, err, info.ID)
	}
	var value *models.ValueError
	for name, text := range map[string]string{
		"seed": "-1", "rate": "7", "unheard": "1", "targets": `"a`, "steps": "few",
	} {
		if _, err := w.environment().Fork(info, map[string]string{
			name: text,
		}); !errors.As(err, &value) || value.Name != name {
			t.Errorf("%s=%s: %v", name, text, err)
		}
	}
	for name, text := range map[string]string{"dataset": "curve", "family": "fakes", "split": "half"} {
		if _, err := w.environment().Fork(info, map[string]string{name: text}); err == nil {
			t.Errorf("%s=%s is accepted", name, text)
		}
	}
}
