package session

import (
	"context"
	"fmt"

	"dgplab/datasets"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// Diagnose rebuilds the model of a recorded run at its last checkpoint, or with the kept parameters if
// the run has ended, and returns its diagnostics. It does not change the run directory, and the run
// can be training. It costs as much as starting the run: it loads the data and builds the model.
//
// It returns an error if there is no checkpoint, if the data cannot be loaded, or if they have
// changed.
func (r *Record) Diagnose(ctx context.Context) (*rundir.Diagnostics, error) {
	return r.diagnose(ctx, realEnvironment())
}

func (r *Record) diagnose(ctx context.Context, env environment) (*rundir.Diagnostics, error) {
	t, err := r.reader(env)
	if err != nil {
		return nil, err
	}
	defer t.leave()
	err = t.recoverError("diagnosing", func() error {
		return t.rebuildAndDiagnose(ctx, r.State == rundir.Ended)
	})
	return t.diagnosis.latest, err
}

// reader returns a trainer for rebuilding the model of the run's last checkpoint. It does not
// train. The caller must call leave.
func (r *Record) reader(env environment) (*trainer, error) {
	file, err := rundir.ReadConfig(r.Dir)
	if err != nil {
		return nil, err
	}
	t := &trainer{
		options: options{env: env},
		store:   store{config: file},
		history: newHistory(file.ObjectiveIs, file.Data.N),
	}
	full := file.Config.Clone()
	full.Set = file.Values
	t.Resolved, err = env.Resolve(full)
	if err != nil {
		return nil, err
	}
	if err := config.CheckValues(file.ID, t.Spec, file.Values); err != nil {
		return nil, err
	}
	if err := t.loadCheckpoint(r.Dir); err != nil {
		return nil, err
	}
	if t.store.start == nil {
		return nil, fmt.Errorf("%s has no checkpoint", file.ID)
	}
	return t, nil
}

// rebuildAndDiagnose rebuilds the model and computes its diagnostics, with the kept parameters if the run
// has ended.
func (t *trainer) rebuildAndDiagnose(ctx context.Context, ended bool) error {
	if _, err := t.rebuild(ctx); err != nil {
		return err
	}
	if ended {
		if err := t.adoptKept(); err != nil {
			return err
		}
	}
	t.diagnose(ctx, true)
	if texts := t.warnings.view(); len(texts) > 0 && t.diagnosis.latest.Empty() {
		return fmt.Errorf("%s", texts[0])
	}
	return nil
}

// rebuild loads the data of the run and restores the model of the checkpoint. It returns the data.
func (t *trainer) rebuild(ctx context.Context) (*datasets.Dataset, error) {
	t.abortCtx = ctx
	ds, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	if facts := describe(ds, t.probe.Data); t.store.config.Data.N > 0 && !facts.Equal(t.store.config.Data) {
		return nil, fmt.Errorf("the data of %s have changed since the run", t.Dataset)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.admit(ds); err != nil {
		return nil, err
	}
	if err := t.build(ctx); err != nil {
		return nil, err
	}
	return ds, t.restore()
}

// recoverError turns a panic into an error that starts with doing. Unlike guard it writes no file.
func (t *trainer) recoverError(doing string, stage func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s %s panicked: %s", doing, t.store.config.ID, headline(value))
		}
	}()
	return stage()
}
