package session

import (
	"context"
	"fmt"
	"time"

	"dgplab/session/rundir"
)

// conclude saves the final state, completes the report, restores the kept parameters, computes the
// last diagnostics and evaluates the model on the test set.
//
// It returns the error of ctx if ctx ends first. The run has then not ended: when resumed, it takes no
// further step and concludes again.
func (t *trainer) conclude(ctx context.Context) error {
	t.setState(rundir.Finishing)
	closing := t.progress.Clone()
	t.closing = &closing
	t.save()
	t.closeReport(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	passed, err := t.judgeKept(ctx)
	if err != nil {
		return err
	}
	if passed {
		t.progress.Kept.Passed, closing.Kept.Passed = true, true
		t.store.pending = true
		t.save()
	}
	if err := t.adoptKept(); err != nil {
		return err
	}
	if t.diagnosis.latest == nil || t.diagnosis.latest.Step != t.modelStep() {
		t.diagnose(ctx, true)
		t.publish()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	t.keepDiagnostics()
	if err := t.score(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("evaluate on the test set: %w", err)
	}
	if err := t.leaveOneOut(ctx); err != nil {
		return err
	}
	return t.evaluateOrWarn(ctx)
}

// end closes the files and publishes the last snapshot. A resumed run that ends before training keeps its
// previous results. A run whose final state cannot be saved has failed.
func (t *trainer) end(stop rundir.Stop, err error) {
	unkept := t.closeStore()
	if t.test.step != t.modelStep() || err != nil {
		t.test = testScores{} // The scores belong to another step.
	}
	if t.objective != nil && (t.objective.Step != t.modelStep() || err != nil) {
		t.objective = nil
	}
	if t.leftOut.step != t.modelStep() || err != nil {
		t.leftOut = leftOut{}
	}
	if t.leftOut.points != nil {
		if failed := t.store.SaveLeftOut(t.leftOut.step, t.leftOut.points); failed != nil {
			t.warnError("could not save the leave-one-out predictions", failed)
		}
	}
	if t.test.points != nil {
		if failed := t.store.SavePredictions(t.test.step, t.test.points); failed != nil {
			t.warnError("could not save the predictions of the test points", failed)
		}
	}
	if err == nil && unkept != nil {
		stop, err = rundir.StopFailed, unkept
	}
	t.history.watcher.Fail(t.progress.Step, err)
	t.state = rundir.Ended
	s := t.snapshot()
	s.end(stop, err, t.env.now())
	if failed := t.store.conclude(&s.Summary); failed != nil {
		if err != nil {
			failed = fmt.Errorf("%w; %w", err, failed)
		}
		s.fail(failed)
	}
	t.run.latest.Store(s)
}

// closeStore closes the report. It returns an error if the final checkpoint or the report could not
// be saved.
func (t *trainer) closeStore() error {
	if t.store.lost != nil && t.callable() {
		t.save() // The disk may have space again.
	}
	report := t.store.CloseLog()
	t.warnOfChanges()
	if report != nil {
		t.warnError("the report is incomplete", report)
	}
	switch {
	case t.store.lost != nil:
		return fmt.Errorf("could not save the final state: no checkpoint at step %d: %w",
			t.progress.Step, t.store.lost)
	case report != nil:
		return fmt.Errorf("could not save the final state: %w", report)
	}
	return nil
}

// end completes the snapshot of a run that ends now. err is nil unless it failed.
func (s *Snapshot) end(stop rundir.Stop, err error, now time.Time) {
	s.Stop = stop
	if err != nil {
		s.fail(err)
	}
	s.Finished = now.UTC().Truncate(time.Second)
	if d := s.Diagnostics; d != nil && d.Step == s.KeptStep && d.Chains != nil {
		s.Chains = &rundir.Chains{
			ChainsSummary: *d.Chains.Summary(),
			Gauges:        map[string]rundir.Number{},
		}
		for _, g := range s.ObjectiveIs.Gauges {
			s.Chains.Gauges[g.Key] = rundir.Number(s.Last.Reading(g.Key))
		}
	}
}

// fail records the error that ended the run.
func (s *Snapshot) fail(err error) {
	s.Stop, s.Err, s.Error = rundir.StopFailed, err, err.Error()
}
