package tui

import (
	"context"
	"io"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session"
)

// The screens say these names; what is below session is named only here.
type (
	dataInfo       = datasets.Info
	fetchProgress  = datasets.Progress
	spec           = models.Spec
	hyperparameter = models.Hyperparameter
	layerSamples   = models.LayerSamples
	blockMap       = models.BlockMap
)

// run is what the screens ask of a training run; *session.Run is one. No method
// blocks but Wait.
type run interface {
	ID() string
	Dir() string
	// Latest returns the newest snapshot, nil before the first one.
	Latest() *session.Snapshot
	Pause()
	Continue()
	Stop()
	Checkpoint()
	Diagnose()
	// Done is closed when the run's goroutine has returned.
	Done() <-chan struct{}
	// WriteFile writes one file of the run directory, whole or not at all.
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
}

// plan is what is known of a run before it starts.
type plan struct {
	// N are the training rows.
	N, NumValidation, NumTest, D, P int
	Variational, Parameters         int
	// SecondsPerStep is an estimate from earlier runs, 0 when there is none.
	SecondsPerStep float64
	Warnings       []string
}

// engine is what the screens ask of the rest of the program; tests have their own.
type engine interface {
	// Catalogue lists the data sets that have a name.
	Catalogue() []dataInfo
	Families() []spec
	// Hyperparameters lists what can be set for a family, the training's included.
	Hyperparameters(family string) ([]hyperparameter, error)
	Validate(session.Config) error
	// Inspect loads the data and counts, without building a model.
	Inspect(ctx context.Context, c session.Config) (plan, error)
	Start(ctx context.Context, c session.Config) (run, error)
	Fetch(ctx context.Context, name string, report func(fetchProgress)) error
}

// workbench is the program's own engine.
type workbench struct {
	// inspector keeps the data set that it loaded last, so that a change of a
	// hyperparameter loads nothing.
	inspector session.Inspector
}

func (*workbench) Catalogue() []dataInfo { return datasets.Catalogue() }

func (*workbench) Families() []spec { return models.Families() }

func (*workbench) Hyperparameters(family string) ([]hyperparameter, error) {
	return session.FamilyHyperparameters(family)
}

func (*workbench) Validate(c session.Config) error { return c.Validate() }

func (w *workbench) Inspect(ctx context.Context, c session.Config) (plan, error) {
	p, err := w.inspector.Inspect(ctx, c)
	return plan{
		N: p.N, NumValidation: p.NumValidation, NumTest: p.NumTest, D: p.D, P: p.P,
		Variational: p.Size.Variational, Parameters: p.Size.Parameters,
		SecondsPerStep: p.SecondsPerStep, Warnings: p.Warnings,
	}, err
}

func (*workbench) Start(ctx context.Context, c session.Config) (run, error) {
	r, err := session.Start(ctx, c)
	if err != nil {
		return nil, err // Not r: a nil *Run in an interface is not nil.
	}
	return r, nil
}

func (*workbench) Fetch(ctx context.Context, name string, report func(fetchProgress)) error {
	return datasets.Fetch(ctx, name, report)
}
