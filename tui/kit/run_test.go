package kit

import (
	"testing"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Screens and lists use the same words for the state of a run.
func TestStateWords(t *testing.T) {
	done := rundir.Summary{Stop: rundir.StopSteps}
	failed := rundir.Summary{Stop: rundir.StopFailed}
	for _, c := range []struct {
		snapshot session.Snapshot
		info     rundir.Info
	}{
		{session.Snapshot{State: rundir.Running}, rundir.Info{State: rundir.Running}},
		{session.Snapshot{State: rundir.Interrupted}, rundir.Info{State: rundir.Interrupted}},
		{session.Snapshot{State: rundir.Ended, Summary: done},
			rundir.Info{State: rundir.Ended, Results: &done}},
		{session.Snapshot{State: rundir.Ended, Summary: failed},
			rundir.Info{State: rundir.Ended, Results: &failed}},
	} {
		if _, word, _ := (Glyphs{}).StateSign(metric.OfSnapshot(&c.snapshot)); word != c.info.Status() {
			t.Errorf("%q on a screen, %q in a list", word, c.info.Status())
		}
	}
}

// Convergence is a successful outcome.
func TestConverged(t *testing.T) {
	s := &session.Snapshot{State: rundir.Ended, Summary: rundir.Summary{Stop: rundir.StopConverged}}
	g := Unicode
	glyph, word, tone := g.StateSign(metric.OfSnapshot(s))
	if glyph != g.Check || word != "converged" || tone != Good {
		t.Errorf("%q %q %v", glyph, word, tone)
	}
}
