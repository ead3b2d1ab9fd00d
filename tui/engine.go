package tui

import (
	"context"
	"errors"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/browse"
	"dgplab/tui/kit"
	"dgplab/tui/setup"
	"dgplab/tui/sweep"
)

// engine is the interface of the application and its screens to the rest of the program. Tests use
// a fake.
type engine interface {
	setup.Engine
	browse.Engine
	sweep.Engine
	// Start starts a run, which ends when ctx does.
	Start(ctx context.Context, s kit.Start) (kit.Run, error)
}

// workbench is the engine of the program.
type workbench struct {
	// inspector caches the last data set, so that changing a hyperparameter does not load data. All screens
	// share its list of runs.
	inspector session.Inspector
}

func (*workbench) Catalogue() []datasets.Info { return datasets.Catalogue() }

func (*workbench) Families() []models.Spec { return models.Families() }

func (*workbench) Validate(c rundir.Config) error { return config.Validate(c) }

func (w *workbench) Inspect(ctx context.Context, c rundir.Config) (session.Preview, error) {
	return w.inspector.Inspect(ctx, c)
}

func (w *workbench) TimeSteps(ctx context.Context, c rundir.Config) (session.StepTime, error) {
	return w.inspector.TimeSteps(ctx, c)
}

func (w *workbench) Advise(ctx context.Context, c rundir.Config) ([]models.Advice, error) {
	return w.inspector.Advise(ctx, c)
}

func (w *workbench) Start(ctx context.Context, s kit.Start) (kit.Run, error) {
	var r *session.Run
	var err error
	if s.Resume == "" {
		if err := w.fileTrouble(ctx, s.Config); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Resume != "":
		options := []session.Option{session.WithSteps(s.Steps)}
		if s.Finish {
			options = append(options, session.WithFinish())
		}
		r, err = session.Resume(ctx, s.Resume, options...)
	case s.Parent != "":
		r, err = session.Start(ctx, s.Config, session.WithParent(s.Parent),
			session.WithPipe(w.inspector.Pipe))
	default:
		r, err = session.Start(ctx, s.Config, session.WithPipe(w.inspector.Pipe))
	}
	if err != nil {
		return nil, err // Do not return r: an interface that holds a nil *Run is not nil.
	}
	return r, nil
}

// fileTrouble returns the error of a run on an unusable file. For forms, it phrases the remedies as settings.
func (w *workbench) fileTrouble(ctx context.Context, c rundir.Config) error {
	if info, err := datasets.Lookup(c.Dataset); err != nil || info.Kind != datasets.File {
		return nil
	}
	_, err := w.inspector.Inspect(ctx, c)
	var csv *table.Error
	if !errors.As(err, &csv) {
		return nil // The run reports any other error.
	}
	remedies := csv.Remedies
	if csv.Question != nil {
		remedies = csv.Question.Answers
	}
	text := csv.WithoutFlags()
	for _, r := range remedies {
		setting, value := rundir.ColumnsField, r.Item
		if r.Target != "" {
			setting, value = rundir.TargetsField, r.Target
		}
		text += "; set " + setting + " to " + value + ": " + r.Label
	}
	return errors.New(text)
}

func (*workbench) Fetch(ctx context.Context, name string, report func(datasets.Progress)) error {
	return datasets.Fetch(ctx, name, report)
}

func (w *workbench) Describe(ctx context.Context, s datasets.Source) (*table.Description, error) {
	s.Pipe = w.inspector.Pipe
	return datasets.Describe(ctx, s)
}
