package deep

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
)

// Paper is where the settings that the families of the engine share are from.
const Paper = "Meng, Zhang 2024, appendix C.1"

// Plan is a model before it is built.
type Plan struct {
	Layers Layers
	Config Config
}

// Layers is the layers of a stack before there are any.
type Layers interface {
	// Forms returns the form and the number of outputs of each, input layer first.
	Forms() (forms []layer.Costed, outputs []int)
	// New returns the layers at their start on t, for inputs x [N, D].
	New(t *autodiff.Tape, x *mat.Dense, seed uint64) ([]layer.Layer, error)
}

// Planner makes the plan of a family for n points of d inputs and p targets or
// classes.
type Planner func(v family.Values, n, d, p int) (*Plan, error)

// Spec completes what all families of the engine have, those that such plans are made for.
func Spec(s family.Spec, plan Planner) family.Spec {
	s.Accepts = family.Accepts{Regression: true, Binary: true, Multiclass: true, Outputs: true}
	s.Presets = []family.Preset{preset(s.Hyperparameters)}
	s.Size, s.New = plan.size, plan.model
	return s
}

// size is a family.Spec.Size.
func (plan Planner) size(v family.Values, n, d, p int) (family.Size, error) {
	made, err := plan(v, n, d, p)
	if err != nil {
		return family.Size{}, err
	}
	forms, outputs := made.Layers.Forms()
	return sizeOf(forms, outputs, made.Config, n, d), nil
}

// model is a family.Spec.New.
func (plan Planner) model(v family.Values, data family.Data, seed uint64) (family.Model, error) {
	n, d := data.X.Dims()
	made, err := plan(v, n, d, data.Latents())
	if err != nil {
		return nil, err
	}
	if made.Config.Likelihood, err = data.Likelihood(v); err != nil {
		return nil, err
	}
	tape := autodiff.NewTape()
	layers, err := made.Layers.New(tape, data.X, seed)
	if err != nil {
		return nil, err
	}
	m, err := New(tape, layers, made.Config, data, seed)
	if err != nil {
		return nil, err // Not m: a nil *Model is no nil Model.
	}
	return m, nil
}
