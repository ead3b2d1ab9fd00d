package watch

import (
	"fmt"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// fallRounding is the tolerance for rounding errors of a monotone objective, relative to the sum of
// the absolute values of its terms, which can be much larger than the objective itself.
const fallRounding = 1e-9

// fall watches an exact objective that no step should lower. A single fall indicates an error in
// the arithmetic or in the model.
type fall struct {
	name  string
	terms []family.Reading
	on    bool
	since int

	last     rundir.Point // the previous finite line; Step is 0 before the first
	from, to rundir.Point // the largest fall since the alarm was raised
	quiet    int          // number of report lines since the last fall
}

// add adds a report line. Non-finite objectives are ignored; finiteness reports them.
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

// size returns the scale of the objective and its terms at a line.
func (f *fall) size(p rundir.Point) float64 {
	size := math.Max(1, math.Abs(p.Objective))
	for _, t := range p.Named(f.terms) {
		if !notFinite(t.Value) {
			size += math.Abs(t.Value)
		}
	}
	return size
}

// raise raises the alarm for a fall between two lines.
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
	return fmt.Sprintf("the %s fell by %.3g, from %.8g to %.8g at step %d: it should never decrease",
		f.name, f.from.Objective-f.to.Objective, f.from.Objective, f.to.Objective, f.to.Step)
}
