package session

import (
	"context"
	"fmt"
)

// conclude keeps the final state, evaluates on the test part, and makes the last
// diagnostics. When ctx was cancelled only the first is done.
func (t *trainer) conclude(ctx context.Context) error {
	t.setState(Finishing)
	t.save()
	if ctx.Err() != nil {
		return nil
	}
	if t.diagnostics == nil || t.diagnostics.Step != t.progress.Step {
		t.diagnose()
		t.publish()
	}
	t.keepDiagnostics()
	if err := t.score(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("evaluate on the test part: %w", err)
	}
	return nil
}

// score evaluates the model as it is on the test part, unless that was done.
func (t *trainer) score(ctx context.Context) error {
	if t.test != nil && t.testStep == t.progress.Step {
		return nil
	}
	metrics, points, err := t.evaluate(ctx)
	if err == nil {
		t.test, t.points, t.testStep = metrics, points, t.progress.Step
		t.shown = points.thin(shownPoints)
	}
	return err
}

// end closes the files and publishes the last snapshot. A run that was resumed and
// never got as far as training leaves the results that it had.
func (t *trainer) end(stop Stop, err error) {
	if failed := t.log.close(); failed != nil || t.log.lost > 0 {
		t.warn("%s is incomplete (%d lines lost): %v", metricsName, t.log.lost, failed)
	}
	if t.testStep != t.progress.Step || err != nil {
		t.test, t.testStep, t.points, t.shown = nil, 0, nil, nil // they are not those of the end
	}
	if t.points != nil {
		if failed := savePoints(t.dir, t.file.ID, t.testStep, t.points); failed != nil {
			t.warn("the predictions of the test points could not be saved: %v", failed)
		}
	}
	t.watcher.fail(t.progress.Step, err)
	t.state = Ended
	s := t.snapshot()
	s.Stop, s.Err = stop, err
	s.Summary = summaryOf(s, t.file.Data, t.size.StepFLOPs, t.env.now())
	if failed := t.saveSummary(s.Summary); failed != nil {
		if err != nil {
			failed = fmt.Errorf("%w; %w", err, failed)
		}
		s.Stop, s.Err = StopFailed, failed
		s.Summary.Stop, s.Summary.Error = s.Stop, s.Err.Error()
	}
	t.run.latest.Store(s)
}

// saveSummary writes the summary, unless there is that of the run's earlier end.
func (t *trainer) saveSummary(s *Summary) error {
	if t.ended {
		return nil
	}
	if err := writeJSON(t.dir, summaryName, s); err != nil {
		return fmt.Errorf("the summary could not be saved: %w", err)
	}
	return nil
}
