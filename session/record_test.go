package session

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/session/rundir"
)

func TestRunsAndOpen(t *testing.T) {
	w := newWorld(t)
	if list, err := rundir.List(); err != nil || len(list) != 0 {
		t.Fatalf("an empty folder: %v, %v", list, err)
	}
	ended := w.start(t, fakeConfig())
	end := wait(t, ended, rundir.StopSteps)

	w.pass(2 * time.Second)
	w.onStep = func(step int) error {
		if step == 30 {
			return errors.New("bad luck")
		}
		return nil
	}
	failed := w.start(t, fakeConfig())
	wait(t, failed, rundir.StopFailed)

	w.pass(2 * time.Second)
	alive := w.startPaused(t, fakeConfig(), 25)

	parent := filepath.Dir(ended.Dir())
	died := filepath.Join(parent, "19990101-000000-line-fake-dead")
	copyDir(t, failed.Dir(), died)
	if err := os.Remove(filepath.Join(died, "summary.json")); err != nil {
		t.Fatal(err)
	}
	tear(t, died)
	broken := filepath.Join(parent, "20000101-broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "config.json"),
		[]byte("{\"format\": 1"), 0o644); err != nil {
		t.Fatal(err)
	}

	list, err := rundir.List()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		state     rundir.State
		step      int
		resumable bool
	}{
		ended.ID():            {rundir.Ended, 60, false},
		failed.ID():           {rundir.Ended, 29, true},
		alive.ID():            {rundir.Running, 20, false},
		filepath.Base(died):   {rundir.Interrupted, 20, true},
		filepath.Base(broken): {rundir.Broken, 0, false},
	}
	if len(list) != len(want) {
		t.Fatalf("%d runs, want %d", len(list), len(want))
	}
	for _, info := range list {
		x := want[info.ID]
		if info.State != x.state || info.Step != x.step || info.Resumable != x.resumable ||
			(info.Err != nil) != (x.state == rundir.Broken) {
			t.Errorf("%s: state %s, step %d, resumable %v, error %v; want %+v",
				info.ID, info.State, info.Step, info.Resumable, info.Err, x)
		}
		if info.State != rundir.Broken && (info.Steps != 60 || info.Config.Family != "fake") {
			t.Errorf("%s: %+v", info.ID, info)
		}
	}
	alive.Stop()
	alive.Wait()

	record, err := rundir.FindReadOnly(ended.ID())
	if err != nil {
		t.Fatal(err)
	}
	s := Open(record)
	if s.Stop != rundir.StopSteps || s.Test == nil || *s.Test.RMSE != *end.Test.RMSE ||
		s.BestVal != end.BestVal || s.Data.N != end.Data.N ||
		len(s.Curve) != len(end.Curve) || s.CheckpointStep != 60 ||
		s.Hyper[0].Value[0] != end.Hyper[0].Value[0] {
		t.Errorf("recorded %+v\nlive %+v", s, end)
	}
	if r, err := rundir.FindReadOnly("20000101"); err != nil || r.State != rundir.Broken ||
		strings.Contains(r.Err.Error(), "\n") {
		t.Errorf("broken: %+v, %v", r, err)
	}
	record, err = rundir.FindReadOnly("1999")
	if err != nil {
		t.Fatal(err)
	}
	s = Open(record)
	if s.State != rundir.Interrupted || s.Step != 20 || math.IsNaN(float64(s.BestVal)) {
		t.Errorf("died: %+v", s)
	}
	for _, id := range []string{"", "2", "nothing", "../x", "."} {
		if _, err := rundir.FindReadOnly(id); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("FindReadOnly(%q): %v", id, err)
		}
	}
}

// The readings of the last step agree between the run and its directory, whether or not the last
// step has a regular report line.
func TestLastReadingsOfRecord(t *testing.T) {
	w := newWorld(t)
	for _, steps := range []string{"steps=60", "steps=57"} {
		s := wait(t, w.start(t, fakeConfig(steps)), rundir.StopSteps)
		record, err := rundir.FindReadOnly(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got := Open(record).Last; !slices.Equal(got.Readings, s.Last.Readings) || got.Step != s.Step {
			t.Errorf("%s: step %d, %v, want %v", steps, got.Step, got.Readings, s.Last.Readings)
		}
	}
}
