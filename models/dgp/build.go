package dgp

import (
	"fmt"
	"slices"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/train"
)

// build returns an untrained model. The inducing inputs come from newStart, and the means are zero.
// The factor of S_M equals its prior in the last layer and inner_scale times its prior in hidden
// layers.
func (m member) build(v family.Values, data family.Data, seed uint64) (*Model, error) {
	n, _ := data.X.Dims()
	arch, start, err := m.architecture(v, data, seed)
	if err != nil {
		return nil, err
	}
	arch.Unwhitened = !v.Bool("whiten")
	post := newPosterior(autodiff.NewTape(), arch)
	if err := start.apply(post); err != nil {
		return nil, err
	}
	model := &Model{deepGP: newDeepGP(post, data), contracted: start.innerScale < 1}
	samples := 1
	if !m.single {
		samples = v.Int("samples")
	}
	natural := none
	if m.natgrad != none && v.Text("optimizer") == "natgrad" {
		natural = m.natgrad
	}
	couplingRate := 1.0
	if m.coupled {
		couplingRate = v.Float("coupling_rate")
	}
	model.problem, err = newProblem(newBound(post.tape, post, min(v.Int("batch"), n), samples),
		data, seed, natural, couplingRate)
	if err != nil {
		return nil, err
	}
	model.notes = inducingNotes(v, n)
	model.Model, err = train.New(objective, model.problem, newMethod(v, data, model.problem))
	model.wrapError = model.Model.WithStep
	return model, err
}

// architecture returns the fixed part of the model and the initial parameters.
func (m member) architecture(
	v family.Values, data family.Data, seed uint64,
) (arch *Architecture, begin start, err error) {
	of, err := data.Likelihood(v, v.Float("noise_variance"))
	if err != nil {
		return nil, begin, err
	}
	_, targets := data.Y.Dims()
	widths, err := m.widths(v, targets*of.Latents())
	if err != nil {
		return nil, begin, err
	}
	pattern, err := m.patternFor(v, widths)
	if err != nil {
		return nil, begin, err
	}
	_, inputs := data.X.Dims()
	kernels, err := data.Kernels(v, "kernel", append([]int{inputs}, widths[:len(widths)-1]...))
	if err != nil {
		return nil, begin, err
	}
	arch = &Architecture{
		Pattern:        pattern,
		Likelihood:     of,
		Jitter:         v.Float("jitter"),
		SampleInducing: m.sampled,
		GivenInducing:  m.chained,
		Noise:          data.Noise,
		Weights:        data.Weights,
	}
	begin, err = m.newStart(v, arch, kernels, data.X, widths, seed)
	return arch, begin, err
}

// inducingNotes returns a note if more inducing points are requested for a layer than the n
// training points.
func inducingNotes(v family.Values, n int) []string {
	if requested := slices.Max(v.Ints("inducing")); requested > n {
		return []string{fmt.Sprintf("inducing=%d exceeds the %d training points; using %d",
			requested, n, n)}
	}
	return nil
}

// newMethod returns the optimiser for p: Adam, with natural gradients for q(f_M) if p.natural is
// set.
func newMethod(v family.Values, data family.Data, p *problem) infer.Method {
	adam := train.ReadRates(v, data.Steps).Adam(p.Set.Size())
	if p.natural == nil {
		return adam
	}
	return infer.NewNaturalAndAdam(p.Gaussians(), v.Float("natgrad_step"), adam)
}
