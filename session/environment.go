package session

import (
	"context"
	"path/filepath"
	"time"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/memory"
)

// environment is what a run needs from the world. Tests replace parts of it.
type environment struct {
	// family returns the family of a name.
	family func(name string) (models.Spec, error)
	// dataset checks that a data set can be loaded now, and returns the name under
	// which it can be loaded from another working directory too.
	dataset func(name string) (string, error)
	// load returns a data set.
	load func(ctx context.Context, s datasets.Source) (*datasets.Dataset, error)
	// checkSplit refuses what is not a split.
	checkSplit func(text string) error
	// prepare splits and standardises, and returns the split by its full name; an
	// empty text asks for the default one.
	prepare func(ds *datasets.Dataset, split string, validation float64,
		seed uint64) (*datasets.Prepared, string, error)
	// memory is what runs have to fit into.
	memory *memory.Ledger
	// now tells the time, for durations and for the run's ID.
	now func() time.Time
}

// realEnvironment is the one outside tests.
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

// piped returns the environment in which data come from a pipe that was read, if p is not nil.
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

// findDataset returns the name of a catalogue set, or the absolute path of a
// file.
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

// splitOf returns the split that a text means on a data set; an empty one is the default.
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
