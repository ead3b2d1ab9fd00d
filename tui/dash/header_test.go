package dash

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// The header shows every fact of a run, and counts further warnings and alarms.
func TestFactsOfTheHeader(t *testing.T) {
	s := &session.Snapshot{State: rundir.Ended, Steps: 400, Last: rundir.Point{Phase: "burn-in"}}
	s.Summary = rundir.Summary{
		Step: 400, KeptStep: 350, BestVal: -0.25, BestStep: 350, Variational: 4321, Seconds: 8,
		Values: models.Values{"epochs": "100", "batch": "30"}, ObjectiveIs: family.Objective{Name: "ELBO"},
		Data:       rundir.DataFacts{N: 1200, Validation: 30, Test: 40, D: 5},
		Evaluation: &rundir.Evaluation{Step: 400, Objective: -13, SE: 0.5},
		Warnings:   []string{"a constant input", "another"},
		Alarms:     []rundir.Alarm{{Since: 20, Text: "the noise grows"}, {Since: 30, Text: "x"}},
	}
	d := newDash(kit.NewTheme(termenv.Ascii, false, kit.Unicode))
	r := &watched{Run: &board.Run{ID: "a", Snapshot: s}}
	d.add(r)
	parts := func() []string {
		return strings.Split(d.facts(r, 1000), d.Theme.Separator())
	}
	want := []string{
		"! 2 alarms: the noise grows, since step 20", "! a constant input (and 1 more)",
		"trained by a sweep or another process", "val LL -0.2500 at step 350", "scored at step 350",
		"ELBO, all points -13.00 (0.50) at step 400",
		"N 1,200 + 30 validation + 40 test points", "D 5", "4,321 variational parameters",
	}
	if got := parts(); !slices.Equal(got, want) {
		t.Errorf("ended: %q\nwant %q", got, want)
	}
	s.State, s.Warnings, s.Alarms = rundir.Running, s.Warnings[:1], s.Alarms[:1]
	want[0], want[1] = "! alarm: the noise grows, since step 20", "! a constant input"
	want = slices.Insert(slices.Delete(want, 4, 5), 2, "burn-in")
	if got := parts(); !slices.Equal(got, want) {
		t.Errorf("training: %q\nwant %q", got, want)
	}
	if got := d.progress(s, 200); !strings.Contains(got, "400 / 400  epoch  10 / 100 ") {
		t.Errorf("progress %q", got)
	}
	if got := fmt.Sprint(share(s), share(&session.Snapshot{})); got != "1 0" {
		t.Errorf("shares %s", got)
	}
}
