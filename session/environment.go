package session

import (
	"context"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/session/config"
	"dgplab/session/memory"
)

// environment holds the external dependencies of a run. Tests replace parts of it.
type environment struct {
	config.Registry // families, data sets and splits
	// load returns a data set.
	load func(ctx context.Context, s datasets.Source) (*datasets.Dataset, error)
	// prepare splits and standardises the data. It also returns the full name of the split. An empty name
	// selects the default split.
	prepare func(ds *datasets.Dataset, split string, validation float64,
		seed uint64) (*datasets.Prepared, string, error)
	// memory is the ledger that admits runs.
	memory *memory.Ledger
	// now returns the time, for durations and for the ID of the run.
	now func() time.Time
}

// realEnvironment returns the environment used outside tests.
func realEnvironment() environment {
	return environment{
		Registry: config.DefaultRegistry(),
		load:     datasets.Load,
		prepare:  prepare,
		memory:   memory.Process,
		now:      time.Now,
	}
}

// piped returns an environment that loads data from the pipe p, or e if p is nil.
func (e environment) piped(p *files.StoredPipe) environment {
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

func prepare(
	ds *datasets.Dataset, text string, validation float64, seed uint64,
) (*datasets.Prepared, string, error) {
	split, err := config.SplitOf(ds, text)
	if err != nil {
		return nil, "", err
	}
	prepared, err := datasets.Prepare(ds, split, validation, seed)
	return prepared, split.String(), err
}
