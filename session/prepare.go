package session

import (
	"context"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/interrupt"
	"dgplab/session/memory"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// Purposes of random numbers outside package probe; see config.Derive.
const (
	modelDraws = "model"    // all random numbers of the model
	holdOut    = "hold-out" // choice of the validation split
)

// prepare loads the data and builds or restores the model.
func (t *trainer) prepare(ctx context.Context) error {
	ds, facts, err := t.loadRecorded(ctx)
	if err != nil {
		return err
	}
	if err := t.recordData(facts); err != nil {
		return err
	}
	for _, note := range ds.Notes {
		t.note(note.Text)
	}
	for _, w := range dataWarnings(t.Resolved, ds, t.probe.Data) {
		t.warn("%s", w.Text)
	}
	if err := t.admit(ds); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.fitBudget(ctx, ds); err != nil {
		return err
	}
	for _, a := range t.store.config.Adapted {
		t.note(a.String())
	}
	t.publish()
	memory.Trim(facts.Rows * (facts.D + facts.P))
	if err := t.build(ctx); err != nil {
		return err
	}
	if err := t.warmStart(); err != nil {
		return err
	}
	if err := t.restore(); err != nil {
		return err
	}
	t.restoreDecay()
	t.takeNotes()
	if t.store.ended {
		err = t.store.renew()
	}
	t.store.start = nil
	return err
}

// takeNotes adds the notes of the model to the run.
func (t *trainer) takeNotes() {
	if m, ok := t.probe.Model.(family.Annotator); ok {
		for _, note := range m.Notes() {
			t.note(note)
		}
	}
}

// load loads the data set and divides it as the run requires. X of the returned data set is nil.
func (t *trainer) load(ctx context.Context) (*datasets.Dataset, error) {
	if l := t.inspected.take(t.Resolved); l != nil {
		t.adopt(l)
		return l.ds, nil
	}
	source := t.Source()
	if t.data != "" {
		source.Name = t.data
	}
	ds, err := interrupt.Call(ctx, func() (*datasets.Dataset, error) { return t.env.load(ctx, source) })
	if err != nil {
		return nil, err
	}
	ds, err = t.Usable(ds)
	if err != nil {
		return nil, err
	}
	d := divisionOf(t.Resolved)
	d.inPlace = true
	l, err := interrupt.Call(ctx, func() (*loadedData, error) {
		prepared, split, err := t.env.prepare(ds, d)
		return &loadedData{ds, prepared, split}, err
	})
	if err != nil {
		return nil, err
	}
	t.adopt(l)
	return ds, nil
}

// loadedData is a data set with its parts.
type loadedData struct {
	ds       *datasets.Dataset
	prepared *datasets.Prepared
	split    string // full name
}

// adopt makes the run use data.
func (t *trainer) adopt(l *loadedData) {
	t.Split, t.store.config.Split = l.split, l.split
	t.probe = probe.New(t.abortCtx, l.ds, l.prepared, t.Seed)
}

// build creates the model for the training data in its initial state.
func (t *trainer) build(ctx context.Context) error {
	model, err := newModel(ctx, t.Resolved, t.probe)
	if err != nil {
		return err
	}
	t.probe.Model, t.size.Parameters = model, model.NumParameters()
	return nil
}

// newModel returns the model of a configuration for the training data of a probe, in its initial state.
func newModel(ctx context.Context, r *config.Resolved, p *probe.Probe) (models.Model, error) {
	prepared := p.Data
	data := models.Data{
		X:     prepared.Train.X,
		Y:     prepared.Train.Y,
		Noise: prepared.Train.Noise, LearnedNoise: prepared.LearnedNoise, Weights: prepared.Train.Weights,
		Task:    prepared.Task,
		Classes: len(prepared.Classes),
		Inputs:  prepared.Inputs,
		Columns: p.Columns(),
		Steps:   r.Steps,
	}
	values := r.FamilyValues()
	seed := config.Derive(r.Seed, modelDraws, 0)
	return interrupt.Call(ctx, func() (models.Model, error) { return r.Spec.New(values, data, seed) })
}

// recordData records the facts about the data.
func (t *trainer) recordData(facts rundir.DataFacts) error {
	if t.store.config.Data.N == 0 {
		t.store.config.Adapted = nil
		t.store.config.Adapt(t.AdaptToData(facts.N))
		if t.store.config.WarmStart != nil {
			t.store.config.Adapt(t.AdaptToWarmStart(facts.N))
		}
		t.store.config.Values = t.Values
	}
	t.store.config.Data = facts
	t.Resolved.SetNumData(facts.N)
	t.history.watcher.SetData(facts.N)
	if t.store.ended {
		return nil // see renew
	}
	return t.store.SaveConfig(t.store.config)
}

// restore restores the state of the checkpoint.
func (t *trainer) restore() error {
	start := t.store.start
	if err := t.store.restore(t.probe.Model); err != nil {
		return err
	}
	if t.progress.Early == nil {
		t.progress.Early = &rundir.EarlyStopping{Every: t.ValidationEvery}
	}
	if t.KeepBest {
		if t.progress.Kept == nil {
			t.progress.Kept = new(rundir.Kept)
		}
		if start != nil {
			t.kept.state = start.Kept()
		}
	} else {
		t.progress.Kept = nil
	}
	t.hyper = cloneHyper(t.probe.Model.Hyper())
	return nil
}
