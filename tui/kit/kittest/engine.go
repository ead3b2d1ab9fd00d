package kittest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Engine is a fake engine with three data sets and two families. It records the requests that it
// receives.
type Engine struct {
	// Make creates the run of a configuration. NewEngine sets it.
	Make func(id string, c rundir.Config) *Run
	// StartErr is the error of Start, or nil for success.
	StartErr error
	// Timed is the result of TimeSteps, or zero for an error.
	Timed session.StepTime
	// Advised is the result of Advise.
	Advised []models.Advice
	// Fetched delivers the results of downloads.
	Fetched chan error

	// Describes returns the table of a source. If it is nil, Describe returns an error.
	Describes func(s datasets.Source) *table.Description

	mu       sync.Mutex
	runs     []*Run
	asked    []kit.Start
	inspects int
	cached   map[string]bool
}

// NewEngine returns an engine whose runs are at step 1240. Their IDs are fake-1, fake-2 and so on.
func NewEngine() *Engine {
	return &Engine{cached: map[string]bool{}, Fetched: make(chan error, 1),
		Make: func(id string, c rundir.Config) *Run {
			return NewRun(id, Training(c, 1240))
		}}
}

// Runs returns the started runs.
func (e *Engine) Runs() []*Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs
}

// Asked returns the start requests.
func (e *Engine) Asked() []kit.Start {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked
}

// Inspects returns the number of inspections.
func (e *Engine) Inspects() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.inspects
}

// The methods that screens call.

func (e *Engine) Catalogue() []datasets.Info {
	e.mu.Lock()
	defer e.mu.Unlock()
	return []datasets.Info{
		{Name: "steps", Title: "A noisy step function in one dimension", N: 500, D: 1, P: 1, Cached: true},
		{Name: "mountaincar", Title: "Value function of the mountain-car problem", N: 2000, D: 2, P: 1,
			Cached: true, Default: true},
		{Name: "boston", Title: "Boston housing prices", Kind: datasets.Fetchable, N: 506, D: 13, P: 1,
			Bytes: 51234, Cached: e.cached["boston"]},
	}
}

func (e *Engine) Families() []models.Spec {
	list := []models.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "2", Min: 1,
			Max: 10, Help: "layers of GPs", Paper: "3"},
		{Name: "widths", Section: family.ModelSection, First: true, Kind: family.IntList, Default: "5",
			Min: 1, Max: 1000, Help: "GPs in each inner layer"},
		{Name: "kernel", Section: family.KernelSection, First: true, Kind: family.Choice, Default: "rbf",
			Choices: []string{"rbf", "matern32", "matern52"}, Help: "covariance function"},
		{Name: "rate", Section: family.InferenceSection, First: true, Kind: family.Float, Default: "0.005",
			Min: 0, MinOpen: true, Max: 1, Help: "learning rate of Adam"},
		{Name: "optimizer", Section: family.InferenceSection, Kind: family.Choice, Default: "adam",
			Choices: []string{"adam", "natgrad"}, Help: "what moves the posterior"},
		{Name: "natgrad_step", Section: family.InferenceSection, Kind: family.Float, Default: "0.1", Min: 0,
			MinOpen: true, Max: 1, Help: "step of natural gradients",
			When: &family.Condition{Name: "optimizer", Is: []string{"natgrad"}}},
		{Name: "jitter", Section: family.InferenceSection, Kind: family.Float, Default: "1e-6", Max: 1,
			Help: "added to diagonals"},
	}
	mask := models.Hyperparameter{
		Name:    "mask",
		Section: family.ModelSection,
		First:   true,
		Kind:    family.Text,
		Default: "arrow",
		Help:    "pattern of blocks",
	}
	paper := map[string]string{
		"layers": "3", "widths": "5", "kernel": "rbf", "rate": "0.01", "optimizer": "adam",
		"natgrad_step": "0.1", "jitter": "1e-6",
	}
	return []models.Spec{
		{Name: "mean-field", Title: "Mean-field deep GP",
			Summary: "One Gaussian for each GP, independent of all others.", Hyperparameters: list,
			Presets: []family.Preset{{Name: "paper2020", Title: "the paper's", Source: "a paper",
				Values: paper}}},
		{Name: "star", Title: "Stripes-and-arrow deep GP",
			Summary:         "Couples every layer to the last one and GPs of the same index to each other.",
			Hyperparameters: append(slices.Clip(list), mask)},
	}
}

func (e *Engine) Validate(c rundir.Config) error {
	if c.Split == "nonsense" {
		return errors.New("split=nonsense: want standard:K, interpolation:SEED, stratified:SEED, " +
			"random811:SEED, extrapolation:SEED, outputs:TARGET:K, group:COLUMN:SEED, time:COLUMN:GAP, " +
			"column:NAME or rows:FILE")
	}
	return nil
}

func (e *Engine) Inspect(ctx context.Context, c rundir.Config) (session.Preview, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inspects++
	return session.Preview{
		Data: rundir.DataFacts{N: 1620, Validation: 180, Test: 200, D: 2, P: 1},
		Size: models.Size{Variational: 123456, Parameters: 125000},
	}, ctx.Err()
}

func (e *Engine) Advise(context.Context, rundir.Config) ([]models.Advice, error) {
	return e.Advised, nil
}

func (e *Engine) TimeSteps(context.Context, rundir.Config) (session.StepTime, error) {
	if e.Timed == (session.StepTime{}) {
		return e.Timed, errors.New("no time")
	}
	return e.Timed, nil
}

// Start creates a run that is cancelled when ctx ends.
func (e *Engine) Start(ctx context.Context, s kit.Start) (kit.Run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, s)
	if e.StartErr != nil {
		return nil, e.StartErr
	}
	r := e.Make(fmt.Sprintf("fake-%d", len(e.runs)+1), s.Config)
	context.AfterFunc(ctx, r.Cancel)
	e.runs = append(e.runs, r)
	return r, nil
}

func (e *Engine) Fetch(ctx context.Context, name string, report func(datasets.Progress)) error {
	report(datasets.Progress{
		Name:      name,
		File:      "data.txt",
		Files:     3,
		FilesDone: 1,
		Bytes:     51234,
		BytesDone: 20000,
		Attempt:   1,
	})
	select {
	case err := <-e.Fetched:
		if err == nil {
			e.mu.Lock()
			e.cached[name] = true
			e.mu.Unlock()
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *Engine) Describe(ctx context.Context, s datasets.Source) (*table.Description, error) {
	if e.Describes == nil {
		return nil, errors.New("there are no files")
	}
	return e.Describes(s), ctx.Err()
}
