package session

import (
	"errors"
	"fmt"
	"io/fs"

	"dgplab/models"
	"dgplab/session/rundir"
)

// store is the run directory in the hands of the trainer, and how far it is up to
// date.
type store struct {
	*rundir.Writer
	config *rundir.ConfigFile
	// ended says that the directory is still that of the run's earlier end.
	ended bool
	// start is what a resumed run starts from, until its model was restored.
	start *rundir.Checkpoint
	// again is the report line of its step, if that has to be written again.
	again *rundir.Point
	// step is that of the checkpoint, -1 if there is none, and seconds the time of
	// training when it was last due.
	step    int
	seconds float64
	// inside is the last look into the model that is kept.
	inside *rundir.Diagnostics
	// lost says why the last checkpoint that was due is not there; nil if it is.
	lost error
}

// recall reads the checkpoint of dir, if there is one.
func (s *store) recall(dir string) error {
	cp, err := rundir.ReadCheckpoint(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case cp.Run != s.config.ID:
		return fmt.Errorf("%s belongs to run %s", cp.Path, cp.Run)
	}
	s.start = cp
	return nil
}

// restore brings a model to the state of the checkpoint, if there is one.
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
		return fmt.Errorf("the checkpoint is of step %d, its model of step %d", step, done)
	}
	s.seconds = s.start.Progress.Seconds
	s.start = nil
	return nil
}

// renew makes the directory of a run that is resumed that of one that goes on.
func (s *store) renew() error {
	if err := s.Forget(); err != nil {
		return err
	}
	s.ended = false
	if s.again != nil {
		if err := s.Append(*s.again); err != nil {
			return err
		}
	}
	return s.SaveConfig(s.config)
}

// due says whether a checkpoint is.
func (s *store) due(p rundir.Progress, set settings) bool {
	return set.checkpointEvery > 0 && p.Step%set.checkpointEvery == 0 ||
		set.checkpointSeconds > 0 && p.Seconds-s.seconds >= set.checkpointSeconds
}

// save writes a checkpoint, once all report lines are durable that it continues: they must
// not be younger.
func (s *store) save(p rundir.Progress, arrays, kept []models.Array) error {
	s.seconds = p.Seconds
	s.lost = s.Sync()
	if s.lost == nil {
		s.lost = s.SaveCheckpoint(p, arrays, kept)
	}
	if s.lost == nil {
		s.step = p.Step
	}
	return s.lost
}

// keep writes diagnostics, unless they are there.
func (s *store) keep(d *rundir.Diagnostics) error {
	if d == nil || d == s.inside {
		return nil
	}
	if err := s.SaveDiagnostics(d); err != nil {
		return err
	}
	s.inside = d
	return nil
}

// conclude writes the summary, unless there is that of the run's earlier end or the run was ended
// because it can be written no more.
func (s *store) conclude(sum *rundir.Summary) error {
	if s.ended || s.Lost() != nil && sum.Stop == rundir.StopFailed {
		return nil
	}
	return s.SaveSummary(sum)
}

// save writes a checkpoint and the last diagnostics. A run goes on when they cannot
// be written.
func (t *trainer) save() {
	if t.broken || t.store.step == t.progress.Step {
		return
	}
	p := t.progress
	if t.closing != nil {
		p = *t.closing
	}
	p.Last = nil
	if line := t.last.line(p); p.Pending == nil && !t.reports(p.Step) {
		p.Last = &line
	}
	last, kept := t.states()
	err := t.store.save(p, last, kept)
	t.tellNoticed()
	if err != nil {
		t.trouble("no checkpoint could be written", err)
		return
	}
	t.keepDiagnostics()
}

// tellNoticed warns of what others were noticed to have done to the run directory.
func (t *trainer) tellNoticed() {
	for _, text := range t.store.Noticed() {
		t.warn("%s", text)
	}
}

// keepDiagnostics writes the last diagnostics, unless they are there.
func (t *trainer) keepDiagnostics() {
	if err := t.store.keep(t.inside.latest); err != nil {
		t.trouble("diagnostics could not be written", err)
	}
}
