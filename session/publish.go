package session

import (
	"math"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

// publishPeriod is the minimum time between snapshots that only report progress. A change of state
// is published at once.
const publishPeriod = 60 * time.Millisecond

var nan = math.NaN()

// setState sets and publishes the state.
func (t *trainer) setState(s State) {
	t.state = s
	t.publish()
}

// publish makes the current state the latest snapshot.
func (t *trainer) publish() {
	if t.callable() {
		t.hyper = cloneHyper(t.model.Hyper())
	}
	t.run.latest.Store(t.snapshot())
	t.published = t.env.now()
}

// snapshot returns the current state. The snapshot shares only data that the trainer never modifies
// again.
func (t *trainer) snapshot() *Snapshot {
	if t.progress.Converged {
		t.history.watcher.Drift.Converge()
	}
	s := &Snapshot{
		ID: t.store.config.ID, Dir: t.store.Dir(), State: t.state, Config: t.Config, Values: t.Values,
		Parameters: t.modelData.size.Parameters, Variational: t.modelData.size.Variational,
		Step: t.progress.Step, Steps: t.Settings.Steps, Seconds: t.progress.Seconds,
		ObjectiveIs: t.Spec.Objective, Last: t.last.line(t.progress), Curve: t.history.curve.view(),
		BestVal: float64(t.progress.BestVal), BestStep: t.progress.BestStep, KeptStep: t.keptStep(),
		Diagnostics: t.diagnosis.latest, DiagnosticsSeconds: t.diagnosis.spent,
		Alarms: t.history.watcher.Alarms(),
		Drift:  t.history.watcher.Drift.Report(),
		Hyper:  t.hyper, Rescues: t.progress.Rescues,
		CheckpointStep: t.store.step, Notes: t.notes, Warnings: t.warnings.view(),
		Test: t.test.metrics, TestStep: t.test.step,
		Predictions: t.test.shown, Evaluation: t.objective,
	}
	t.describeData(s)
	switch t.state {
	case Ended:
		if s.Seconds > 0 {
			s.StepsPerSecond = float64(s.Step) / s.Seconds
		}
	case Training, Paused:
		s.StepsPerSecond = t.rate.perSecond()
		if s.StepsPerSecond > 0 && s.Steps > 0 {
			s.Remaining = seconds(float64(s.Steps-s.Step) / s.StepsPerSecond)
		}
	}
	return s
}

func (t *trainer) describeData(s *Snapshot) {
	if d := t.store.config.Data; d.N > 0 {
		s.N = d.N
		s.NumValidation = d.Validation
		s.NumTest = d.Test
		s.D = d.D
		s.P = d.P
		s.ValPoints, s.Uses = d.Validation, d.Uses
		if most := t.ValidationPoints; most > 0 {
			s.ValPoints = min(most, d.Validation)
		}
	}
	if t.prepared != nil {
		s.Task = t.prepared.Task
	}
	s.Batch = rundir.BatchOf(s.Values, s.N)
}

// seconds converts s to a Duration, saturating at the maximum.
func seconds(s float64) time.Duration {
	if s >= math.MaxInt64/1e9 {
		return math.MaxInt64
	}
	return time.Duration(s * 1e9)
}

func cloneHyper(list []models.Quantity) []models.Quantity {
	out := make([]models.Quantity, len(list))
	for i, q := range list {
		out[i] = models.Quantity{Name: q.Name, Value: slices.Clone(q.Value)}
	}
	return out
}

// rate measures training steps per second over the last few seconds.
type rate struct {
	marks []mark // oldest first
}

type mark struct {
	seconds float64
	step    int
}

const (
	rateWindow = 5.0  // length of the window in seconds
	rateGrain  = 0.25 // seconds between marks
)

// restart resets the measurement.
func (r *rate) restart(p rundir.Progress) { r.marks = append(r.marks[:0], mark{p.Seconds, p.Step}) }

// add adds the current progress.
func (r *rate) add(p rundir.Progress) {
	n := len(r.marks)
	// The newest mark moves forward until it is rateGrain after the previous one.
	if n >= 2 && r.marks[n-1].seconds-r.marks[n-2].seconds < rateGrain {
		r.marks[n-1] = mark{p.Seconds, p.Step}
		return
	}
	r.marks = append(r.marks, mark{p.Seconds, p.Step})
	for len(r.marks) > 2 && p.Seconds-r.marks[0].seconds > rateWindow {
		r.marks = slices.Delete(r.marks, 0, 1)
	}
}

// perSecond returns the rate, or 0 if it is unknown.
func (r *rate) perSecond() float64 {
	if len(r.marks) < 2 {
		return 0
	}
	first, last := r.marks[0], r.marks[len(r.marks)-1]
	if last.seconds <= first.seconds {
		return 0
	}
	return float64(last.step-first.step) / (last.seconds - first.seconds)
}
