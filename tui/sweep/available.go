package sweep

import (
	"slices"

	"dgplab/models"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Available returns the footer word of an action and the reason why it is unavailable.
func (g *Grid) Available(act kit.Action) (word, reason string) {
	if act == kit.ActStart {
		return g.startAvailable()
	}
	if act == kit.ActNextPart && g.part == partForm && g.form.Completes() {
		return "complete", ""
	}
	if g.part == partForm {
		return g.form.Available(act)
	}
	if slices.Contains(valueActions, act) {
		return "", "only in the values part"
	}
	return "", ""
}

// valueActions are available only in the form.
var valueActions = []kit.Action{
	form.AddValue, form.Find, form.NextChoice, form.ResetAll, kit.ActReset, kit.ActLeft, kit.ActRight,
	kit.ActErase, kit.ActEraseWord, kit.ActTextEnds,
}

// startAvailable implements Available for the key that starts or opens a sweep.
func (g *Grid) startAvailable() (word, reason string) {
	switch {
	case g.starting:
		return "", "the sweep is starting"
	case g.part == partForm:
		return g.form.Available(kit.ActStart)
	case len(g.earlier) == 0:
		return "", "no sweeps yet"
	}
	return "open", ""
}

// Types reports whether r would now be typed into a row.
func (g *Grid) Types(r rune) bool {
	return g.picker.IsOpen() || g.part == partForm && g.form.Types(r)
}

// Available returns the footer word of an action and the reason why it is unavailable.
func (p *Progress) Available(act kit.Action) (word, reason string) {
	if p.state == nil {
		if act.IsGlobal() || act == kit.ActBack {
			return "", ""
		}
		return "", "no sweep is open"
	}
	if word, reason := p.pageAvailable(act); word != "" || reason != "" {
		return word, reason
	}
	if word, reason, known := p.slurmAvailable(act); known {
		return word, reason
	}
	switch act {
	case kit.ActPause:
		return p.pauseAvailable()
	case kit.ActStop:
		if p.live == nil {
			return "", "this sweep is not running here"
		}
	case actRetry:
		return "", p.retryObstacle()
	case kit.ActOpen:
		if c := p.chosen(); c == nil || c.Run == "" {
			return "", "this cell has no run yet"
		}
	case actOpenAll:
		if len(p.startedRuns()) == 0 {
			return "", "no cell has a run yet"
		}
	case kit.ActXAxis:
		if len(p.state.Varied()) < 2 {
			return "", "no other axis varies"
		}
	case actLogAxis:
		if _, ok := numbers(p.state, p.axis()); !ok {
			return "", p.axis() + " is not numeric"
		}
	case actCurves:
		switch {
		case !p.hasCurves():
			return "", "this program has trained no run of this sweep with validations"
		case !p.plotCompares():
			return "", "the plot has results for fewer than two values"
		case p.look.curves:
			return "plot", ""
		}
	case actBaselineOff:
		if !slices.ContainsFunc(p.state.Cells, isBaseline) {
			return "", "the sweep has no run with the baseline " + models.BaselineFamily
		}
	}
	return "", ""
}

// pauseAvailable implements Available for the key that pauses, continues and resumes.
func (p *Progress) pauseAvailable() (word, reason string) {
	switch {
	case p.live != nil && p.state.Phase == sweeps.Resting:
		return "continue", ""
	case p.live != nil:
		return "", ""
	case p.state.Phase == sweeps.Going:
		return "", "another process is running this sweep"
	case len(p.state.Left(false)) == 0:
		return "", "all cells are finished; " + p.failedHint()
	}
	return "resume", ""
}

// retryObstacle returns the reason why no cell can be retried, or "" if some can.
func (p *Progress) retryObstacle() string {
	switch {
	case p.state.Count(sweeps.Failed)+p.state.Count(sweeps.Stopped) == 0:
		return "no cell has failed"
	case p.live == nil && p.state.Phase == sweeps.Going:
		return "another process is running this sweep"
	}
	return ""
}

// Types returns false, because the screen has no text input.
func (p *Progress) Types(rune) bool { return false }
