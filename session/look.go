package session

import (
	"context"
	"fmt"

	"dgplab/datasets"
	"dgplab/session/rundir"
)

// Look builds the model of a recorded run anew, brings it to its last checkpoint, or to
// the parameters that are kept as its result if it has ended, and returns the
// diagnostics there. Nothing in the run directory is changed, and
// the run may be training meanwhile. It costs what starting the run costs:
// loading the data and building the model.
//
// It returns an error if there is no checkpoint, or if the data cannot be loaded
// or are no longer those of the run.
func (r *Record) Look(ctx context.Context) (*rundir.Diagnostics, error) {
	return r.look(ctx, realEnvironment())
}

func (r *Record) look(ctx context.Context, env environment) (*rundir.Diagnostics, error) {
	t, err := r.reader(env)
	if err != nil {
		return nil, err
	}
	defer t.leave()
	err = t.guardLook("looking into", func() error { return t.lookInside(ctx, r.State == rundir.Ended) })
	return t.inside.latest, err
}

// reader returns a trainer that trains nothing: what it rebuilds is the model of the
// run's last checkpoint. The caller must call leave.
func (r *Record) reader(env environment) (*trainer, error) {
	file, err := rundir.ReadConfig(r.Dir)
	if err != nil {
		return nil, err
	}
	t := &trainer{
		options: options{env: env},
		store:   store{config: file},
		history: newHistory(file.ObjectiveIs, file.Data),
	}
	full := file.Config.Clone()
	full.Set = file.Values
	t.resolved, err = env.resolve(full)
	if err != nil {
		return nil, err
	}
	if err := t.recallCheckpoint(r.Dir); err != nil {
		return nil, err
	}
	if t.store.start == nil {
		return nil, fmt.Errorf("%s has no checkpoint: there is no model of it", file.ID)
	}
	return t, nil
}

// lookInside rebuilds the model and makes its diagnostics: at the kept parameters of a run
// that has ended, else at those of the last checkpoint.
func (t *trainer) lookInside(ctx context.Context, ended bool) error {
	if _, err := t.rebuild(ctx); err != nil {
		return err
	}
	if ended {
		if err := t.adoptKept(); err != nil {
			return err
		}
	}
	t.diagnose(ctx, true)
	if texts := t.warnings.view(); len(texts) > 0 && t.inside.latest.Empty() {
		return fmt.Errorf("%s", texts[0])
	}
	return nil
}

// rebuild loads the data of the run, which it returns, and makes the model of the checkpoint.
func (t *trainer) rebuild(ctx context.Context) (*datasets.Dataset, error) {
	t.firm = ctx
	ds, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	if facts := describe(ds, t.prepared); t.store.config.Data != nil && !facts.Same(*t.store.config.Data) {
		return nil, fmt.Errorf("the data of %s are not those of the run", t.Dataset)
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

// guardLook turns a panic into an error that says what was done to the run; unlike guard it
// leaves no file.
func (t *trainer) guardLook(doing string, stage func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s %s panicked: %s", doing, t.store.config.ID, headline(value))
		}
	}()
	return stage()
}
