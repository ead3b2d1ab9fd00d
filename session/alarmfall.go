package session

import (
	"fmt"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// fallRounding is what rounding may do to an objective that no step should lower, relative
// to the sum of its absolute parts, which may be far greater than itself.
const fallRounding = 1e-9

// fall watches an exact objective that no step should lower. One fall is enough to say
// that something is wrong with the arithmetic, or with the model.
type fall struct {
	name  string
	terms []family.Reading
	on    bool
	since int

	last     rundir.Point // the finite line before; Step is 0 before the first
	from, to rundir.Point // the deepest fall since the alarm rose
	quiet    int          // report lines without a fall since the last one
}

// add takes a report line. What is not finite is another alarm's.
func (f *fall) add(p rundir.Point) {
	if notFinite(p.Objective) {
		return
	}
	last := f.last
	f.last = p
	switch {
	case last.Step > 0 && p.Objective < last.Objective-fallRounding*f.size(last):
		f.raise(last, p)
	case f.on:
		f.quiet++
		if f.quiet >= fallPatience*alarmStrip {
			f.on = false
		}
	}
}

// size is that of the objective and its parts at a line.
func (f *fall) size(p rundir.Point) float64 {
	size := math.Max(1, math.Abs(p.Objective))
	for _, t := range p.Named(f.terms) {
		if !notFinite(t.Value) {
			size += math.Abs(t.Value)
		}
	}
	return size
}

// raise sets the alarm: the objective has fallen from one line to the next.
func (f *fall) raise(from, to rundir.Point) {
	if !f.on {
		f.on = true
		f.since = to.Step
		f.from = from
		f.to = to
	}
	f.quiet = 0
	if from.Objective-to.Objective > f.from.Objective-f.to.Objective {
		f.from, f.to = from, to
	}
}

func (f *fall) text() string {
	return fmt.Sprintf("the %s fell by %.3g, from %.8g to %.8g at step %d: no step should lower it",
		f.name, f.from.Objective-f.to.Objective, f.from.Objective, f.to.Objective, f.to.Step)
}
