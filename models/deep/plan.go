package deep

import (
	"context"
	"fmt"

	"dgplab/datasets/task"
	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
	"dgplab/models/linear"
)

// Paper is the source of the settings that the families of the engine share.
const Paper = "Meng, Zhang 2024, appendix C.1"

// Plan describes a model before it is built.
type Plan struct {
	Layers Layers
	Config Config
}

// Layers describes the layers of a stack before they are built.
type Layers interface {
	// Forms returns the form and the number of outputs of each layer, input layer first.
	Forms() (forms []layer.Costed, outputs []int)
	// New records the layers with their initial parameters on t, for the inputs of data. unit is the
	// unit of the last layer's variances.
	New(t *autodiff.Tape, data family.Data, unit float64, seed uint64) ([]layer.Layer, error)
}

// Planner returns the plan of a family for n points of d inputs and p targets or classes.
type Planner func(v family.Values, n, d, p int) (*Plan, error)

// Spec completes the spec of a family of the engine. plan describes its models.
func Spec(s family.Spec, plan Planner) family.Spec {
	s.Accepts = family.AnyTargets
	s.Presets = []family.Preset{preset(s.Hyperparameters)}
	s.Size, s.New = plan.size, plan.model
	return s
}

// size implements family.Spec.Size.
func (plan Planner) size(v family.Values, n, d, p int) (family.Size, error) {
	planned, err := plan(v, n, d, p)
	if err != nil {
		return family.Size{}, err
	}
	forms, outputs := planned.Layers.Forms()
	size := sizeOf(forms, outputs, planned.Config, n, d, p)
	if planned.Config.Trend { // the trend is fitted before the layers are created
		size.Memory = max(size.Memory, linear.FitMemory(n, d, p))
	}
	return size, nil
}

// model implements family.Spec.New.
func (plan Planner) model(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	n, d := data.X.Dims()
	latents, err := data.Latents(v)
	if err != nil {
		return nil, err
	}
	planned, err := plan(v, n, d, latents)
	if err != nil {
		return nil, err
	}
	tape := autodiff.NewTape()
	unit := 1.0
	if planned.Config.Trend && data.Task == task.Count {
		planned.Config.Trend = false
		planned.Config.Notes = append(planned.Config.Notes, "trend=linear has no effect on counts")
	}
	if planned.Config.Trend {
		fitted, err := linear.Fit(context.Background(), data)
		if err != nil {
			return nil, fmt.Errorf("trend=linear: %w", err)
		}
		unit = fitted.Residual
		planned.Config.Noise = InUnits(planned.Config.Noise, unit)
		planned.Config.trend = newTrend(fitted.Weights, latents)
	}
	planned.Config.Likelihood, err = data.Likelihood(v, planned.Config.Noise)
	if err != nil {
		return nil, err
	}
	extended := data
	if planned.Config.Latents > 0 {
		extended = withLatents(data, planned.Config.Latents, seed)
	}
	layers, err := planned.Layers.New(tape, extended, unit, seed)
	if err != nil {
		return nil, err
	}
	m, err := New(tape, layers, planned.Config, data, seed)
	if err != nil {
		return nil, err // a nil *Model would be a non-nil family.Model
	}
	return m, nil
}
