package session

import (
	"errors"
	"fmt"
	"io/fs"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// store is the trainer's access to the run directory, with the state of its files.
type store struct {
	*rundir.Writer
	config *rundir.ConfigFile
	// ended is true while a resumed run still has the files that were written when it last ended.
	ended bool
	// start is the checkpoint that a resumed run starts from. It is nil once the run is prepared.
	start *rundir.Checkpoint
	// returned is true if start is the checkpoint before a decay of the learning rate.
	returned bool
	// again is the report line at the step of the checkpoint if it must be written again.
	again *rundir.Point
	// step is the step of the checkpoint, or -1 if there is none. seconds is the training time when
	// the last checkpoint was due.
	step    int
	seconds float64
	// pending is true while the checkpoint lacks a validation of its step that was made since.
	pending bool
	// savedDiagnostics holds the last saved diagnostics.
	savedDiagnostics *rundir.Diagnostics
	// lost is the error from writing the last checkpoint, or nil if it was written.
	lost error
}

// readCheckpoint reads the checkpoint of dir, if there is one.
func (s *store) readCheckpoint(dir string) (err error) {
	s.start, err = s.own(rundir.ReadCheckpoint(dir))
	return err
}

// returnToStable makes the run start from the checkpoint before the decay of its learning rate if it is older
// than the one read by readCheckpoint.
func (s *store) returnToStable(dir string) error {
	stable, err := s.own(rundir.ReadStable(dir))
	if err != nil || stable == nil {
		return err
	}
	s.returned = stable.Progress.Step < s.start.Progress.Step
	if s.returned {
		s.start = stable
	}
	return nil
}

// own checks a checkpoint that was read, and returns nil if the file does not exist.
func (s *store) own(cp *rundir.Checkpoint, err error) (*rundir.Checkpoint, error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case cp.Run != s.config.ID:
		return nil, fmt.Errorf("%s belongs to run %s", cp.Path, cp.Run)
	}
	return cp, nil
}

// restore restores the state of the checkpoint into a model, if there is one.
func (s *store) restore(m models.Model) error {
	if s.start == nil {
		return nil
	}
	if err := s.start.Restore(m.State()); err != nil {
		return err
	}
	if err := m.Restored(); err != nil {
		return fmt.Errorf("restore the model: %w", err)
	}
	if step, done := s.start.Progress.Step, m.StepsDone(); done != step {
		return fmt.Errorf("the checkpoint is at step %d, but its model is at step %d", step, done)
	}
	s.seconds = s.start.Progress.Seconds
	return nil
}

// renew removes the results that a resumed run wrote when it last ended, and saves its configuration. The
// checkpoint of a run that returns to the state before a decay is replaced first: later steps must not be in
// it when their report lines are gone.
func (s *store) renew() error {
	if s.returned {
		if err := s.Return(s.start); err != nil {
			return err
		}
	}
	if err := s.Forget(s.again); err != nil {
		return err
	}
	s.ended = false
	return s.SaveConfig(s.config)
}

// due reports whether a checkpoint is due.
func (s *store) due(p rundir.Progress, set config.Settings) bool {
	return set.CheckpointEvery > 0 && p.Step%set.CheckpointEvery == 0 ||
		set.CheckpointSeconds > 0 && p.Seconds-s.seconds >= set.CheckpointSeconds
}

// save makes all earlier report lines durable and then writes a checkpoint, because a checkpoint must not be
// newer than the report.
func (s *store) save(p rundir.Progress, arrays, kept []models.Array) error {
	s.seconds = p.Seconds
	s.lost = s.Sync()
	if s.lost == nil {
		s.lost = s.SaveCheckpoint(p, arrays, kept)
	}
	if s.lost == nil {
		s.step, s.pending = p.Step, false
	}
	return s.lost
}

// saveStable saves the checkpoint before the decay of the learning rate, like save.
func (s *store) saveStable(p rundir.Progress, arrays, kept []models.Array) error {
	if err := s.Sync(); err != nil {
		return err
	}
	return s.SaveStable(p, arrays, kept)
}

// keep saves diagnostics unless they are already saved.
func (s *store) keep(d *rundir.Diagnostics) error {
	if d == nil || d == s.savedDiagnostics {
		return nil
	}
	if err := s.SaveDiagnostics(d); err != nil {
		return err
	}
	s.savedDiagnostics = d
	return nil
}

// conclude writes the summary. It writes nothing if the directory still has the files of an earlier
// summary, or if the run ended because the directory can no longer be written.
func (s *store) conclude(sum *rundir.Summary) error {
	if s.ended || s.Lost() != nil && sum.Stop == rundir.StopFailed {
		return nil
	}
	return s.SaveSummary(sum)
}

// save writes a checkpoint and the last diagnostics. The run continues if they cannot be written.
func (t *trainer) save() {
	if t.broken || t.store.step == t.progress.Step && !t.store.pending {
		return
	}
	last, kept := t.states()
	err := t.store.save(t.saved(), last, kept)
	t.warnOfChanges()
	if err != nil {
		t.warnError("could not write a checkpoint", err)
		return
	}
	t.keepDiagnostics()
}

// saved returns the progress for a checkpoint.
func (t *trainer) saved() rundir.Progress {
	p := t.progress
	if t.closing != nil {
		p = *t.closing
	}
	p.Last = nil
	if p.Pending == nil && !t.reports(p.Step) {
		line := t.last.line(p)
		p.Last = &line
	}
	return p
}

// warnOfChanges warns of changes made to the run directory by others.
func (t *trainer) warnOfChanges() {
	for _, text := range t.store.TakeNotices() {
		t.warn("%s", text)
	}
}

// keepDiagnostics saves the last diagnostics unless they are already saved.
func (t *trainer) keepDiagnostics() {
	if err := t.store.keep(t.diagnosis.latest); err != nil {
		t.warnError("could not write diagnostics", err)
	}
}
