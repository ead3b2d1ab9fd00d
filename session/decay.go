package session

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/session/rundir"
)

// The learning rate of many runs is constant in a stable phase, and falls in a decay at the end; see
// infer.StableDecay. The decay begins at its share of the steps. It begins earlier, and the run becomes
// shorter, when a rule that ends other runs decides, or when the user asks. The state before the decay is
// saved, because a longer run continues from it.

// schedule returns the schedule of a run with a decay, or nil.
func (t *trainer) schedule() *infer.Schedule {
	if t.probe == nil {
		return nil
	}
	m, ok := t.probe.Model.(family.Scheduled)
	if !ok {
		return nil
	}
	schedule := m.RateSchedule()
	if schedule == nil || !schedule.Decays() {
		return nil
	}
	return schedule
}

// inStablePhase reports whether the next step precedes the decay of the run.
func (t *trainer) inStablePhase() bool {
	schedule := t.schedule()
	return schedule != nil && t.progress.Step < schedule.DecayStart()
}

// finish begins the decay of a run in its stable phase. It has no effect on other runs.
func (t *trainer) finish() {
	if t.inStablePhase() {
		t.beginDecay(rundir.StopFinished)
	}
}

// decayEarly begins the decay of a run in its stable phase if a rule that ends runs early decides.
func (t *trainer) decayEarly() {
	if !t.inStablePhase() {
		return
	}
	if rule := t.ruleToStop(); rule != "" {
		t.beginDecay(rule)
	}
}

// beginDecay lets the learning rate fall from the next step on, because of stop.
func (t *trainer) beginDecay(stop rundir.Stop) {
	schedule := t.schedule()
	step := t.progress.Step
	schedule.Length = schedule.LengthWithDecayAfter(step)
	t.progress.Decay = &rundir.Decay{After: step, End: schedule.Length, Stop: stop}
	t.publish()
}

// restoreDecay shortens the schedule of a resumed run whose decay began early.
func (t *trainer) restoreDecay() {
	if decay := t.progress.Decay; decay != nil {
		t.schedule().Length = decay.End
	}
}

// steps returns the number of steps of the run.
func (t *trainer) steps() int {
	if decay := t.progress.Decay; decay != nil {
		return decay.End
	}
	return t.Settings.Steps
}

// saveStable saves the state before the decay if the next step is its first. The checkpoint of an early
// decay is saved as well, so that a run that dies does not forget the request.
func (t *trainer) saveStable() {
	schedule := t.schedule()
	if schedule == nil || t.progress.Step != schedule.DecayStart() {
		return
	}
	p := t.saved()
	p.Decay = nil
	last, kept := t.states()
	if err := t.store.saveStable(p, last, kept); err != nil {
		t.warnError("could not save the state before the decay", err)
	}
	if t.progress.Decay != nil {
		t.store.pending = true
		t.save()
	}
}
