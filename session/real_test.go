package session

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// realConfig is a small run of a family on a built-in data set.
func realConfig(spec models.Spec) rundir.Config {
	c := rundir.Config{Dataset: "steps", Family: spec.Name, Seed: 5, Set: map[string]string{
		"steps": "12", "metrics_every": "3", "validation_every": "4",
		"checkpoint_every": "5", "test_samples": "7",
	}}
	small := map[string]string{"inducing": "10", "batch": "40", "layers": "2", "width": "2", "samples": "2",
		"tolerance": "1e-12", "points": "40",
		"burn_in": "3", "thinning": "1", "leapfrog_steps": "5", "hidden_width": "8"}
	for _, h := range spec.Hyperparameters {
		if v, ok := small[h.Name]; ok && h.Validate(v) == nil {
			c.Set[h.Name] = v
		}
	}
	return c
}

// Targets that a family does not accept are refused before the model is created.
func TestUnacceptedTargets(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	c := rundir.Config{Dataset: "letters", Family: "sgpr"}
	if _, err := new(Inspector).Inspect(context.Background(), c); err == nil ||
		!strings.Contains(err.Error(), "sgpr: it cannot be trained on classes") {
		t.Errorf("inspected: %v", err)
	}
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopFailed); s.Err == nil || s.Stop == "" ||
		!strings.Contains(s.Err.Error(), "classes") {
		t.Errorf("trained: %v, summary %v", s.Err, s.Summary)
	}
}

// checkSame checks that two runs that have ended have the same report lines, parameters and test scores.
func checkSame(t *testing.T, got, want *Snapshot) {
	t.Helper()
	a := lines(t, got.Dir)
	b := lines(t, want.Dir)
	if a != b {
		t.Errorf("report lines differ:\n%s\nwant\n%s", a, b)
	}
	if !bytes.Equal(parameters(t, got.Dir), parameters(t, want.Dir)) {
		t.Error("final parameters differ")
	}
	scores, _ := json.Marshal(got.Test)
	wantScores, _ := json.Marshal(want.Test)
	if !bytes.Equal(scores, wantScores) {
		t.Errorf("test scores %s, want %s", scores, wantScores)
	}
}

// A run that stops at two rungs equals an uninterrupted run, even if its learning rate falls to zero at
// the last step.
func TestRungs(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for _, schedule := range []string{"stairs", "linear", "cosine"} {
		spec, err := models.Lookup("svgp")
		if err != nil {
			t.Fatal(err)
		}
		c := realConfig(spec)
		c.Set["schedule"] = schedule
		whole, err := Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		want := wait(t, whole, rundir.StopSteps)
		r, err := Start(context.Background(), c, WithRung(9))
		if err != nil {
			t.Fatal(err)
		}
		first := wait(t, r, rundir.StopRung)
		if first.Step != 2 || first.Steps != 12 || first.Test == nil {
			t.Errorf("%s: the first rung ends at step %d of %d, scores %v",
				schedule, first.Step, first.Steps, first.Test)
		}
		for _, rung := range []struct{ part, step int }{{3, 4}, {3, 4}, {1, 12}} {
			r, err = Resume(context.Background(), first.ID, WithRung(rung.part))
			if err != nil {
				t.Fatal(err)
			}
			if s := r.Wait(); s.Step != rung.step || s.Err != nil {
				t.Errorf("%s: 1/%d ends at step %d: %v", schedule, rung.part, s.Step, s.Err)
			}
		}
		checkSame(t, wait(t, r, rundir.StopSteps), want)
		if _, err := Resume(context.Background(), first.ID, WithRung(3)); err == nil {
			t.Errorf("%s: a run without remaining steps is resumed", schedule)
		}
	}
}

// A run of a family that is stopped and resumed equals an uninterrupted run, and stores its test points
// and health.
func TestRealFamiliesResumeExactly(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for _, spec := range sampledFamilies() {
		t.Run(spec.Name, func(t *testing.T) {
			c := realConfig(spec)
			c.Dataset = tinyTable(t)
			if _, err := new(Inspector).Inspect(context.Background(), c); err != nil {
				t.Fatal(err)
			}
			whole, err := Start(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			want := wait(t, whole, rundir.StopSteps)
			if want.Test == nil || want.Diagnostics == nil {
				t.Fatalf("test %v, diagnostics %v", want.Test, want.Diagnostics)
			}
			checkHealth(t, spec, want)
			// A run of seven steps equals the beginning of the full run. Its last line exists only because
			// the run ends there, and its checkpoint lies between two report lines.
			part, err := Start(context.Background(), config.WithSteps(c, 7))
			if err != nil {
				t.Fatal(err)
			}
			wait(t, part, rundir.StopSteps)
			rest, err := Resume(context.Background(), part.ID(), WithSteps(12))
			if err != nil {
				t.Fatal(err)
			}
			got := wait(t, rest, rundir.StopSteps)
			checkSame(t, got, want)
			columns := checkTestPart(t, whole.ID())
			checkAscending(t, columns, "y_q5", "y_q50", "y_q95")
		})
	}
}
