package dash

import (
	"fmt"

	"dgplab/session"
	"dgplab/tui/kit"
)

// panelTitle returns a panel's title and what to know about how it is drawn, what
// matters most first.
func (d *Dash) panelTitle(id panelID) (title string, notes []string) {
	switch id {
	case panelELBO:
		return "ELBO", append([]string{d.look.objective()}, d.curveNotes()...)
	case panelValidation:
		return "Validation log-likelihood", append(d.curveNotes(), d.validationPoints())
	case panelCovariance:
		return "Covariance of q(f_M)", []string{d.covarianceNote()}
	case panelLayers:
		layer, gp, ok := d.layer()
		if !ok {
			return "Layers", []string{d.ofWhich()}
		}
		return fmt.Sprintf("Layer %d, GP %d", layer+1, gp+1), []string{d.ofWhich(), diagnosedAt(d.snap())}
	case panelTable:
		return "Runs", []string{d.sortNote()}
	case panelDirect:
		return "Direct comparison", nil
	case panelErrors:
		return "Errors against variance", []string{d.targetNote()}
	case panelDistance:
		return "Variance against distance", []string{d.targetNote()}
	case panelPIT:
		return "PIT", []string{d.targetNote()}
	case panelCoverage:
		return "Coverage", []string{d.targetNote()}
	}
	return "Health", []string{d.ofWhich()}
}

// title returns a panel's title and as many of its notes as there is room for in a
// border of w cells.
func (d *Dash) title(id panelID, w int) (title, note string) {
	const around = 10 // corners, sign of the focus and blanks
	title, notes := d.panelTitle(id)
	return title, kit.JoinFitting(w-kit.Cells(title)-around, " "+d.theme.Glyphs.Dot+" ", notes...)
}

// curveNotes says how the curves are drawn, what is usual last.
func (d *Dash) curveNotes() []string {
	var list []string
	if d.look.grouped {
		list = append(list, "seeds grouped")
	}
	if d.look.clip {
		list = append(list, "outliers clipped")
	}
	if w := d.window.String(); w != "" {
		list = append(list, w)
	}
	return append(list, d.look.y.String(), "over "+d.look.x.String())
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

// covarianceNote says which step the map is of; of several maps each says so itself,
// and here is who has none.
func (d *Dash) covarianceNote() string {
	if len(d.runs) <= 1 {
		return diagnosedAt(d.snap())
	}
	if n := d.count(hasCovariance); n < len(d.runs) && n > 0 {
		return fmt.Sprintf("%d of %d runs have one", n, len(d.runs))
	}
	return ""
}

// ofWhich names the chosen run where there are several.
func (d *Dash) ofWhich() string {
	if len(d.runs) < 2 {
		return ""
	}
	return d.mark(d.current()) + " " + d.current().label
}

// diagnosedAt names the step that the views of the posterior belong to.
func diagnosedAt(s *session.Snapshot) string {
	if s == nil || s.Diagnostics == nil {
		return ""
	}
	return "at step " + kit.Grouped(s.Diagnostics.Step)
}

// sortNote says what the table is sorted by.
func (d *Dash) sortNote() string {
	switch s := d.look.sort; {
	case s.Column == "":
		return ""
	case s.Descending:
		return "by " + s.Column + ", descending"
	default:
		return "by " + s.Column + ", ascending"
	}
}

// targets returns how many targets the runs have at most.
func (d *Dash) targets() int {
	n := 1
	for _, r := range d.runs {
		if r.snap != nil {
			n = max(n, r.snap.P)
		}
	}
	return n
}

// targetNote names the target that the calibration is of, where there are several.
func (d *Dash) targetNote() string {
	if n := d.targets(); n > 1 {
		return fmt.Sprintf("target %d of %d", d.look.target%n+1, n)
	}
	return ""
}
