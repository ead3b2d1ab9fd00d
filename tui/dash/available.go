package dash

import (
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// Available returns the current footer word of an action, and the reason why it is unavailable. Both may be
// empty.
func (d *Dash) Available(act kit.Action) (word, barred string) {
	if len(d.Runs) == 0 {
		return "", d.emptyBarred(act)
	}
	switch act {
	case kit.ActPause, kit.ActStop, actCheckpoint, board.ActDiagnose, board.ActEvaluate:
		if act == board.ActDiagnose && d.current().ended() {
			return "", d.diagnoseBarred()
		}
		if why := d.controlBarred(); why != "" {
			return "", why
		}
		if s := d.Snapshot(); act == kit.ActPause && s != nil && s.State == rundir.Paused {
			return "continue", ""
		}
	case actSuggest:
		return "", d.suggestBarred()
	case kit.ActRight, kit.ActDown:
		if p := d.Focused(); p.Mover != nil && p.Mover.HasCursor() {
			return "move", ""
		}
	case actResume:
		if why := d.resumeBarred(); why != "" {
			return "", why
		}
		if s := d.Snapshot(); s.ExtendedSteps() > 0 {
			return "train on", ""
		}
	case actFinish:
		if why := d.finishBarred(); why != "" {
			return "", why
		}
		return "finish", ""
	case board.ActSmoother, board.ActRougher:
		if d.ExactCurves() {
			return "", "the curve is exact; there is nothing to smooth"
		}
	case actNextRun, actPreviousRun:
		if len(d.Runs) < 2 {
			return "", "there is no other run on the screen"
		}
	}
	if p := d.pageBy(act); p >= 0 {
		return "", d.pageBarred(p)
	}
	if p, _ := d.actingPanel(act); p != nil && d.pageOf(p) != d.onPage() {
		return kit.Elsewhere, ""
	}
	return "", ""
}

// emptyBarred returns the reason why an action is unavailable while there is no run on the screen.
func (d *Dash) emptyBarred(act kit.Action) string {
	switch {
	case act == kit.ActShow && len(d.remembered) > 0:
		return ""
	case act.IsGlobal(), act == kit.ActNewRun, act == kit.ActSweep, act == kit.ActBack, act == board.ActGuide,
		d.pageBy(act) >= 0:
		return ""
	}
	return noRun
}

// noRun is the reason why actions on a run are unavailable.
const noRun = "there is no run yet"

// diagnoseBarred returns the reason why the last checkpoint of the selected run, which has ended,
// cannot be diagnosed, or "" if it can.
func (d *Dash) diagnoseBarred() string {
	if why := d.checkpointMissing(); why != "" {
		return why
	}
	if d.current().loading {
		return "the diagnostics of the checkpoint are being computed"
	}
	return ""
}

// checkpointMissing returns the reason why the selected run has no checkpoint, or "" if it has one.
func (d *Dash) checkpointMissing() string {
	s := d.Snapshot()
	switch {
	case s == nil:
		return noRun
	case s.CheckpointStep < 0:
		return "the run has no checkpoint"
	}
	return ""
}

// controlBarred returns the reason why the selected run cannot be controlled, or "" if it can.
func (d *Dash) controlBarred() string {
	r := d.current()
	switch {
	case r.own == nil && !r.ended():
		return "a sweep or another process trains this run; it can only be watched here"
	case r.own == nil || r.over:
		return "the run has ended"
	}
	return ""
}

// resumeBarred returns the reason why the selected run cannot be resumed, or "" if it can.
func (d *Dash) resumeBarred() string {
	r := d.current()
	switch {
	case !r.ended() || r.Snapshot == nil:
		return "the run has not ended"
	case r.Snapshot.Stop == rundir.StopEarly || r.Snapshot.Stop == rundir.StopConverged:
		return "the run has ended for good; there is nothing to resume"
	}
	return ""
}

// finishBarred returns the reason why the decay of the selected run cannot begin, or "" if it can.
func (d *Dash) finishBarred() string {
	r := d.current()
	switch {
	case !r.ended() && d.controlBarred() != "":
		return d.controlBarred()
	case r.Snapshot == nil || !r.Snapshot.Drift.Stable():
		return "the run has no stable phase to finish"
	}
	return ""
}

// Types reports whether a character would be typed into the open prompt.
func (d *Dash) Types(rune) bool { return d.prompt != nil }
