package dash

import (
	"dgplab/session"
	"dgplab/tui/kit"
)

// validationCurves is the panel of the log-likelihood of the validation part.
type validationCurves struct{ curvePanel }

var validationPanel = validationCurves{curvePanel{of: ofValidation}}

// Applies reports whether a run has a validation part, or may have one.
func (validationCurves) Applies(d *Dash) bool {
	return len(d.runs) == 0 ||
		d.count(func(s *session.Snapshot) bool { return s.N > 0 && s.NumValidation == 0 }) < len(d.runs)
}

func (validationCurves) Names(*Dash) (long, short string) { return "Validation", "Val" }

func (validationCurves) Title(d *Dash) (title string, notes []string) {
	return "Validation log-likelihood", append(d.curveNotes(), d.validationPoints())
}

func (p validationCurves) Files(d *Dash) []exported {
	if !d.some(hasCurve) {
		return nil
	}
	return p.figures(d, "validation", "mean log-likelihood")
}

// validationPoints says how many points of the validation part the chosen run looks
// at, "" if at all.
func (d *Dash) validationPoints() string {
	s := d.snap()
	if s == nil || s.ValPoints <= 0 || s.ValPoints >= s.NumValidation || len(d.runs) > 1 {
		return ""
	}
	return kit.Grouped(s.ValPoints) + " of " + kit.Grouped(s.NumValidation) + " points"
}
