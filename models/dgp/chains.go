package dgp

import (
	"context"
	"slices"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
	"dgplab/models/sampling"
	"dgplab/models/train"
)

// Chains samples the inducing outputs of a deep GP by SGHMC or by elliptical slice sampling. All chains
// share the hyperparameters. During burn-in, Adam updates the hyperparameters after every step of the
// chains, along the mean of the chains' gradients. Chains implements family.Model, family.Viewer and
// family.Annotator.
type Chains struct {
	*sampling.Model
	*deepGP
	chains []*chain
	// free holds the free hyperparameters, and gradient holds the mean of their gradients over
	// chains.
	free, gradient []float64
	adam           *infer.Adam
	burnIn         int
	notes          []string
}

// buildChains returns untrained chains. Layers and inducing inputs start as in the structured
// families; the inducing outputs are drawn from N(0, start_spread^2).
func (m member) buildChains(v family.Values, data family.Data, seed uint64) (*Chains, error) {
	n, _ := data.X.Dims()
	arch, start, err := m.architecture(v, data, seed)
	if err != nil {
		return nil, err
	}
	phases := sampling.ReadPhases(v)
	model := &Chains{burnIn: phases.BurnIn, notes: inducingNotes(v, n)}
	var list []sampling.Chain
	for _, chainSeed := range sampling.Seeds(seed, v.Int("chains")) {
		post := newPosterior(autodiff.NewTape(), arch)
		if err := start.apply(post); err != nil {
			return nil, err
		}
		if model.deepGP == nil {
			model.deepGP = newDeepGP(post, data)
		}
		c, err := newChain(post, data, v, chainSeed)
		if err != nil {
			return nil, err
		}
		model.chains = append(model.chains, c)
		options := sampling.SGHMCOptions{
			StepSize: v.Float("step_size"),
			Friction: v.Float("friction"),
			Points:   n,
			BurnIn:   phases.BurnIn,
		}
		var method infer.Method = sampling.NewSGHMC(c.Set.Size(), options, sampling.NewDraws(chainSeed))
		if c.sliced {
			method = newGPSlices(c, chainSeed)
		}
		list = append(list, sampling.Chain{Problem: c, Method: method})
	}
	model.Model, err = sampling.New(chainsObjective, phases, list)
	if err != nil {
		return nil, err
	}
	model.wrapError, model.sampledOutputs = model.WithStep, model.PredictionSamples
	first := model.chains[0].hyper.Set
	model.free = slices.Clone(first.Free)
	model.gradient = make([]float64, first.Size())
	model.adam = infer.NewAdam(first.Size(), infer.Schedule{Rate: v.Float("learning_rate")})
	model.setHyperparameters()
	return model, nil
}

// Step implements family.Model.
func (m *Chains) Step(ctx context.Context) (family.Report, error) {
	report, err := m.Model.Step(ctx)
	if err != nil || m.StepsDone() > m.burnIn {
		return report, err
	}
	clear(m.gradient)
	for _, c := range m.chains {
		c.remember(m.StepsDone())
		vec.AddScaled(m.gradient, c.hyperGradient, 1/float64(len(m.chains)))
	}
	// The mean of the gradients is finite because the gradient of each chain is.
	if err := m.adam.Maximise(m.free, m.gradient); err != nil {
		return report, err
	}
	m.setHyperparameters()
	return report, nil
}

// Control implements family.Controlled.
func (m *Chains) Control(list []param.Control) error {
	for _, c := range m.chains {
		if err := c.hyper.Set.Control(list); err != nil {
			return err
		}
	}
	copy(m.free, m.chains[0].hyper.Set.Free)
	return nil
}

// setHyperparameters copies the hyperparameters to all chains.
func (m *Chains) setHyperparameters() {
	for _, c := range m.chains {
		c.setHyperparameters(m.free)
	}
}

// State implements family.Model.
func (m *Chains) State() []family.Array {
	list := append(m.Model.State(), family.Array{Name: "hyperparameters", Data: m.free})
	return append(list, m.adam.State()...)
}

// Restored implements family.Model.
func (m *Chains) Restored() error {
	if err := train.CheckState(m.State()); err != nil {
		return err
	}
	m.setHyperparameters()
	return m.Model.Restored()
}

// NumParameters implements family.Model. It counts the inducing outputs of one chain and the
// hyperparameters.
func (m *Chains) NumParameters() int { return m.Model.NumParameters() + len(m.free) }

// Notes implements family.Annotator.
func (m *Chains) Notes() []string { return m.notes }
