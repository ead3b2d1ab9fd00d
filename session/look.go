package session

import (
	"context"
	"fmt"

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
) (err error) {
	t, err := reader(run.Dir, o)
	if err != nil {
		return err
	}
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

// reader returns a trainer for rebuilding the model of the last checkpoint in a run directory. The caller
// must call leave.
func reader(dir string, o options) (*trainer, error) {
	file, err := rundir.ReadConfig(dir)
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
	t.Resolved, err = o.env.ResolveRecorded(file.ID, full)
	if err != nil {
		return nil, files.Brief(err)
	}
	if err := t.loadCheckpoint(dir); err != nil {
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
	ds, err := t.load(ctx)
	if err != nil {
		return nil, files.Brief(err)
	}
	if facts := describe(ds, t.probe.Data); t.store.config.Data.N > 0 && !facts.Equal(t.store.config.Data) {
		return nil, fmt.Errorf("the data of %s have changed since the run", t.Dataset)
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
