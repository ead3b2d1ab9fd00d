package dash

import (
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// TestBaselineKey starts the baseline on the data of the selected run unless it is on the screen.
func TestBaselineKey(t *testing.T) {
	a := emptyDesk(120, 40)
	a.Keys("B")
	if len(a.Starts) > 0 || !strings.Contains(a.Note, "no run") {
		t.Fatalf("without a run: %v, %q", a.Starts, a.Note)
	}
	c := rundir.Config{
		Dataset: "boston",
		Family:  "star",
		Split:   "standard:3",
		Seed:    7,
		Set:     map[string]string{"inducing": "32", "log_targets": "on"},
	}
	a, _ = newDesk(kittest.Training(c, 100), 120, 40)
	a.Keys("B")
	if len(a.Starts) != 1 {
		t.Fatalf("asked for %+v", a.Starts)
	}
	got := a.Starts[0].Config
	if got.Family != models.BaselineFamily || got.Dataset != "boston" || got.Split != "standard:3" ||
		got.Seed != 7 || len(got.Set) != 1 || got.Set["log_targets"] != "on" {
		t.Errorf("asked for %+v", got)
	}
	a.start(kittest.Ended(got, rundir.StopConverged))
	a.Keys("B")
	if len(a.Starts) != 1 || !strings.Contains(a.Note, "already on the screen") {
		t.Errorf("requested again: %v, %q", a.Starts, a.Note)
	}
}
