package watch

import (
	"math"

	"dgplab/models/infer"
	"dgplab/models/sampling"
	"dgplab/session/rundir"
)

// The floors are the smallest relevant changes over the window and thus over another fifth of the run. A
// slope is a trend if its change reaches the floor and its interval excludes zero. It is level if its whole
// interval stays below three times the floor.
const (
	// floorPerPoint is in nats: the validation log-likelihood of a point, and the objective divided
	// by the number of training points.
	floorPerPoint = 0.01
	// floorNoise is in units of the logarithm of the noise variance: 5 %.
	floorNoise = 0.05
	// driftWindow is the reciprocal of the share of steps that slopes are estimated from: the last fifth.
	driftWindow = 5
	// driftPatience is the reciprocal of the share of steps without improvement after which a run counts as
	// converged: the last tenth.
	driftPatience = 10
)

// Drift estimates how fast a run changes. The result depends only on the report lines.
type Drift struct {
	// Points is the number of training points, or 0 while it is unknown. Sampler is true for a sampler, whose
	// objective fluctuates and is not expected to rise.
	Points  int
	Sampler bool

	validation, objective, noise series
	step                         int
	// stable is the last step of the stable phase of the learning rate, or 0 if there was none.
	stable    int
	phase     string
	since     int // see rundir.Drift.SettledSince
	fall      *rundir.Fall
	converged bool
}

// Add adds a report line. The line of the last step can be repeated to add its validation. Lines of earlier
// steps are ignored. A new phase discards the earlier lines, except for the decay of the learning rate,
// which continues the stable phase.
func (d *Drift) Add(p rundir.Point) {
	switch {
	case p.Phase == infer.DecayPhase:
		d.phase = p.Phase
	case p.Phase != d.phase:
		*d = Drift{Points: d.Points, Sampler: d.Sampler, phase: p.Phase, converged: d.converged}
	}
	if p.Step < d.step {
		return
	}
	again := p.Step == d.step
	d.step = p.Step
	if p.Phase == infer.StablePhase {
		d.stable = p.Step
	}
	take := func(s *series, value float64) bool {
		finite := !notFinite(value)
		if finite {
			s.add(p.Step, value)
		}
		return finite
	}
	validated := take(&d.validation, p.ValLogLik)
	if !again {
		take(&d.objective, p.Objective)
		take(&d.noise, math.Log(p.Reading(NoiseReading)))
	}
	if validated {
		d.watchFall()
	}
	r := d.Report()
	switch {
	case r == nil || d.moves(r):
		d.since = 0
	case d.since == 0 && d.isLevel(r):
		d.since = p.Step
	}
}

// Report returns the drift at the last line, or nil before the first one. During and after the decay of the
// learning rate it reports the slopes of the stable phase, which show whether longer training would help.
func (d *Drift) Report() *rundir.Drift {
	if d.step == 0 {
		return nil
	}
	to := d.step
	if d.phase == infer.DecayPhase && d.stable > 0 {
		to = d.stable
	}
	r := &rundir.Drift{From: to - to/driftWindow, To: to, Phase: d.phase, Fall: d.fall}
	span := float64(r.To-r.From) / perSteps
	of := func(s *series, floor float64) *rundir.Estimate {
		e, ok := estimate(s.between(r.From+1, r.To))
		if !ok {
			return nil
		}
		e.Trend = trendOf(e, span, floor)
		return &e
	}
	r.Validation = of(&d.validation, floorPerPoint)
	r.Objective = of(&d.objective, floorPerPoint*float64(d.Points))
	r.Noise = of(&d.noise, floorNoise)
	if r.Fall != nil && !r.Fall.Overfits && r.Objective.Is(rundir.Rising) {
		fall := *r.Fall
		fall.Overfits = true
		r.Fall = &fall
	}
	r.Verdict = d.verdict(r)
	if d.converged && r.Verdict != rundir.Overfitting {
		r.Verdict = rundir.Settled
	}
	if r.Verdict == rundir.Settled {
		r.SettledSince = d.since
	}
	return r
}

// Converge records that further steps would not change the model.
func (d *Drift) Converge() { d.converged = true }

// Converged reports whether the run has been settled for long enough. The validation log-likelihood may still
// be below its best.
func (d *Drift) Converged() bool {
	if d.since == 0 || d.step-d.since < d.step/driftPatience {
		return false
	}
	r := d.Report()
	return !d.moves(r) && d.isLevel(r)
}

// trendOf returns the trend of a slope over a window of span thousand steps.
func trendOf(e rundir.Estimate, span, floor float64) rundir.Trend {
	change := float64(e.Slope) * span
	switch {
	case e.Low > 0 && change >= floor:
		return rundir.Rising
	case e.High < 0 && change <= -floor:
		return rundir.Falling
	case math.Max(math.Abs(float64(e.Low)), math.Abs(float64(e.High)))*span <= 3*floor:
		return rundir.Level
	}
	return rundir.Uncertain
}

// verdict combines the fall and the trends. A sampler has settled after its burn-in unless its predictions
// are still improving.
func (d *Drift) verdict(r *rundir.Drift) rundir.Verdict {
	falls := r.Validation.Is(rundir.Falling)
	if r.Fall != nil && !r.Validation.Is(rundir.Rising) {
		falls = true
		if r.Fall.Overfits {
			return rundir.Overfitting
		}
	}
	switch {
	case falls:
		return rundir.Undecided
	case d.moves(r):
		return rundir.Improving
	case d.isLevel(r), d.Sampler && d.phase == sampling.Sampling:
		return rundir.Settled
	}
	return rundir.Undecided
}

// moves reports whether the validation or the objective rises, or the noise changes.
func (d *Drift) moves(r *rundir.Drift) bool {
	noise := r.Noise.Is(rundir.Rising) || r.Noise.Is(rundir.Falling)
	return r.Validation.Is(rundir.Rising) || !d.Sampler && r.Objective.Is(rundir.Rising) || noise
}

// isLevel reports whether the validation log-likelihood is level, or the objective if there is no estimate
// for the validation.
func (d *Drift) isLevel(r *rundir.Drift) bool {
	counts := r.Validation
	if counts == nil && !d.Sampler {
		counts = r.Objective
	}
	return counts.Is(rundir.Level)
}
