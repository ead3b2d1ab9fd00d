package session

import (
	"context"
	"fmt"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

// Resume continues a run that was stopped, failed or died from its last checkpoint or, if there is none, from
// the beginning. The results are bit for bit the results of an uninterrupted run. id may be the beginning of
// an ID. A run that has done all of its steps can be resumed with WithSteps; a run that was ended by early
// stopping cannot.
//
// Resume changes nothing until it has read and verified the files of the run. The previous results
// are kept until the data are loaded and the model is restored. A run that cannot continue, for
// example because its data file is missing, stays unchanged.
func Resume(ctx context.Context, id string, opts ...Option) (*Run, error) {
	o := collect(opts)
	files, err := rundir.Reopen(id)
	if err != nil {
		return nil, err
	}
	t := &trainer{options: o, store: store{Writer: files}}
	if err := t.reopen(); err != nil {
		files.Close()
		return nil, err
	}
	return t.launch(ctx), nil
}

// reopen reads the directory of an existing run and prepares it for writing.
func (t *trainer) reopen() (err error) {
	dir := t.store.Dir()
	t.store.config, err = rundir.ReadConfig(dir)
	if err != nil {
		return err
	}
	summary, err := t.readSummary(dir)
	if err != nil {
		return err
	}
	if err := t.checkResumable(summary); err != nil {
		return err
	}
	if err := t.loadStart(dir, summary); err != nil {
		return err
	}
	offset, err := t.loadCurve()
	if err != nil {
		return err
	}
	t.store.ended = true
	return t.store.Continue(offset)
}

// readSummary reads the summary that was written when the run last ended, if there is one.
func (t *trainer) readSummary(dir string) (*rundir.Summary, error) {
	summary, err := rundir.ReadSummary(dir)
	switch {
	case err != nil && t.repair:
		t.warn("%v: the summary will be recreated", err)
		return nil, nil
	case err != nil:
		return nil, t.refuseDamage(err, "recreate it")
	}
	return summary, nil
}

// checkResumable resolves the configuration in config.json. It returns an error if the run cannot be
// continued.
func (t *trainer) checkResumable(summary *rundir.Summary) (err error) {
	full := t.store.config.Config
	full.Set = t.store.config.Values
	more := func(c rundir.Config) rundir.Config {
		c = config.WithSteps(c, t.limit)
		if summary != nil && summary.Stop == rundir.StopSettled {
			c.Set[config.UntilConverged] = "off" // The rule would end the run at once.
		}
		return c
	}
	if t.limit > 0 {
		full = more(full)
		t.store.config.Config = more(t.store.config.Config)
	}
	if err := t.resolve(full); err != nil {
		return err
	}
	t.Resolved.SetNumData(t.store.config.Data.N)
	t.Resolved.Set = t.store.config.Config.Clone().Set
	t.store.config.Values, t.store.config.ObjectiveIs = t.Values, t.Spec.Objective
	if summary == nil {
		return nil
	}
	switch {
	case summary.Stop == rundir.StopConverged:
		return fmt.Errorf("%s has converged at step %d: further steps would change nothing",
			t.store.config.ID, summary.Step)
	case summary.Stop == rundir.StopEarly:
		return fmt.Errorf("%s was ended by early stopping at step %d; start a new run with "+
			"early_stopping=off", t.store.config.ID, summary.Step)
	case summary.Stop == rundir.StopSettled && t.UntilConverged:
		return fmt.Errorf("%s has settled at step %d; request more steps to resume it",
			t.store.config.ID, summary.Step)
	case summary.Stop == rundir.StopFinished && t.limit == 0:
		return fmt.Errorf("%s has finished at step %d; request more steps to resume it",
			t.store.config.ID, summary.Step)
	case summary.ExtendedSteps() > 0 && t.Settings.Steps <= summary.Step:
		return fmt.Errorf("%s has done all of its %d steps; request more steps to resume it",
			t.store.config.ID, summary.Step)
	}
	return nil
}

// loadStart reads the checkpoint of dir. There is none if the run died before writing its first.
func (t *trainer) loadStart(dir string, summary *rundir.Summary) error {
	err := t.loadCheckpoint(dir)
	switch {
	case err != nil && t.repair:
		t.warn("%v: training restarted from the first step", err)
	case err != nil:
		return t.refuseDamage(err, "restart from the first step")
	case t.store.start == nil:
		return t.checkAbsence(summary)
	case t.limit > 0:
		err = t.returnToStable(dir)
		if err != nil {
			return err
		}
	}
	if t.progress.Step > t.Settings.Steps {
		return fmt.Errorf("%s: the checkpoint is at step %d, beyond the %d requested steps",
			t.store.config.ID, t.progress.Step, t.Settings.Steps)
	}
	return nil
}

// loadCheckpoint reads the checkpoint and the progress of the run, if there is one.
func (t *trainer) loadCheckpoint(dir string) error {
	t.progress = rundir.Progress{BestVal: rundir.Number(nan)}
	if err := t.store.readCheckpoint(dir); err != nil {
		return err
	}
	if t.store.start != nil {
		t.progress = t.store.start.Progress
	}
	return nil
}

// returnToStable makes a run with more steps start before the decay of its learning rate.
func (t *trainer) returnToStable(dir string) error {
	err := t.store.returnToStable(dir)
	switch {
	case err != nil && t.repair:
		t.warn("%v: training continues after the decay of the learning rate", err)
	case err != nil:
		return t.refuseDamage(err, "continue after the decay of the learning rate")
	}
	t.progress = t.store.start.Progress
	return nil
}

// loadCurve reads the report lines up to the checkpoint and returns the offset after them. It skips pending
// lines and lines that were written only because the run ended. If the line at the step of the checkpoint
// contains a validation made only because the run ended, the line is removed and written again without the
// validation.
func (t *trainer) loadCurve() (int64, error) {
	for {
		lines := &audit{Settings: t.Settings, known: t.store.config.Lost}
		offset, err := t.readLines(lines)
		if again, err := t.checkLines(lines, err); !again || err != nil {
			return offset, err
		}
	}
}

// readLines reads the report lines for loadCurve and checks them with lines.
func (t *trainer) readLines(lines *audit) (int64, error) {
	t.history = newHistory(t.Spec.Objective, t.store.config.Data.N)
	t.last = newReport(t.Spec.Objective)
	last := t.progress.Step
	if t.progress.Pending != nil {
		last--
	}
	lines.end, lines.checkpoint = last, t.progress.Step
	known := 0 // the step of t.last
	restoreReport := func(p rundir.Point) {
		if t.last.beginsPhase(p) {
			t.phaseStep = p.Step
		}
		t.last.restore(p)
		known = p.Step
	}
	take := func(p rundir.Point) {
		t.history.add(p)
		restoreReport(p)
	}
	offset, err := rundir.ReadPoints(t.store.Dir(), func(p rundir.Point) bool {
		if p.Step > last {
			return false
		}
		if !lines.take(p, t.last.beginsPhase(p)) {
			// The last line of an ended run holds the results of its step.
			if p.Step == last && lines.err == nil {
				t.last.restore(p)
				known = p.Step
			}
			return false
		}
		if p.Step < t.progress.Step || t.Validates(p.Step) {
			return true
		}
		p.ValLogLik = nan
		t.store.again = &p
		take(p)
		return false
	}, take)
	lines.reach(lines.end)
	for _, line := range []*rundir.Point{t.progress.Last, t.progress.Pending} {
		if line != nil {
			restoreReport(*line)
		}
	}
	if t.progress.Step >= t.steps() && known != t.progress.Step {
		t.last = newReport(t.Spec.Objective) // No step is left, and the results of the last one are lost.
	}
	return offset, err
}
