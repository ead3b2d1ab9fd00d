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
	N, NumTrain, NumValidation, NumTest int
	D, P                                int
	Variational, Parameters             int
	Warnings                            []string
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

// fetchProgress says how far a download has come.
type fetchProgress struct {
	Name, File       string
	FilesDone, Files int
	BytesDone, Bytes int64
	Attempt          int
}
