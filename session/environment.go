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
	// prepare splits and standardises the data. It also returns the full name of the split.
	prepare func(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error)
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

// division specifies the parts of a data set.
type division struct {
	split      string // empty for the default
	validation float64
	seed       uint64 // of the validation set
	inPlace    bool   // The values of the data set are not needed any more.
}

// divisionOf returns the division of a run.
func divisionOf(r *config.Resolved) division {
	return division{split: r.Split, validation: r.Validation, seed: config.Derive(r.Seed, holdOut, 0)}
}

func prepare(ds *datasets.Dataset, d division) (*datasets.Prepared, string, error) {
	split, err := config.SplitOf(ds, d.split)
	if err != nil {
		return nil, "", err
	}
	divide := datasets.Prepare
	if d.inPlace {
		divide = datasets.PrepareInPlace
	}
	prepared, err := divide(ds, split, d.validation, d.seed)
	return prepared, split.String(), err
}
