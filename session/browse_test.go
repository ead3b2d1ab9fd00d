package session

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRunsAndOpen(t *testing.T) {
	w := newWorld(t)
	if list, err := Runs(); err != nil || len(list) != 0 {
		t.Fatalf("an empty folder: %v, %v", list, err)
	}
	ended := w.start(t, config())
	end := wait(t, ended, StopSteps)

	w.pass(2 * time.Second)
	w.onStep = func(step int) error {
		if step == 30 {
			return errors.New("bad luck")
		}
		return nil
	}
	failed := w.start(t, config())
	wait(t, failed, StopFailed)

	w.pass(2 * time.Second)
	resting := make(chan struct{})
	var alive *Run
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == 25 {
			alive.Pause()
			close(resting)
		}
		return nil
	}
	alive = w.start(t, config())
	close(started)
	<-resting

	parent := filepath.Dir(ended.Dir())
	died := filepath.Join(parent, "19990101-000000-line-fake-dead")
	copyDir(t, failed.Dir(), died)
	if err := os.Remove(filepath.Join(died, summaryName)); err != nil {
		t.Fatal(err)
	}
	tear(t, died)
	broken := filepath.Join(parent, "20000101-broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, configName), []byte("{\"format\": 1"), 0o644); err != nil {
		t.Fatal(err)
	}

	list, err := Runs()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		state     RunState
		step      int
		resumable bool
	}{
		ended.ID():            {RunEnded, 60, false},
		failed.ID():           {RunEnded, 29, true},
		alive.ID():            {RunRunning, 20, false},
		filepath.Base(died):   {RunInterrupted, 20, true},
		filepath.Base(broken): {RunBroken, 0, false},
	}
	if len(list) != len(want) {
		t.Fatalf("%d runs, want %d", len(list), len(want))
	}
	for _, info := range list {
		x := want[info.ID]
		if info.State != x.state || info.Step != x.step || info.Resumable != x.resumable || (info.Err != nil) != (x.state == RunBroken) {
			t.Errorf("%s: state %s, step %d, resumable %v, error %v; want %+v", info.ID, info.State, info.Step, info.Resumable, info.Err, x)
		}
		if info.State != RunBroken && (info.Steps != 60 || info.Config.Family != "fake") {
			t.Errorf("%s: %+v", info.ID, info)
		}
	}
	alive.Stop()
	alive.Wait()

	record, err := Open(ended.ID())
	if err != nil {
		t.Fatal(err)
	}
	s := record.Snapshot()
	if s.Stop != StopSteps || s.Test == nil || *s.Test.RMSE != *end.Test.RMSE || s.BestVal != end.BestVal || s.N != end.N ||
		len(s.Curve) != len(end.Curve) || s.CheckpointStep != 60 || s.Hyper[0].Value[0] != end.Hyper[0].Value[0] {
		t.Errorf("recorded %+v\nlive %+v", s, end)
	}
	if r, err := Open("20000101"); err != nil || r.State != RunBroken || strings.Contains(r.Err.Error(), "\n") {
		t.Errorf("broken: %+v, %v", r, err)
	}
	if r, err := Open("1999"); err != nil || r.State != RunInterrupted || r.Snapshot().Step != 20 || math.IsNaN(r.Snapshot().BestVal) {
		t.Errorf("died: %+v, %v", r, err)
	}
	for _, id := range []string{"", "2", "nothing", "../x", "."} {
		if _, err := Open(id); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
}

func TestRunsDir(t *testing.T) {
	tests := []struct{ runs, data, home, want string }{
		{"/a", "/b", "/h", "/a"},
		{"", "/b", "/h", "/b/dgplab/runs"},
		{"", "", "/h", "/h/.local/share/dgplab/runs"},
		{"", "relative", "/h", "/h/.local/share/dgplab/runs"},
	}
	for _, tt := range tests {
		t.Setenv("DGPLAB_RUNS", tt.runs)
		t.Setenv("XDG_DATA_HOME", tt.data)
		t.Setenv("HOME", tt.home)
		if got, err := RunsDir(); err != nil || got != tt.want {
			t.Errorf("%+v: %s, %v", tt, got, err)
		}
	}
}

func TestIDs(t *testing.T) {
	now := time.Date(2025, 1, 2, 15, 4, 5, 0, time.UTC)
	tests := []struct{ dataset, want string }{
		{"boston", "20250102-150405-boston-star-"},
		{"/data/My Table (2).csv.gz", "20250102-150405-my-table-2-star-"},
		{"/data/日本.csv", "20250102-150405-data-star-"},
		{"../a_very_long_name_of_a_file_that_goes_on.csv", "20250102-150405-a_very_long_name_of_a_fi-star-"},
	}
	for _, tt := range tests {
		got := newID(Config{Dataset: tt.dataset, Family: "star"}, now)
		if !strings.HasPrefix(got, tt.want) || len(got) != len(tt.want)+6 {
			t.Errorf("%s: %s, want %s......", tt.dataset, got, tt.want)
		}
	}
}
