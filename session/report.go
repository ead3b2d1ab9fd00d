package session

import (
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// report is what the last step of a run said, as a report line. Its readings are
// those that the family's objective declares.
type report struct {
	point rundir.Point
}

// newReport returns the report of a run that has taken no step.
func newReport(o family.Objective) report {
	p := rundir.Point{Objective: nan, ValLogLik: nan}
	for _, list := range [][]family.Reading{o.Terms, o.Gauges} {
		for _, r := range list {
			p.Readings = append(p.Readings, rundir.Reading{Key: r.Key, Value: nan})
		}
	}
	return report{p}
}

// set takes what a step says, whose slices the model will write again.
func (r *report) set(said models.Report) {
	r.point.Objective, r.point.Phase = said.Objective, said.Phase
	at := 0
	for _, list := range [][]float64{said.Terms, said.Gauges} {
		for _, x := range list {
			r.point.Readings[at].Value = x
			at++
		}
	}
}

// turns says whether a line begins another phase.
func (r *report) turns(p rundir.Point) bool { return p.Phase != r.point.Phase }

// recall takes a report line of the run.
func (r *report) recall(p rundir.Point) {
	r.point.Objective, r.point.Phase = p.Objective, p.Phase
	for i := range r.point.Readings {
		own := &r.point.Readings[i]
		own.Value = p.Reading(own.Key)
	}
}

// noiseReading is the key of the noise variance in report lines: the mean of those of all
// targets, in standardised units.
const noiseReading = "noise_variance"

// withNoise adds the noise variance of a model to a line, if it has one.
func withNoise(line rundir.Point, m models.Model) rundir.Point {
	for _, q := range m.Hyper() {
		if q.Name != "likelihood.variance" || len(q.Value) == 0 {
			continue
		}
		mean := 0.0
		for _, v := range q.Value {
			mean += v / float64(len(q.Value))
		}
		line.Readings = append(line.Readings, rundir.Reading{Key: noiseReading, Value: mean})
	}
	return line
}

// line returns the report line of a step, without what is measured after it.
func (r *report) line(p rundir.Progress) rundir.Point {
	out := r.point
	out.Readings = slices.Clone(out.Readings)
	out.Step, out.Seconds, out.Rescues = p.Step, p.Seconds, p.Rescues
	return out
}
