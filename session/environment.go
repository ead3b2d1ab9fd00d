package session

import (
	"context"
	"path/filepath"
	"time"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/memory"
)

// environment holds the external dependencies of a run. Tests replace parts of it.
type environment struct {
	// family returns the family with the given name.
	family func(name string) (models.Spec, error)
	// dataset checks that a data set can be loaded now. It returns a name that is valid in every
	// working directory.
	dataset func(name string) (string, error)
	// load returns a data set.
	load func(ctx context.Context, s datasets.Source) (*datasets.Dataset, error)
	// checkSplit returns an error if text is not a split.
	checkSplit func(text string) error
	// prepare splits and standardises the data. It also returns the full name of the split. An
	// empty text selects the default split.
	prepare func(ds *datasets.Dataset, split string, validation float64,
		seed uint64) (*datasets.Prepared, string, error)
	// memory is the ledger that admits runs.
	memory *memory.Ledger
	// now returns the time, for durations and for the ID of the run.
	now func() time.Time
}

// realEnvironment returns the environment outside tests.
func realEnvironment() environment {
	return environment{
		family:  models.Lookup,
		dataset: findDataset,
		load:    datasets.Load,
		checkSplit: func(text string) error {
			_, err := datasets.ParseSplit(text)
			return err
		},
		prepare: prepare,
		memory:  memory.Process,
		now:     time.Now,
	}
}

// piped returns an environment that loads data from the pipe p, or e if p is nil.
func (e environment) piped(p *datasets.Pipe) environment {
	if p == nil {
		return e
	}
	load := e.load
	e.load = func(ctx context.Context, s datasets.Source) (*datasets.Dataset, error) {
		s.Pipe = p
		return load(ctx, s)
	}
	return e
}

// findDataset returns the name of a catalogue data set, or the absolute path of a file.
func findDataset(name string) (string, error) {
	info, err := datasets.Lookup(name)
	if err != nil {
		return "", err
	}
	if info.Kind == datasets.File {
		return filepath.Abs(name)
	}
	if !info.Cached {
		return "", &datasets.NotFetchedError{Name: name}
	}
	return name, nil
}

// splitOf parses a split of a data set. An empty text selects the default split.
func splitOf(ds *datasets.Dataset, text string) (datasets.Split, error) {
	if text == "" {
		return datasets.DefaultSplit(ds), nil
	}
	split, err := datasets.ParseSplit(text)
	if err != nil {
		return split, err
	}
	return split.Named(ds)
}

func prepare(
	ds *datasets.Dataset, text string, validation float64, seed uint64,
) (*datasets.Prepared, string, error) {
	split, err := splitOf(ds, text)
	if err != nil {
		return nil, "", err
	}
	prepared, err := datasets.Prepare(ds, split, validation, seed)
	return prepared, split.String(), err
}
