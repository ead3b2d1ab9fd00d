package dash

import (
	"strings"
	"unicode"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/tui/kit"
)

// longestShortName is how many cells the name of the objective may have on a narrow tab.
const longestShortName = 6

// newObjectivePanel returns the panel of what the runs maximise, under its own name. It has the keys
// of both panels of curves.
func newObjectivePanel(v *curveView) *panel {
	p := newCurvePanel(v, ofObjective)
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
		n := s.countRuns(func(o *session.Snapshot) bool { return !o.Objective.Comparable(s.objective()) })
		if n == 0 {
			return ""
		}
		return kit.Plural(n, "run", "runs") + " left out: not the same objective"
	}
	p.keys = curveBindings
	p.act = (*Dash).curveKey
	p.files = func(s scene) []exportFile {
		if !s.anyRun(hasCurve) {
			return nil
		}
		name := s.objectiveName()
		return append([]exportFile{s.pointsFile()},
			s.curveFigures(ofObjective, fileName(name), name+", "+v.objective())...)
	}
	return p
}

// objective returns what the chosen run maximises, or, while nothing is known of it,
// the first run that something is known of.
func (d *Dash) objective() family.Objective {
	for k := range d.runs {
		if s := d.runs[(d.chosen+k)%len(d.runs)].snap; s != nil {
			return s.Objective
		}
	}
	return family.Objective{}
}

// objectiveName is what people read.
func (d *Dash) objectiveName() string {
	if name := d.objective().Name; name != "" {
		return name
	}
	return "Objective"
}

// differentObjective reports whether a quantity of a run means something else than that of the
// chosen run, so that both cannot be on one axis.
func (d *Dash) differentObjective(of quantity, r *watchedRun) bool {
	return of == ofObjective && r.snap != nil && !r.snap.Objective.Comparable(d.objective())
}

// someNoisy reports whether the objective of a run that is drawn is estimated.
func (d *Dash) someNoisy() bool {
	return d.anyRun(func(s *session.Snapshot) bool {
		return s.Objective.Noisy && s.Objective.Comparable(d.objective())
	})
}

// fileName turns a name into one of a file.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
}
