package dash

import (
	"strings"
	"unicode"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// longestShortName is the largest width of the name of the objective on a narrow tab.
const longestShortName = 6

// newObjectivePanel returns the panel of the objective, under its own name. It has the keys of both
// panels of curves.
func newObjectivePanel(v *curveView) *panel {
	p := newCurvePanel(v, ofObjective)
	p.name = "Objective"
	p.guide = objectiveGuide
	p.names = func(s scene) (name, short string) {
		name = s.objectiveName()
		if kit.Cells(name) > longestShortName {
			return name, "Obj"
		}
		return name, name
	}
	p.heading = func(s scene) (title string, notes []string) {
		notes = append(notes, v.objective())
		if !s.someNoisy() && s.objective().Name != "" {
			notes = append(notes, "exact")
		}
		return s.objectiveName(), append(notes, s.curveNotes()...)
	}
	p.footnote = func(s scene) string {
		n := s.countRuns(func(o *session.Snapshot) bool { return !o.ObjectiveIs.Comparable(s.objective()) })
		if n == 0 {
			return ""
		}
		return report.Plural(n, "run", "runs") + " left out: not the same objective"
	}
	p.keys = curveBindings
	p.act = (*Dash).curveKey
	p.figures = func(s scene) []report.Figure {
		name := s.objectiveName()
		return []report.Figure{
			s.pointsTable(), s.curveFigure(ofObjective, fileName(name), name+", "+v.objective()),
		}
	}
	return p
}

// objective returns the objective of the chosen run or, if it has no snapshot, of the first run
// that has one.
func (d *Dash) objective() family.Objective {
	for k := range d.runs {
		if s := d.runs[(d.chosen+k)%len(d.runs)].snap; s != nil {
			return s.ObjectiveIs
		}
	}
	return family.Objective{}
}

// objectiveName returns the name of the objective.
func (d *Dash) objectiveName() string {
	if name := d.objective().Name; name != "" {
		return name
	}
	return "Objective"
}

// differentObjective reports whether the objective of a run differs from that of the chosen run.
// Such objectives do not fit on one axis.
func (d *Dash) differentObjective(of quantity, r *watchedRun) bool {
	return of == ofObjective && r.snap != nil && !r.snap.ObjectiveIs.Comparable(d.objective())
}

// someNoisy reports whether the objective of a drawn run is an estimate.
func (d *Dash) someNoisy() bool {
	return d.anyRun(func(s *session.Snapshot) bool {
		return s.ObjectiveIs.Noisy && s.ObjectiveIs.Comparable(d.objective())
	})
}

// fileName makes the name of a file from the name of an objective.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
}
