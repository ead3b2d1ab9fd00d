// Package probe queries the model of a run: it scores validation and test points, evaluates the objective,
// predicts new rows, and computes the views for screens. It does not change the model. If a query takes too
// long when the run must end, it is abandoned.
package probe

import (
	"context"
	"errors"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/config"
	"dgplab/session/interrupt"
)

// The purposes of random numbers; see config.Derive.
const (
	validationRows  = "validation-rows" // choice of the validation points of an evaluation
	validationDraws = "validation"
	testDraws       = "test"
	objectiveDraws  = "objective"
	layerDraws      = "layers"
	planeDraws      = "plane" // draws and points of predictions over the plane of two inputs
	fitDraws        = "fit"   // draws and points of predictions along the inputs
	distanceRows    = "distance"
	leftOutDraws    = "leave-one-out"
	suggestDraws    = "suggest"
	posteriorDraws  = "posterior" // functions of an exported posterior
)

// Probe queries a model. It belongs to one goroutine.
type Probe struct {
	// Model is nil until it is built.
	Model models.Model
	// Data holds the training, validation and test sets.
	Data *datasets.Prepared

	columns columnNames
	inputs  []inputColumn // nil until the first call of inputColumns
	seed    uint64
	ctx     context.Context // see New
	// abandoned is true if the model did not return when the run had to end. The model must then not be
	// called again.
	abandoned bool
	plan      *fitPlan // nil before the first fit
	near      nearest
}

// New returns a probe for a run with the data set ds, its parts data and a seed. The caller sets the
// Model. ctx ends when the run must end without waiting for the model.
func New(ctx context.Context, ds *datasets.Dataset, data *datasets.Prepared, seed uint64) *Probe {
	p := &Probe{Data: data, seed: seed, ctx: ctx, columns: columnNames{
		inputs: ds.Inputs, targets: ds.Targets, encoded: ds.InputColumns(),
	}}
	if ds.Columns != nil {
		p.columns.inputUnits, p.columns.targetUnits = ds.Columns.Units()
	}
	return p
}

// With returns a probe of another model of the same data.
func (p *Probe) With(m models.Model) *Probe {
	other := *p
	other.Model = m
	return &other
}

// Callable reports whether there is a model that may be called.
func (p *Probe) Callable() bool { return p != nil && p.Model != nil && !p.abandoned }

// Abandoned reports whether a query was abandoned.
func (p *Probe) Abandoned() bool { return p.abandoned }

// Ask returns the result of a query of the model. If the run has to end and the query takes too long,
// it is abandoned, and no later query calls the model.
func Ask[T any](p *Probe, query func() (T, error)) (T, error) {
	if p.abandoned {
		var none T
		return none, p.ctx.Err()
	}
	answer, err := interrupt.Call(p.ctx, query)
	p.abandoned = errors.Is(err, interrupt.ErrAbandoned)
	return answer, err
}

// Views returns the views of the model's inner state. They are empty if the model has none. The seed of their
// draws is fixed, so that curves change only with the model. The views are valid even if there is an error.
func (p *Probe) Views() (view.Views, error) {
	m, ok := p.Model.(family.Viewer)
	if !ok {
		return view.Views{}, nil
	}
	views, err := Ask(p, func() (view.Views, error) { return m.Views(p.derive(layerDraws, 0)) })
	p.name(views)
	return views, err
}

// derive returns the seed of a stream of random numbers.
func (p *Probe) derive(purpose string, index int) uint64 {
	return config.Derive(p.seed, purpose, index)
}
