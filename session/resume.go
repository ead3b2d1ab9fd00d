package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"dgplab/models"
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
	dir, err := findRun(id)
	if err != nil {
		return nil, err
	}
	t := &trainer{options: o}
	if err := t.reopen(dir); err != nil {
		return nil, err
	}
	return t.launch(ctx), nil
}

// reopen takes the lock of an old run directory and reads what is there.
func (t *trainer) reopen(dir string) (err error) {
	t.dir = dir
	if t.lock, err = lockRun(dir); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			t.lock.Close()
		}
	}()
	if t.file, err = readConfig(dir); err != nil {
		return err
	}
	if err := t.mayResume(); err != nil {
		return err
	}
	if err := t.recall(); err != nil {
		return err
	}
	offset, err := t.recallCurve()
	if err != nil {
		return err
	}
	// From here on the directory is changed.
	removeLeftovers(dir)
	t.log, err = openMetrics(dir, offset)
	t.ended = true
	return err
}

// renew makes the directory of a run that is resumed that of one that goes on.
func (t *trainer) renew() error {
	for _, name := range []string{summaryName, pointsName, crashName} {
		if err := os.Remove(filepath.Join(t.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	t.ended = false
	return t.saveConfig()
}

// mayResume resolves the configuration of config.json and refuses a run that
// has come to its end.
func (t *trainer) mayResume() error {
	summary, err := readSummary(t.dir)
	if err != nil {
		return err
	}
	full := t.file.Config
	full.Set = t.file.Values
	if t.limit > 0 {
		full = full.withSteps(t.limit)
		t.file.Config = t.file.Config.withSteps(t.limit)
	}
	if t.resolved, err = t.env.resolve(full); err != nil {
		return err
	}
	t.resolved.Set = t.file.Config.clone().Set
	t.file.Values = t.values
	if summary == nil {
		return nil
	}
	switch {
	case summary.Stop == StopEarly:
		return fmt.Errorf("%s has ended by early stopping at step %d; start a new run with early_stopping=off", t.file.ID, summary.Steps)
	case summary.Stop == StopSteps && t.settings.steps <= summary.Steps:
		return fmt.Errorf("%s has ended after all of its %d steps; ask for more steps to resume it", t.file.ID, summary.Steps)
	}
	return nil
}

// recall reads the checkpoint, if there is one.
func (t *trainer) recall() error {
	cp, err := readCheckpoint(t.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.progress = progress{BestVal: Number(math.NaN())}
		return nil
	case err != nil:
		return err
	case cp.Run != t.file.ID:
		return fmt.Errorf("%s belongs to run %s", cp.path, cp.Run)
	case cp.Progress.Step > t.settings.steps:
		return fmt.Errorf("%s: the checkpoint is at step %d, more than the %d steps asked for", t.file.ID, cp.Progress.Step, t.settings.steps)
	}
	t.checkpoint, t.progress = cp, cp.Progress
	return nil
}

// recallCurve reads the report lines up to the checkpoint and returns the offset
// behind them. A line that an uninterrupted run would not have, at the end of a
// shorter run, does not count.
func (t *trainer) recallCurve() (int64, error) {
	t.curve, t.watcher = newCurve(curveCap), newWatcher(0)
	if t.file.Data != nil {
		t.watcher.setData(t.file.Data.N)
	}
	return readMetrics(t.dir, func(p Point) bool {
		return p.Step <= t.progress.Step && (t.reports(p.Step) || p.Step == t.settings.steps)
	}, func(p Point) {
		t.curve.add(p)
		t.watcher.add(p)
		t.last = models.Report{Objective: p.Objective, ExpectedLogLik: p.ExpectedLogLik, KL: p.KL, GradientNorm: p.GradientNorm}
	})
}
