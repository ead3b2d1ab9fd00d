package board

import (
	"strings"
	"unicode"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// longestShortName is the maximum width of the objective's name on a narrow tab.
const longestShortName = 6

// newObjectivePanel returns the panel of the objective, titled with the name of the objective. It has the
// keys of both panels of curves.
func newObjectivePanel(b *Board) *Panel {
	v := b.curves
	p := newCurvePanel(b, ofObjective)
	p.Name = "Objective"
	p.Guide = objectiveGuide
	p.names = func(b *Board) (name, short string) {
		name = b.objectiveName()
		if kit.Cells(name) > longestShortName {
			return name, "Obj"
		}
		return name, name
	}
	p.heading = func(b *Board) (title string, notes []string) {
		notes = append(notes, v.objective())
		if !b.someNoisy() && b.objective().Name != "" {
			notes = append(notes, "exact")
		}
		return b.objectiveName(), append(notes, b.curveNotes()...)
	}
	p.actions = curveActions
	p.figures = func(b *Board) []report.Figure {
		name := b.objectiveName()
		return []report.Figure{
			b.pointsTable(), b.curveFigure(ofObjective, fileName(name), name+", "+v.objective()),
		}
	}
	return p
}

// leading returns the snapshot of the selected run or, if it has none, of the first run that has one.
func (b *Board) leading() *session.Snapshot {
	for k := range b.Runs {
		if s := b.Runs[(b.Chosen+k)%len(b.Runs)].Snapshot; s != nil {
			return s
		}
	}
	return nil
}

// objective returns the objective of the leading run.
func (b *Board) objective() family.Objective {
	if s := b.leading(); s != nil {
		return s.ObjectiveIs
	}
	return family.Objective{}
}

// objectiveName returns the name of the objective.
func (b *Board) objectiveName() string {
	if name := b.objective().Name; name != "" {
		return name
	}
	return "Objective"
}

// Reasons for leaving out a curve that does not fit on the axes of the leading run.
const (
	otherData      = "different data or split"
	otherObjective = "not the same objective"
)

// leftOutCurve returns the reason why the curve of a run is left out, or "" if it is drawn. The runs
// of a group may have different splits.
func (b *Board) leftOutCurve(of quantity, r *Run) string {
	first := b.leading()
	switch {
	case r.Snapshot == nil:
		return ""
	case of == ofObjective && !r.Snapshot.ObjectiveIs.Comparable(first.ObjectiveIs):
		return otherObjective
	case !sameDataOf(r.Snapshot, first, !b.ManyRuns()):
		return otherData
	}
	return ""
}

// curvesLeftOut returns the number of runs whose curves are left out, by reason.
func (b *Board) curvesLeftOut(of quantity) string {
	var parts []string
	for _, why := range []string{otherObjective, otherData} {
		n := 0
		for _, r := range b.Runs {
			if b.leftOutCurve(of, r) == why {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, report.Plural(n, "run", "runs")+" left out: "+why)
		}
	}
	return strings.Join(parts, "; ")
}

// someNoisy reports whether the objective of a drawn run is an estimate.
func (b *Board) someNoisy() bool {
	return b.anyRun(func(s *session.Snapshot) bool {
		return s.ObjectiveIs.Noisy && s.ObjectiveIs.Comparable(b.objective())
	})
}

// ExactCurves reports whether there are curves and none is an estimate that could be smoothed.
func (b *Board) ExactCurves() bool { return b.anyRun(hasCurve) && !b.someNoisy() }

// fileName returns a file name for the name of an objective.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
}
