package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"dgplab/session/rundir"
)

// Resume continues a run that was stopped, failed or died, from its last
// checkpoint, or from the beginning if there was none. From there on it does
// what an uninterrupted run would have done, number for number. id may be the
// beginning of an ID. A run that reached its number of steps can be resumed with
// WithSteps; one that stopped early cannot.
//
// Until the files of the run were read and found sound, nothing is changed. What
// the run had come to stays until its data were loaded and its model restored: a
// run that cannot go on, because a file of data is gone, is as it was.
func Resume(ctx context.Context, id string, opts ...Option) (*Run, error) {
	o := collect(opts)
	files, err := rundir.Reopen(id)
	if err != nil {
		return nil, err
	}
	t := &trainer{options: o, files: files}
	if err := t.reopen(); err != nil {
		files.Close()
		return nil, err
	}
	return t.launch(ctx), nil
}

// reopen reads what is in the directory of an old run, and continues it.
func (t *trainer) reopen() (err error) {
	dir := t.files.Dir()
	if t.file, err = rundir.ReadConfig(dir); err != nil {
		return err
	}
	if err := t.mayResume(); err != nil {
		return err
	}
	if err := t.recall(dir); err != nil {
		return err
	}
	offset, err := t.recallCurve()
	if err != nil {
		return err
	}
	t.ended = true
	return t.files.Continue(offset)
}

// renew makes the directory of a run that is resumed that of one that goes on.
func (t *trainer) renew() error {
	if err := t.files.Forget(); err != nil {
		return err
	}
	t.ended = false
	return t.files.SaveConfig(t.file)
}

// mayResume resolves the configuration of config.json and refuses a run that
// has come to its end.
func (t *trainer) mayResume() error {
	summary, err := rundir.ReadSummary(t.files.Dir())
	if err != nil {
		return err
	}
	full := t.file.Config
	full.Set = t.file.Values
	if t.limit > 0 {
		full = withSteps(full, t.limit)
		t.file.Config = withSteps(t.file.Config, t.limit)
	}
	if t.resolved, err = t.env.resolve(full); err != nil {
		return err
	}
	t.resolved.Set = t.file.Config.Clone().Set
	t.file.Values = t.values
	if summary == nil {
		return nil
	}
	switch {
	case summary.Stop == rundir.StopEarly:
		return fmt.Errorf("%s has ended by early stopping at step %d; start a new run with early_stopping=off", t.file.ID, summary.Steps)
	case summary.Stop == rundir.StopSteps && t.settings.steps <= summary.Steps:
		return fmt.Errorf("%s has ended after all of its %d steps; ask for more steps to resume it", t.file.ID, summary.Steps)
	}
	return nil
}

// recall reads the checkpoint of dir, if there is one.
func (t *trainer) recall(dir string) error {
	cp, err := rundir.ReadCheckpoint(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.progress = rundir.Progress{BestVal: rundir.Number(math.NaN())}
		return nil
	case err != nil:
		return err
	case cp.Run != t.file.ID:
		return fmt.Errorf("%s belongs to run %s", cp.Path, cp.Run)
	case cp.Progress.Step > t.settings.steps:
		return fmt.Errorf("%s: the checkpoint is at step %d, more than the %d steps asked for", t.file.ID, cp.Progress.Step, t.settings.steps)
	}
	t.checkpoint, t.progress = cp, cp.Progress
	return nil
}

// recallCurve reads the report lines up to the checkpoint and returns the offset
// behind them. A line that an uninterrupted run would not have, at the end of a
// shorter run, does not count, nor does one that is pending.
func (t *trainer) recallCurve() (int64, error) {
	t.curve, t.watcher = newCurve(curveCap), newWatcher(0)
	if t.file.Data != nil {
		t.watcher.setData(t.file.Data.N)
	}
	last := t.progress.Step
	if t.progress.Pending != nil {
		last--
	}
	offset, err := rundir.ReadPoints(t.files.Dir(), func(p rundir.Point) bool {
		return p.Step <= last && (t.reports(p.Step) || p.Step == t.settings.steps)
	}, func(p rundir.Point) {
		t.curve.add(p)
		t.watcher.add(p)
		t.last = reportOf(p)
	})
	if line := t.progress.Pending; line != nil {
		t.last = reportOf(*line)
	}
	return offset, err
}
