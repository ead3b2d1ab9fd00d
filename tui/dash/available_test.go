package dash

import (
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// TestFooterKeys checks the last line before, during and after a run.
func TestFooterKeys(t *testing.T) {
	paused := kittest.Training(someConfig, 10)
	paused.State = rundir.Paused
	for _, c := range []struct {
		name    string
		snap    *session.Snapshot
		has, no []string
	}{
		{"training", kittest.Training(someConfig, 10),
			[]string{"space pause", "s stop", "n new"}, []string{"next run"}},
		{"paused", paused, []string{"space continue", "s stop"}, nil},
		{"ended", kittest.Ended(someConfig, rundir.StopSteps), []string{"enter zoom", "n new"},
			[]string{"pause", "stop", "checkpoint"}},
	} {
		d, _ := newDesk(c.snap, 200, 40)
		d.Note = ""
		checkFooter(t, c.name, d, c.has, c.no)
	}
	d := emptyDesk(200, 40)
	checkFooter(t, "empty", d, []string{"n new", "? help"}, []string{"pause", "zoom", "axis", "export"})
	d.Keys(" ")
	if d.Note != noRun {
		t.Errorf("said %q", d.Note)
	}
	d, _ = newDesk(kittest.Training(someConfig, 10), 200, 40)
	d.start(kittest.Training(someConfig, 20))
	d.Note = ""
	checkFooter(t, "two runs", d, []string{". next run"}, nil)
}

func checkFooter(t *testing.T, name string, d *desk, has, no []string) {
	t.Helper()
	lines := strings.Split(d.View(), "\n")
	footer := lines[len(lines)-1]
	for _, want := range has {
		if !strings.Contains(footer, want) {
			t.Errorf("%s: no %q in %q", name, want, footer)
		}
	}
	for _, gone := range no {
		if strings.Contains(footer, gone) {
			t.Errorf("%s: %q in %q", name, gone, footer)
		}
	}
}
