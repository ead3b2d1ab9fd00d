package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/session/rundir"
)

// Diagnose rebuilds the model of a recorded run at its last checkpoint, or with the kept parameters if the
// run has ended, and returns its diagnostics. It does not change the run directory and can be called while
// the run is training. It takes as long as starting the run, because it loads the data and builds the model.
//
// It returns an error if there is no checkpoint, if the data cannot be loaded, or if they have
// changed.
func Diagnose(ctx context.Context, run rundir.Info) (*rundir.Diagnostics, error) {
	return diagnose(ctx, run, realEnvironment())
}

func diagnose(ctx context.Context, run rundir.Info, env environment) (d *rundir.Diagnostics, err error) {
	if run.WithoutData() {
		return nil, errWithoutData
	}
	err = rebuild(ctx, run, options{env: env}, "diagnosing", run.State == rundir.Ended,
		func(t *trainer, _ *datasets.Dataset) error {
			t.diagnose(ctx, true)
			d = t.diagnosis.latest
			if texts := t.warnings.view(); len(texts) > 0 && d.Empty() {
				return fmt.Errorf("%s", texts[0])
			}
			return nil
		})
	return d, err
}

// rebuild rebuilds the model of the run's last checkpoint, with the kept parameters if kept is true. It calls
// use with a trainer that holds the model but does not train it, and with the data set. A panic becomes an
// error that starts with doing; unlike guard, rebuild writes no file.
func rebuild(
	ctx context.Context, run rundir.Info, o options, doing string, kept bool,
	use func(*trainer, *datasets.Dataset) error,
) error {
	t, err := reader(run, o)
	if err != nil {
		return err
	}
	return t.use(ctx, doing, kept, use)
}

// use is rebuild for a trainer returned by reader.
func (t *trainer) use(
	ctx context.Context, doing string, kept bool, use func(*trainer, *datasets.Dataset) error,
) (err error) {
	defer t.leave()
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s %s panicked: %s", doing, t.store.config.ID, headline(value))
		}
	}()
	ds, err := t.rebuild(ctx)
	if err != nil {
		return err
	}
	if kept {
		if err := t.adoptKept(); err != nil {
			return err
		}
	}
	return use(t, ds)
}

// reader returns a trainer for rebuilding the model of the last checkpoint of a run directory, or of a packed
// model. The caller must call use, or leave.
func reader(run rundir.Info, o options) (*trainer, error) {
	o.data, o.packed = run.DataFile, run.Packed
	var file *rundir.ConfigFile
	var err error
	if o.packed != nil {
		own := *o.packed.Config
		file = &own
	} else {
		file, err = rundir.ReadConfig(run.Dir)
	}
	if err != nil {
		return nil, err
	}
	t := &trainer{
		options: o,
		store:   store{config: file},
		history: newHistory(file.ObjectiveIs, file.Data.N),
	}
	full := file.Config.Clone()
	full.Set = file.Values
	if err := t.resolve(full); err != nil {
		return nil, err
	}
	if o.packed != nil {
		t.store.start, err = t.store.own(o.packed.Checkpoint.Clone(), nil)
		t.progress = o.packed.Checkpoint.Progress.Clone()
	} else {
		err = t.loadCheckpoint(run.Dir)
	}
	if err != nil {
		return nil, err
	}
	if t.store.start == nil {
		return nil, fmt.Errorf("%s has no checkpoint", file.ID)
	}
	return t, nil
}

// rebuild loads the data of the run and restores the model of the checkpoint. It returns the data.
func (t *trainer) rebuild(ctx context.Context) (*datasets.Dataset, error) {
	t.abortCtx = ctx
	ds, _, err := t.loadRecorded(ctx)
	if err != nil {
		return nil, files.Brief(err)
	}
	if err := t.admit(ds); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.build(ctx); err != nil {
		return nil, err
	}
	err = t.restore()
	t.store.start = nil
	return ds, err
}

// resolve resolves the configuration of a recorded run. Its Set holds all of its values.
func (t *trainer) resolve(full rundir.Config) (err error) {
	registry := t.env.Registry
	elsewhere := t.packed != nil || t.data != ""
	switch {
	case t.data != "" && t.packed != nil:
		return errors.New("a packed model reads no data file; do without --data")
	case t.data != "" && !filepath.IsAbs(full.Dataset):
		return fmt.Errorf("%s has the data set %s, which is not a file; do without --data",
			t.store.config.ID, full.Dataset)
	case elsewhere: // The recorded name need not lead to a file.
		registry.Dataset = func(name string) (string, error) { return name, nil }
	}
	t.Resolved, err = registry.ResolveRecorded(t.store.config.ID, full)
	return files.Brief(whereNow(err))
}

// whereNow adds to the error of a data file that is missing how to say where it is.
func whereNow(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; if the file has moved, --data PATH reads it there", err)
	}
	return err
}

// loadRecorded loads the data of a recorded run, and checks that the run was trained on them. It returns the
// facts about the data, too.
func (t *trainer) loadRecorded(ctx context.Context) (*datasets.Dataset, rundir.DataFacts, error) {
	recorded := t.store.config.Data
	if t.packed != nil {
		return t.loadPacked(), recorded, nil
	}
	ds, err := t.load(ctx)
	switch {
	case err != nil && recorded.N > 0:
		return nil, recorded, whereNow(err)
	case err != nil:
		return nil, recorded, err
	}
	facts := describe(ds, t.probe.Data)
	switch {
	case recorded.N == 0 || facts.Equal(recorded):
		return ds, facts, nil
	case facts.SplitSHA256 != recorded.SplitSHA256:
		return nil, facts, fmt.Errorf("the file of the split %s has changed since the run began; "+
			"start a new run", t.Split)
	case t.data != "":
		const shown = 12
		return nil, facts, fmt.Errorf("%s does not hold the data of the run: SHA-256 %.*s; %s had %.*s",
			t.data, shown, facts.SHA256, t.Dataset, shown, recorded.SHA256)
	}
	return nil, facts, fmt.Errorf("the data of %s have changed since the run began; start a new run",
		t.Dataset)
}
