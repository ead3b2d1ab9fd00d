package dgp

import (
	"context"
	"fmt"
	"slices"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg/vec"
	"dgplab/models/sampling"
)

// Chains samples the inducing outputs of a deep GP by SGHMC. All chains have the same
// hyperparameters, which Adam moves in burn-in, once after every step of the chains,
// along the mean of the gradients that these find. It implements family.Model,
// family.Viewer and family.Annotator.
type Chains struct {
	*sampling.Model
	*deepGP
	chains []*chain
	// free holds the free entries of the hyperparameters, ascent the mean of their
	// gradients.
	free, ascent []float64
	adam         *infer.Adam
	burnIn       int
	notes        []string
}

// buildChains returns chains at their start: inducing inputs and layers as those of the
// structured families; inducing outputs drawn from N(0, start_spread^2).
func (m member) buildChains(v family.Values, data family.Data, seed uint64) (*Chains, error) {
	n, _ := data.X.Dims()
	arch, start, err := m.plan(v, data, seed)
	if err != nil {
		return nil, err
	}
	phases := sampling.ReadPhases(v)
	model := &Chains{burnIn: phases.BurnIn, notes: inducingNotes(v, n)}
	var list []sampling.Chain
	for _, own := range sampling.Seeds(seed, v.Int("chains")) {
		post := newPosterior(autodiff.NewTape(), arch)
		if err := start.apply(post); err != nil {
			return nil, err
		}
		if model.deepGP == nil {
			model.deepGP = newDeepGP(post, data.X)
		}
		c, err := newChain(post, data, v, own)
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
		list = append(list, sampling.Chain{
			Problem: c,
			Method:  sampling.NewSGHMC(c.Set.Size(), options, sampling.NewDraws(own)),
		})
	}
	model.Model, err = sampling.New(chainsObjective, phases, list)
	if err != nil {
		return nil, err
	}
	model.at, model.outputs = model.WithStep, model.PredictionSamples
	first := model.chains[0].hypers.Set
	model.free = slices.Clone(first.Free)
	model.ascent = make([]float64, first.Size())
	model.adam = infer.NewAdam(first.Size(), infer.Schedule{Rate: v.Float("learning_rate")})
	model.settle()
	return model, nil
}

// Step implements family.Model.
func (m *Chains) Step(ctx context.Context) (family.Report, error) {
	report, err := m.Model.Step(ctx)
	if err != nil || m.StepsDone() > m.burnIn {
		return report, err
	}
	clear(m.ascent)
	for _, c := range m.chains {
		c.remember(m.StepsDone())
		vec.AddScaled(m.ascent, c.ascent, 1/float64(len(m.chains)))
	}
	// What it is a mean of is finite.
	if err := m.adam.Maximise(m.free, m.ascent); err != nil {
		return report, err
	}
	m.settle()
	return report, nil
}

// settle gives the hyperparameters to all chains.
func (m *Chains) settle() {
	for _, c := range m.chains {
		c.settle(m.free)
	}
}

// State implements family.Model.
func (m *Chains) State() []family.Array {
	list := append(m.Model.State(), family.Array{Name: "hyperparameters", Data: m.free})
	return append(list, m.adam.State()...)
}

// Restored implements family.Model.
func (m *Chains) Restored() error {
	for _, a := range m.State() {
		if err := infer.CheckFinite(a.Data); err != nil {
			return fmt.Errorf("the checkpoint is damaged: %s: %w", a.Name, err)
		}
	}
	m.settle()
	return m.Model.Restored()
}

// NumParameters implements family.Model: the inducing outputs of one chain, and the
// hyperparameters.
func (m *Chains) NumParameters() int { return m.Model.NumParameters() + len(m.free) }

// Notes implements family.Annotator.
func (m *Chains) Notes() []string { return m.notes }
