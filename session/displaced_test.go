//go:build !windows

package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// If another process changes the run directory at the eighth step, the run warns and still writes its results
// to its own directory.
func TestRunDirectoryChangedByOthers(t *testing.T) {
	outside := t.TempDir()
	precious := filepath.Join(outside, "summary.json")
	cases := []struct {
		name, warning string
		change        func(dir string) error
	}{
		{"nothing", "made up", func(string) error { return nil }},
		{"report removed", "metrics.jsonl was removed or replaced; it was recreated",
			func(dir string) error {
				return os.Remove(filepath.Join(dir, "metrics.jsonl"))
			}},
		{"report truncated", "metrics.jsonl was truncated; its lines after step 0 are lost",
			func(dir string) error {
				return os.Truncate(filepath.Join(dir, "metrics.jsonl"), 0)
			}},
		{"lock removed", "the lock file was removed or replaced; it was locked again",
			func(dir string) error {
				return os.Remove(filepath.Join(dir, "lock"))
			}},
		{"replaced by a link", "the run directory ", func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".moved"), os.Symlink(outside, dir))
		}},
		{"replaced by a folder", "the run directory ", func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".moved"), os.Mkdir(dir, 0o755))
		}},
	}
	var want outcome
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			world := newWorld(t)
			if err := os.WriteFile(precious, []byte("precious"), 0o644); err != nil {
				t.Fatal(err)
			}
			started, dir := make(chan struct{}), ""
			world.onStep = func(step int) error {
				<-started
				if step == 8 {
					return c.change(dir)
				}
				return nil
			}
			r := world.start(t, fakeConfig(small...))
			dir = r.Dir()
			close(started)
			s := wait(t, r, rundir.StopSteps)
			if !slices.ContainsFunc(s.Warnings, func(w string) bool {
				return strings.HasPrefix(w, c.warning)
			}) {
				t.Errorf("warnings %q, want %q", s.Warnings, c.warning)
			}
			if strings.Contains(c.name, "place") {
				dir += ".moved"
			}
			got := outcomeOf(t, dir, rundir.StopSteps)
			if want.lines == "" {
				want = got
			}
			if c.name == "report truncated" {
				if !strings.HasSuffix(want.lines, got.lines) || got.lines == "" {
					t.Errorf("the lines after the truncation are\n%s\nof\n%s", got.lines, want.lines)
				}
				got.lines = want.lines
			}
			if what := got.differs(want); what != "" {
				t.Error(what)
			}
			if text, err := os.ReadFile(precious); err != nil || !bytes.Equal(text, []byte("precious")) {
				t.Errorf("the link's target contains %q, %v", text, err)
			}
		})
	}
}

// If its directory is removed, a run ends at the next checkpoint with a one-line error.
func TestRemovedRunDirectory(t *testing.T) {
	world := newWorld(t)
	started, dir := make(chan struct{}), ""
	world.onStep = func(step int) error {
		<-started
		if step == 5 {
			return os.RemoveAll(dir)
		}
		return nil
	}
	r := world.start(t, fakeConfig(small...))
	dir = r.Dir()
	close(started)
	s := wait(t, r, rundir.StopFailed)
	if s.Step != 8 || s.Err == nil || s.Err.Error() != "the run directory was removed" {
		t.Errorf("ended at step %d: %v", s.Step, s.Err)
	}
}
