package session

import (
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// report is the result of the last step as a report line. The objective of the family declares its readings.
type report struct {
	point rundir.Point
}

// newReport returns the report of a run before its first step.
func newReport(o family.Objective) report {
	p := rundir.Point{Objective: nan, ValLogLik: nan}
	for _, list := range [][]family.Reading{o.Terms, o.Gauges} {
		for _, r := range list {
			p.Readings = append(p.Readings, rundir.Reading{Key: r.Key, Value: nan})
		}
	}
	return report{p}
}

// set copies the result of a step, because the model reuses its slices.
func (r *report) set(result models.Report) {
	r.point.Objective, r.point.Phase = result.Objective, result.Phase
	at := 0
	for _, list := range [][]float64{result.Terms, result.Gauges} {
		for _, x := range list {
			r.point.Readings[at].Value = x
			at++
		}
	}
}

// beginsPhase reports whether a line begins another phase.
func (r *report) beginsPhase(p rundir.Point) bool { return p.Phase != r.point.Phase }

// restore restores the report from a report line of the run.
func (r *report) restore(p rundir.Point) {
	r.point.Objective, r.point.Phase = p.Objective, p.Phase
	for i := range r.point.Readings {
		own := &r.point.Readings[i]
		own.Value = p.Reading(own.Key)
	}
}

// withNoise adds the noise variance of the model to a line if it has one.
func withNoise(line rundir.Point, m models.Model) rundir.Point {
	for _, q := range m.Hyper() {
		if q.Name != "likelihood.variance" || len(q.Value) == 0 {
			continue
		}
		mean := 0.0
		for _, v := range q.Value {
			mean += v / float64(len(q.Value))
		}
		line.Readings = append(line.Readings, rundir.Reading{Key: watch.NoiseReading, Value: mean})
	}
	return line
}

// line returns the report line of a step, without later measurements.
func (r *report) line(p rundir.Progress) rundir.Point {
	out := r.point
	out.Readings = slices.Clone(out.Readings)
	out.Step, out.Seconds, out.Rescues = p.Step, p.Seconds, p.Rescues
	return out
}
