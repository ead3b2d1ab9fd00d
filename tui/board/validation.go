package board

import (
	"dgplab/session"
	"dgplab/tui/report"
)

// newValidationPanel returns the panel with the log-likelihood on the validation split.
func newValidationPanel(b *Board) *Panel {
	p := newCurvePanel(b, ofValidation)
	p.Name, p.short = "Validation", "Val"
	p.Guide = validationGuide
	p.applies = func(b *Board) bool { // Until its data are known, a run may have a validation split.
		without := b.countRuns(func(s *session.Snapshot) bool {
			return s.Data.N > 0 && s.Data.Validation == 0
		})
		return len(b.Runs) == 0 || without < len(b.Runs)
	}
	p.title = "Validation log-likelihood"
	p.heading = func(b *Board) (title string, notes []string) {
		return "", append(b.curveNotes(), b.validationPoints())
	}
	p.figures = func(b *Board) []report.Figure {
		return []report.Figure{b.curveFigure(ofValidation, "validation", "mean log-likelihood")}
	}
	return p
}

// comparedValidation returns the panel with validation curves for the comparison page. It shows several runs
// on the same data.
func comparedValidation(of *Panel) *Panel {
	p := *of
	p.Name, p.short = "Curves", "Curves"
	p.applies = func(b *Board) bool { return len(b.Runs) > 1 && of.applies(b) }
	p.absent = func(b *Board) string {
		return unless(of.Shows(b) && b.comparison().sameData,
			"runs on different data or splits have no common validation split")
	}
	p.figures = nil // The training page exports them.
	return &p
}

// validationPoints returns the number of points used for validation, or "" for the whole validation
// split.
func (b *Board) validationPoints() string {
	snap := b.Snapshot()
	if snap == nil || snap.ValPoints <= 0 || snap.ValPoints >= snap.Data.Validation || len(b.Runs) > 1 {
		return ""
	}
	return report.Grouped(snap.ValPoints) + " of " + report.Grouped(snap.Data.Validation) + " points"
}
