package report

import (
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
)

func TestStopReason(t *testing.T) {
	s := &session.Snapshot{
		Summary:        rundir.Summary{Stop: rundir.StopConverged, Step: 1234},
		State:          session.Ended,
		CheckpointStep: 1234,
	}
	if text := StopReason(s); !strings.HasPrefix(text, "converged at step 1,234 ") ||
		!strings.HasSuffix(text, "; checkpoint kept") {
		t.Errorf("%q", text)
	}
}
