package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// stopped returns the directory of a run that was stopped at step 50, with a checkpoint of that
// step and report lines at steps 1, 4, 8, ... and at the beginning of phases.
func stopped(t *testing.T, w *fakeWorld) string {
	t.Helper()
	var r *Run
	started := make(chan struct{})
	w.phases = phases
	w.onStep = func(step int) error {
		<-started
		if step == 50 {
			r.Stop()
		}
		return nil
	}
	r = w.start(t, fakeConfig("steps=90", "checkpoint_every=7", "metrics_every=4", "validation_every=4"))
	close(started)
	wait(t, r, rundir.StopAsked)
	w.onStep = nil
	return r.Dir()
}

// edited returns a function that edits the lines of metrics.jsonl.
func edited(edit func(lines []string) []string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "metrics.jsonl")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(edit(strings.SplitAfter(string(text), "\n")), "")),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func removed(name string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// Damage that loses results is refused. A repair lists the losses and leads to the same results.
func TestDamageIsRefusedOrRepaired(t *testing.T) {
	w := newWorld(t)
	w.phases = phases
	whole := w.start(t, fakeConfig("steps=90", "checkpoint_every=7", "metrics_every=4", "validation_every=4"))
	wait(t, whole, rundir.StopSteps)
	want := parameters(t, whole.Dir())
	// Lines 0 to 5 belong to steps 1, 2, 3, 4, 8 and 12. Step 23 also has a line.
	cases := map[string]struct {
		damage          func(t *testing.T, dir string)
		refusal, report string
		lines           int // number of lost lines
	}{
		"emptied": {edited(func([]string) []string { return nil }),
			"metrics.jsonl lacks the report lines of steps 1 to 50 before the checkpoint; " +
				"use dgplab train --resume ID --repair to continue without them",
			"the report lines of steps 1 to 50 are lost", 16},
		"gone": {removed("metrics.jsonl"), "metrics.jsonl lacks the report lines of steps 1 to 50",
			"the report lines of steps 1 to 50 are lost", 16},
		"gap": {edited(func(l []string) []string { return slices.Delete(l, 4, 6) }),
			"metrics.jsonl lacks the report lines of steps 8 to 15",
			"the report lines of steps 8 to 15 are lost", 2},
		"first line missing": {edited(func(l []string) []string { return l[1:] }),
			"metrics.jsonl lacks the report lines of step 1 before",
			"the report lines of step 1 are lost", 1},
		"cut": {edited(func(l []string) []string { return l[:5] }),
			"metrics.jsonl lacks the report lines of steps 12 to 50",
			"the report lines of steps 12 to 50 are lost", 11},
		"out of order": {edited(func(l []string) []string { l[4], l[5] = l[5], l[4]; return l }),
			"the line of step 8 comes after step 12; use dgplab",
			"the report lines of steps 8 to 11 are lost", 1},
		"twice": {edited(func(l []string) []string { return slices.Insert(l, 5, l[4]) }),
			"the line of step 8 comes after step 8",
			"misplaced lines from metrics.jsonl; the old file is metrics.damaged.jsonl", 0},
		"unexpected step": {edited(func(l []string) []string {
			l[5] = strings.Replace(l[5], `"step":12`, `"step":13`, 1)
			return l
		}),
			"unexpected report line at step 13",
			"the report lines of steps 12 to 15 are lost", 1},
		"damaged": {edited(func(l []string) []string {
			l[5] = "{\"st" + l[5][5:]
			l[4] = "\x00\x00\n"
			return l
		}), "damaged at byte", "the report lines of steps 8 to 15 are lost", 2},
		"checkpoint missing": {removed("checkpoint"),
			"the checkpoint is missing; use dgplab train --resume ID --repair to restart from the first step",
			"the checkpoint is missing: training restarted from the first step", 0},
		"checkpoint missing after a crash": {func(t *testing.T, dir string) {
			removed("checkpoint")(t, dir)
			removed("summary.json")(t, dir)
		},
			"the checkpoint is missing", "the checkpoint is missing: training restarted from the first step",
			0},
		"checkpoint missing and the report unreadable": {func(t *testing.T, dir string) {
			removed("checkpoint")(t, dir)
			removed("summary.json")(t, dir)
			edited(func(l []string) []string { return []string{l[0], "\x00\x00\n", l[1]} })(t, dir)
		}, "metrics.jsonl: damaged at byte", "training restarted from the first step", 0},
		"checkpoint damaged": {func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "checkpoint"), 100); err != nil {
				t.Fatal(err)
			}
		}, "truncated", "training restarted from the first step", 0},
		"summary damaged": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "summary.json"), []byte("{"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "summary.json: unexpected end", "the summary will be recreated", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := stopped(t, w)
			c.damage(t, dir)
			id := filepath.Base(dir)
			before := folder(t, dir)
			_, err := Resume(context.Background(), id, withEnvironment(w.environment()))
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), id, "ID"), c.refusal) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v\nwant %s", err, c.refusal)
			}
			if after := folder(t, dir); after != before {
				t.Errorf("a refused resume changed the folder:\n%s\nwas\n%s", after, before)
			}
			r, err := Resume(context.Background(), id, withEnvironment(w.environment()), WithRepair())
			if err != nil {
				t.Fatal(err)
			}
			s := wait(t, r, rundir.StopSteps)
			if got := parameters(t, dir); !bytes.Equal(got, want) {
				t.Errorf("parameters %s, want %s", got, want)
			}
			if c.report != "" && !strings.Contains(strings.Join(s.Warnings, "\n"), c.report) {
				t.Errorf("warnings %q, want %s", s.Warnings, c.report)
			}
			got := strings.Count(lines(t, dir), "\n")
			whole := strings.Count(lines(t, whole.Dir()), "\n")
			if got != whole-c.lines {
				t.Errorf("%d report lines, %d without damage; want %d fewer", got, whole, c.lines)
			}
		})
	}
}

// A report appended to itself is refused. A repair loses nothing.
func TestReportAppendedToItself(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, fakeConfig("steps=60", "metrics_every=1"))
	wait(t, r, rundir.StopSteps)
	whole := lines(t, r.Dir())
	end, err := os.Stat(filepath.Join(r.Dir(), "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	edited(func(l []string) []string { return append(l, l...) })(t, r.Dir())
	want := fmt.Sprintf("metrics.jsonl: damaged at byte %d: the line of step 1 comes after step 60",
		end.Size())

	record, err := rundir.FindReadOnly(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	s := Open(record)
	if s.State != rundir.Broken || s.Err == nil || !strings.HasSuffix(s.Err.Error(), want) {
		t.Errorf("state %s, error %v, want %s", s.State, s.Err, want)
	}
	if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()),
		WithSteps(90)); err == nil ||
		!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want %s", err, want)
	}
	again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()),
		WithSteps(90), WithRepair())
	if err != nil {
		t.Fatal(err)
	}
	s = wait(t, again, rundir.StopSteps)
	if text := lines(t, r.Dir()); !strings.HasPrefix(text, whole) || strings.Count(text, "\n") != 90 {
		t.Errorf("%d report lines", strings.Count(text, "\n"))
	}
	if !slices.ContainsFunc(s.Warnings, func(text string) bool {
		return strings.Contains(text, "removed unreadable and misplaced lines")
	}) {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// A repaired run can be resumed again without a repair.
func TestRepairsPersist(t *testing.T) {
	w := newWorld(t)
	dir := stopped(t, w)
	edited(func(l []string) []string { return slices.Delete(l, 4, 6) })(t, dir)
	id := filepath.Base(dir)
	r, err := Resume(context.Background(), id, withEnvironment(w.environment()), WithRepair())
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	r, err = Resume(context.Background(), id, withEnvironment(w.environment()), WithSteps(120))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopSteps); !slices.Contains(s.Warnings,
		"the report lines of steps 8 to 15 are lost") {
		t.Errorf("warnings %q", s.Warnings)
	}
	edited(func(l []string) []string { return slices.Delete(l, 5, 6) })(t, dir)
	_, err = Resume(context.Background(), id, withEnvironment(w.environment()), WithSteps(150))
	if err == nil || !strings.Contains(err.Error(), "lacks the report lines of step") {
		t.Errorf("another gap: %v", err)
	}
}

// A run that died before its first checkpoint restarts with a warning.
func TestRunsWithoutCheckpointRestart(t *testing.T) {
	w := newWorld(t)
	dir := stopped(t, w)
	removed("checkpoint")(t, dir)
	removed("summary.json")(t, dir)
	// The report ends at step 4, before the first checkpoint was due at step 7.
	edited(func(l []string) []string { return l[:4] })(t, dir)
	r, err := Resume(context.Background(), filepath.Base(dir), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopSteps); !slices.Contains(s.Warnings,
		"no checkpoint yet: training restarted from the first step") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// folder returns the names and contents of the files in a folder.
func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + " " + string(text) + "\n")
	}
	return b.String()
}
