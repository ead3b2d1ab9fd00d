package kit

import (
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
)

// A screen has the words for a run that lists have.
func TestStateWords(t *testing.T) {
	for _, c := range []struct {
		snapshot session.Snapshot
		info     rundir.Info
	}{
		{session.Snapshot{State: session.Training}, rundir.Info{State: rundir.Running}},
		{session.Snapshot{State: session.Ended}, rundir.Info{State: rundir.Interrupted}},
		{session.Snapshot{State: session.Ended, Stop: rundir.StopSteps}, rundir.Info{State: rundir.Ended, Summary: &rundir.Summary{Stop: rundir.StopSteps}}},
		{session.Snapshot{State: session.Ended, Stop: rundir.StopFailed}, rundir.Info{State: rundir.Ended, Summary: &rundir.Summary{Stop: rundir.StopFailed}}},
	} {
		if _, word, _ := (Glyphs{}).StateSign(&c.snapshot); word != c.info.Standing() {
			t.Errorf("%q on a screen, %q in a list", word, c.info.Standing())
		}
	}
}
