package dash

import (
	"strings"
	"unicode"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/tui/kit"
)

// objectiveCurves is the panel of what the runs maximise, under its own name. It has
// the keys of all curves.
type objectiveCurves struct{ curvePanel }

var objectivePanel = objectiveCurves{curvePanel{of: ofObjective}}

// longestShortName is how many cells a name may have on a short tab.
const longestShortName = 6

func (objectiveCurves) Names(d *Dash) (long, short string) {
	long = d.objectiveName()
	short = long
	if kit.Cells(short) > longestShortName {
		short = "Obj"
	}
	return long, short
}

func (objectiveCurves) Title(d *Dash) (title string, notes []string) {
	notes = append(notes, d.look.objective())
	if !d.someNoisy() && d.objective().Name != "" {
		notes = append(notes, "exact")
	}
	return d.objectiveName(), append(notes, d.curveNotes()...)
}

// Draw draws the curves that mean the same as the chosen run's, and says in the last
// line that others are left out.
func (p objectiveCurves) Draw(d *Dash, w, h int) []string {
	n := d.count(func(s *session.Snapshot) bool { return !s.Objective.Comparable(d.objective()) })
	if n == 0 || h < 2 {
		return p.curvePanel.Draw(d, w, h)
	}
	note := kit.Plural(n, "run", "runs") + " left out: not the same objective"
	return append(d.theme.Box(p.curvePanel.Draw(d, w, h-1), w, h-1), d.theme.Dim.Render(d.theme.Fit(note, w)))
}

func (objectiveCurves) Keys() []kit.Binding { return curveBindings }

func (objectiveCurves) Act(d *Dash, act kit.Action) string { return d.curveKey(act) }

func (p objectiveCurves) Files(d *Dash) []exported {
	if !d.some(hasCurve) {
		return nil
	}
	name := d.objectiveName()
	return append([]exported{d.pointsFile()}, p.figures(d, fileName(name), name+", "+d.look.objective())...)
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

// apart reports whether a quantity of a run means something else than that of the
// chosen run, so that both cannot be on one axis.
func (d *Dash) apart(of quantity, r *shown) bool {
	return of == ofObjective && r.snap != nil && !r.snap.Objective.Comparable(d.objective())
}

// someNoisy reports whether the objective of a run that is drawn is estimated.
func (d *Dash) someNoisy() bool {
	return d.some(func(s *session.Snapshot) bool {
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
