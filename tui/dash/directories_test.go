package dash

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// TestDirectories watches a run directory until the run has ended.
func TestDirectories(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	run, err := session.Start(context.Background(), rundir.Config{Dataset: "steps", Family: "svgp",
		Set: map[string]string{
			"steps": "30", "inducing": "5", "validation_every": "10", "test_samples": "2",
		}})
	if err != nil {
		t.Fatal(err)
	}
	run.Wait()
	r, err := Directories{}.Open(run.ID())
	if err != nil {
		t.Fatal(err)
	}
	if suggested, err := (Directories{}).Suggest(t.Context(), run.ID()); err != nil || suggested == nil {
		t.Errorf("no suggestions: %v", err)
	}
	if inside, err := (Directories{}).Diagnose(t.Context(), run.ID()); err != nil || inside.Step != 30 {
		t.Errorf("no diagnostics: %v", err)
	}
	_, unknown := Directories{}.Open("none")
	_, undiagnosed := Directories{}.Diagnose(t.Context(), "none")
	_, unsuggested := Directories{}.Suggest(t.Context(), "none")
	for _, err := range []error{unknown, undiagnosed, unsuggested} {
		if !errors.Is(err, rundir.ErrNoRun) {
			t.Errorf("a run that does not exist: %v", err)
		}
	}
	s, err := r.Latest()
	if err != nil {
		t.Fatal(err)
	}
	want := run.Latest()
	if s.State.Going() || s.Stop != rundir.StopSteps ||
		len(s.Curve) != len(want.Curve) || s.Test == nil {
		t.Errorf("read state %s, %s, %d points", s.State, s.Stop, len(s.Curve))
	}
	if (s.Diagnostics == nil) != (want.Diagnostics == nil) {
		t.Errorf("diagnostics: read %v, had %v", s.Diagnostics != nil, want.Diagnostics != nil)
	}
	if again, err := r.Latest(); err != nil || again != s {
		t.Errorf("there is another snapshot without a change (%v)", err)
	}
	if err := rundir.Annotate(run.ID(), func(n *rundir.Notes) { n.Name = "first" }); err != nil {
		t.Fatal(err)
	}
	if names := (Directories{}).Names([]string{run.ID(), "nothing"}); len(names) != 1 ||
		names[run.ID()] != "first" {
		t.Errorf("names %v", names)
	}
	checkDiagnostics(t, r)
	folder := filepath.Join(t.TempDir(), "new", "figures")
	if exports, err := (Directories{}).Exports(folder); err != nil || exports.Path() != folder {
		t.Errorf("exports go to %v: %v", exports, err)
	}
	resumed, err := session.Resume(context.Background(), run.ID(), session.WithSteps(40))
	if err != nil {
		t.Fatal(err)
	}
	resumed.Wait()
	if s, err := r.Latest(); err != nil || s.Step != 40 {
		t.Errorf("after resuming: step %d, %v", s.Step, err)
	}
	if err := os.RemoveAll(r.Dir()); err != nil {
		t.Fatal(err)
	}
	if s, err := r.Latest(); err == nil || s == nil {
		t.Error("a removed directory is not an error, or its last snapshot is lost")
	}
	if _, err := (Directories{}).Open("nothing"); err == nil {
		t.Error("a missing run is opened")
	}
}

// checkDiagnostics reads a run directory again after changes. The diagnostics of the same step are
// kept. If they are damaged, every snapshot has the error, even without another change.
func checkDiagnostics(t *testing.T, r Record) {
	t.Helper()
	change := func(after time.Duration) {
		at := time.Now().Add(after)
		if err := os.Chtimes(filepath.Join(r.Dir(), "metrics.jsonl"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := r.Latest()
	change(time.Hour)
	after, err := r.Latest()
	if err != nil || after == before || after.Diagnostics == nil ||
		after.Diagnostics != before.Diagnostics {
		t.Errorf("after a change: another snapshot: %v, other diagnostics: %v (%v)", after != before,
			after.Diagnostics != before.Diagnostics, err)
	}
	file := filepath.Join(r.Dir(), "diagnostics.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	change(2 * time.Hour)
	for range 2 {
		if s, err := r.Latest(); err == nil || s == nil || s.Diagnostics != nil {
			t.Errorf("with damaged diagnostics: %v", err)
		}
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPaceOfRunDirectory(t *testing.T) {
	s := &session.Snapshot{State: rundir.Running, Summary: rundir.Summary{Step: 100}, Steps: 300}
	for step := 0; step <= 100; step++ { // 10 steps a second, and faster at the end
		s.Curve = append(s.Curve, rundir.Point{
			Step:    step,
			Seconds: math.Min(float64(step)/10, 5+float64(step-50)/20),
		})
	}
	addPace(s)
	if last := s.Curve[100].Seconds; s.StepsPerSecond < 15 || s.StepsPerSecond > 20 || last != 7.5 ||
		s.Remaining.Seconds() < 10 {
		t.Errorf("%g steps per second, %v remain", s.StepsPerSecond, s.Remaining)
	}
	still := &session.Snapshot{State: rundir.Running, Summary: rundir.Summary{Step: 1}, Steps: 300,
		Curve: []rundir.Point{{Seconds: 2}, {Step: 1, Seconds: 2}}}
	addPace(still)
	if still.StepsPerSecond != 0 || still.Remaining != 0 {
		t.Errorf("without training time: %g steps per second, %v remain",
			still.StepsPerSecond, still.Remaining)
	}
}
