package session

import (
	"math"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

// publishPeriod is the minimum time between snapshots that only report progress. A change of state is
// published immediately.
const publishPeriod = 60 * time.Millisecond

var nan = math.NaN()

// setState sets and publishes the state.
func (t *trainer) setState(s rundir.State) {
	t.state = s
	t.publish()
}

// publish makes the current state the latest snapshot.
func (t *trainer) publish() {
	if t.callable() {
		t.hyper = cloneHyper(t.probe.Model.Hyper())
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
		Summary: rundir.Summary{
			Format: rundir.SummaryFormat, ID: t.store.config.ID, Config: t.Config, Values: t.Values,
			ObjectiveIs: t.Spec.Objective, KeptStep: t.keptStep(), Evaluation: t.objective,
			BestVal: t.progress.BestVal, BestStep: t.progress.BestStep,
			Drift:      t.history.watcher.Drift.Report(),
			Parameters: t.size.Parameters, Variational: t.size.Variational,
			StepFLOPs: t.size.StepFLOPs,
			Test:      t.test.metrics, Worst: t.test.worst, LeaveOneOut: t.leftOut.scores,
			Hyper: t.hyper, Data: t.store.config.Data, Dir: t.store.Dir(),
			Notes: t.notes, Warnings: t.warnings.view(), Alarms: t.history.watcher.Alarms(),
		},
		Created: t.store.config.Created, WarmStart: t.store.config.WarmStart,
		Adapted: slices.Clone(t.store.config.Adapted),
		State:   t.state, Steps: t.steps(),
		Last: t.last.line(t.progress), Curve: t.history.curve.view(),
		ValPoints:   t.store.config.Data.Validation,
		Diagnostics: t.diagnosis.latest, DiagnosticsSeconds: t.diagnosis.spent,
		CheckpointStep: t.store.step, TestStep: t.test.step, Predictions: t.test.shown,
		LeftOut: t.leftOut.points,
	}
	if schedule := t.schedule(); schedule != nil {
		s.DecayAfter = schedule.DecayStart()
	}
	if t.test.alarm != nil {
		s.Alarms = append(slices.Clip(s.Alarms), *t.test.alarm)
	}
	s.Take(s.Last)
	if most := t.ValidationPoints; most > 0 {
		s.ValPoints = min(most, s.ValPoints)
	}
	speed := 0.0
	switch t.state {
	case rundir.Ended:
		if s.Seconds > 0 {
			speed = float64(s.Step) / s.Seconds
		}
	case rundir.Running, rundir.Paused:
		speed = t.rate.perSecond()
		if speed > 0 && s.Steps > 0 {
			s.Remaining = seconds(float64(max(t.sessionEnd()-s.Step, 0)) / speed)
		}
	}
	s.StepsPerSecond = rundir.Number(speed)
	return s
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
