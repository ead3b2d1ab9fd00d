package session

import (
	"context"
	"fmt"
	"slices"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/train"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// sourceOf returns the run that supplies the initial parameters, or nil if there is none. A family
// name selects its newest finished run on the same data, split and seed, preferably of the same
// sweep and with the most hyperparameters in common.
func (e environment) sourceOf(
	ctx context.Context, r *config.Resolved, sweep string,
) (*rundir.WarmStart, error) {
	name := r.Values[rundir.WarmStartSetting]
	if name == "" || name == r.Family {
		return nil, nil
	}
	var info rundir.Info
	var err error
	if _, unknown := models.Lookup(name); unknown == nil {
		info, err = e.runOfFamily(ctx, r, name, sweep)
	} else {
		info, err = rundir.Find(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s=%s: %w", rundir.WarmStartSetting, name, err)
	}
	if info.State == rundir.Broken {
		return nil, fmt.Errorf("%s=%s: %w", rundir.WarmStartSetting, name, info.Err)
	}
	if rundir.CheckpointStep(info.Dir) < 0 {
		return nil, fmt.Errorf("%s=%s: the run has no checkpoint to start from",
			rundir.WarmStartSetting, name)
	}
	return &rundir.WarmStart{Run: info.ID, Family: info.Config.Family}, nil
}

// runOfFamily returns the run that a family name selects; see sourceOf.
func (e environment) runOfFamily(
	ctx context.Context, r *config.Resolved, family, sweep string,
) (rundir.Info, error) {
	full, err := config.Complete(r.Config)
	if err != nil {
		return rundir.Info{}, err
	}
	if r.Config.Split == "" {
		full.Split, err = defaultSplit(full.Dataset, func() (*datasets.Dataset, error) {
			return e.load(ctx, r.Source())
		})
		if err != nil {
			return rundir.Info{}, err
		}
	}
	runs, err := rundir.List()
	if err != nil {
		return rundir.Info{}, err
	}
	best, most := -1, 0
	for i, run := range runs { // newest first
		c := run.Config
		if run.State != rundir.Ended || run.Results.Stop == rundir.StopFailed ||
			c.Family != family || c.Seed != full.Seed && !config.Seedless(c) ||
			c.Dataset != full.Dataset || c.Split != full.Split || !slices.Equal(c.Targets, full.Targets) ||
			c.Field(rundir.ColumnsField) != full.Field(rundir.ColumnsField) {
			continue
		}
		likeness := 1
		for name, value := range run.Values {
			if r.Values[name] == value {
				likeness++
			}
		}
		if sweep != "" && run.Sweep == sweep {
			// A run of the same sweep takes precedence.
			likeness += len(r.Values) + 1
		}
		if likeness > most {
			best, most = i, likeness
		}
	}
	if best < 0 {
		return rundir.Info{}, fmt.Errorf("the family has no finished run on %s, %s, seed %d",
			full.Dataset, full.Split, full.Seed)
	}
	return runs[best], nil
}

// warmStart copies the initial parameters from the run named in config.json. To get its shapes, the other
// model is built on the data of this run.
func (t *trainer) warmStart() error {
	w := t.store.config.WarmStart
	if w == nil || t.store.start != nil || t.progress.Step > 0 {
		return nil
	}
	transfer, err := t.copyFrom(w)
	if err != nil {
		return fmt.Errorf("start from %s: %w", w.Run, err)
	}
	w.Copied, w.Own, w.Unused = transfer.Copied, transfer.Own, transfer.Unused
	t.note(fmt.Sprintf("started from %s (%s, step %d): %s", w.Run, w.Family, w.Step, transfer))
	return t.store.SaveConfig(t.store.config)
}

// copyFrom copies the matching parameters from the checkpoint of a run.
func (t *trainer) copyFrom(w *rundir.WarmStart) (train.Transfer, error) {
	info, err := rundir.Find(w.Run)
	if err != nil {
		return train.Transfer{}, err
	}
	full := info.Config.Clone()
	full.Set = info.Values
	source, err := t.env.ResolveRecorded(info.ID, full)
	if err != nil {
		return train.Transfer{}, err
	}
	// These settings change the meaning of the parameters.
	for _, name := range []string{"whiten", "kernel"} {
		if a, b := source.Values[name], t.Values[name]; a != "" && b != "" && a != b {
			return train.Transfer{}, fmt.Errorf("it has %s=%s but this run has %s; they must be equal",
				name, a, b)
		}
	}
	cp, err := rundir.ReadCheckpoint(info.Dir)
	if err != nil {
		return train.Transfer{}, err
	}
	other, err := newModel(t.abortCtx, source, t.probe)
	if err != nil {
		return train.Transfer{}, err
	}
	if err := cp.RestoreResult(other.State()); err != nil {
		return train.Transfer{}, fmt.Errorf("%w; its data may be different", err)
	}
	if err := other.Restored(); err != nil {
		return train.Transfer{}, err
	}
	_, w.Step = cp.Result()
	return train.WarmStart(t.probe.Model, other, t.Values[config.WarmOptimizer] == "kept")
}
