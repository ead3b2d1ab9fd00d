package dgp

import (
	"fmt"
	"slices"

	"dgplab/models/family"
	"dgplab/models/train"
)

const paper = "Lindinger et al. 2020"

// Families returns the families of this engine: the sparse GP, and deep GPs that differ in the
// block pattern of L_S or in the marginalisation of f_M.
func Families() []family.Spec {
	return []family.Spec{
		deep(member{
			name: "mean-field", title: "Mean-field deep GP", pattern: MeanField, natgrad: perGP,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: "layers", Power: 1}, {Hyperparameter: "width", Power: 1}},
			summary: "the inducing outputs of each GP are independent of all others",
			source:  "Salimbeni, Deisenroth 2017; " + paper + ", eqs. 4-7",
		}),
		deep(member{
			name: "star", title: "Stripes-and-arrow deep GP", pattern: StripesAndArrow, coupled: true,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: "layers", Power: 2}, {Hyperparameter: "width", Power: 1}},
			summary: "couples equal positions of the hidden layers, and the output layer with all GPs",
			source:  paper + ", section 3.2",
		}),
		deep(member{
			name: "fully-coupled", title: "Fully-coupled deep GP", pattern: FullyCoupled, natgrad: joint,
			coupled: true,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: "layers", Power: 2}, {Hyperparameter: "width", Power: 2}},
			summary: "one Gaussian over the inducing outputs of all layers",
			source:  paper + ", theorem 1",
		}),
		deep(member{
			name: "chain", title: "Chain deep GP", pattern: Chain, coupled: true,
			summary: "couples the GPs of neighbouring layers",
			source:  paper + ", section 3.1 (arbitrary patterns)",
		}),
		deep(member{
			name: "mask", title: "Masked deep GP", masked: true, coupled: true,
			summary: "custom block pattern of L_S, given as text",
			source:  paper + ", section 3.1 (arbitrary patterns)",
		}),
		deep(member{
			name: "fc-sampled", title: "Fully-coupled deep GP, sampled", pattern: FullyCoupled,
			sampled: true, coupled: true,
			summary: "the fully-coupled posterior, with inducing outputs marginalised by Monte Carlo",
			source:  paper + ", fig. 2",
		}),
		sghmc(),
		shallow(member{
			name: "svgp", title: "Sparse variational GP", pattern: MeanField, natgrad: perGP,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2}},
			summary: "one layer: a sparse GP with a full-covariance Gaussian over its inducing outputs",
			source:  "Hensman et al. 2013; 2015",
		}),
	}
}

// objective is the objective of all members.
var objective = family.MinibatchObjective("ELBO", family.Bound, family.ExpectedLogLik)

// natgradKind selects the Gaussians that a natural-gradient step updates.
type natgradKind int

const (
	none  natgradKind = iota
	perGP             // one Gaussian per GP
	joint             // one Gaussian for all inducing outputs
)

// member describes one family of the engine.
type member struct {
	name, title, summary, source string
	pattern                      func(widths []int) *Pattern
	natgrad                      natgradKind
	sampled, masked, single      bool
	// coupled is set if L_S may have off-diagonal blocks.
	coupled bool
	// chained is set if chains sample the inducing outputs instead of a q(f_M).
	chained bool
	// scaling lists the leading powers of the cost; see family.Spec.Scaling.
	scaling []family.Exponent
}

func deep(m member) family.Spec {
	list := depth()
	if m.masked {
		list = append(list, family.Hyperparameter{Name: "mask", Section: family.ModelSection, First: true,
			Kind: family.Text, Default: "star",
			Help: "blocks of L_S: names (star, chain, ...) and links (2.1-1.1) joined by commas, or rows " +
				"1/01/101"})
	}
	return m.spec(append(list, m.common()...))
}

// depth returns the hyperparameters for the number and the widths of layers.
func depth() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "layers", Section: family.ModelSection, First: true, Kind: family.Int, Default: "3", Min: 1,
			Max: 10, Help: "number of layers, including the output layer", Paper: "2 and 3"},
		{Name: "width", Section: family.ModelSection, First: true, Kind: family.IntList, Default: "5", Min: 1,
			Max: 64, Help: "GPs per hidden layer: one value for all, or one per layer", Paper: "5"},
	}
}

func shallow(m member) family.Spec {
	m.single = true
	return m.spec(m.common())
}

func (m member) spec(list []family.Hyperparameter) family.Spec {
	group, training := "structured deep GPs", map[string]family.Default(nil)
	if m.single {
		group, training = "sparse and exact GPs", family.WithoutValidation(nil, family.OneLayer)
	}
	return family.Spec{
		Name: m.name, Title: m.title, Summary: m.summary, Source: m.source,
		Group: group, Objective: objective,
		Accepts:         family.AnyRows,
		Hyperparameters: list,
		Training:        training,
		Presets:         m.presets(list),
		Size:            m.size,
		Scaling:         m.scaling,
		New: func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
			model, err := m.build(v, data, seed)
			if err != nil {
				return nil, err // a nil *Model would be a non-nil family.Model
			}
			return model, nil
		},
	}
}

// common returns the hyperparameters that all members with a q(f_M) share.
func (m member) common() []family.Hyperparameter {
	list := m.functions()
	if !m.single {
		list = append(list,
			family.Hyperparameter{Name: "inner_scale", Section: family.InferenceSection, Kind: family.Float,
				Default: "1e-5", Min: 1e-8, Max: 1,
				Help: "initial factor of S_M in hidden layers, relative to the prior", Paper: "1e-5"})
	}
	return slices.Concat(list, family.LikelihoodHyperparameters(), m.optimisation(), jitter())
}

// functions returns the hyperparameters of the GPs and of the minibatches.
func (m member) functions() []family.Hyperparameter {
	points := family.Hyperparameter{Name: "inducing", Section: family.ModelSection, First: true,
		Kind: family.IntList, Default: "128", AtMostHalf: true, Min: 1, Max: 4096,
		Help: "inducing points M: one value for all layers, or one per layer", Paper: "128"}
	if m.single {
		points.Kind, points.Help = family.Int, "inducing points M"
	}
	scope := family.PerLayer
	if m.single {
		scope = family.OneKernel
	}
	kernels := family.KernelHyperparameter("kernel",
		"covariance function, one lengthscale per input dimension", scope)
	kernels.Paper = "rbf"
	list := []family.Hyperparameter{
		points,
		kernels,
		{Name: "lengthscale", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-6,
			MinOpen: true, Max: 1e3,
			Help: "initial lengthscales: one value for all layers, or one per layer", Paper: "1"},
		{Name: "variance", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-4,
			Max: 1e4, Help: "initial kernel variances: one value for all layers, or one per layer",
			Paper: "1"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5,
			Max: 100, Help: "initial Gaussian noise variance, in standardised units", Paper: "0.01"},
		{Name: "batch", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "512",
			Min: 1, Max: 65536, Help: "minibatch size (at most the number of points)", Paper: "512"},
	}
	if !m.single {
		list = append(list,
			family.Hyperparameter{Name: "samples", Section: family.InferenceSection, Kind: family.Int,
				Default: "5", Min: 1, Max: 256,
				Help: "Monte Carlo samples R per training step", Paper: "5"},
			family.Hyperparameter{Name: "mean_function", Section: family.ModelSection, Kind: family.Choice,
				Default: "linear", Choices: []string{"linear", "zero"},
				Help:  "mean function of hidden layers: linear (identity or principal directions) or zero",
				Paper: "linear"})
	}
	return list
}

// jitter returns the jitter hyperparameter of the kernel matrices.
func jitter() []family.Hyperparameter {
	return []family.Hyperparameter{{Name: "jitter", Section: family.InferenceSection, Kind: family.Float,
		Default: "1e-6", Min: 0, Max: 1e-2, Help: "added to the diagonal of every K_MM"}}
}

func (m member) optimisation() []family.Hyperparameter {
	list := train.RateHyperparameters("0.05", "0.8", "0.99")
	for i := range list {
		list[i].Paper = map[string]string{"learning_rate": "0.005 (0.001 with natural gradients)",
			"schedule":   "stairs",
			"decay_rate": "0.98 (0.99 with natural gradients)", "decay_steps": "1000",
			"beta2": "0.999"}[list[i].Name]
	}
	if m.natgrad != none {
		list = append(list,
			family.Hyperparameter{Name: "optimizer", Section: family.InferenceSection, Kind: family.Choice,
				Default: "adam", Choices: []string{"adam", "natgrad"},
				Help: "natgrad: update q(f_M) by natural gradients, the rest by Adam", Paper: "both"},
			family.Hyperparameter{Name: "natgrad_step", Section: family.InferenceSection, Kind: family.Float,
				Default: "0.005", Min: 0, MinOpen: true, Max: 1,
				When: &family.Condition{Name: "optimizer", Is: []string{"natgrad"}},
				Help: "natural-gradient step size gamma", Paper: "0.005"})
	}
	if m.coupled {
		coupling := family.Hyperparameter{Name: "coupling_rate", Section: family.InferenceSection,
			Kind: family.Float, Default: "0.1", Before: "1", Min: 0, MinOpen: true, Max: 1,
			Help: "learning rate of the off-diagonal blocks of L_S, which couple GPs, relative to " +
				"learning_rate",
			Paper: "1"}
		if m.natgrad != none {
			coupling.When = &family.Condition{Name: "optimizer", Is: []string{"adam"}}
		}
		list = append(list, coupling)
	}
	return append(list,
		family.Hyperparameter{Name: "whiten", Section: family.InferenceSection,
			Kind: family.Bool, Default: "on",
			Help: "parametrise q over v with f_M = L_K v"})
}

// widths returns T_l of all layers for p outputs.
func (m member) widths(v family.Values, p int) ([]int, error) {
	if m.single || v.Int("layers") == 1 { // no hidden layers, so width does not apply
		return []int{p}, nil
	}
	layers := v.Int("layers")
	hidden := v.Ints("width")
	hidden, err := family.Expand("width", hidden, layers-1, fmt.Sprintf("hidden layers (layers=%d)", layers))
	return append(hidden, p), err
}

// patternFor returns the pattern for the given values and widths.
func (m member) patternFor(v family.Values, widths []int) (*Pattern, error) {
	if !m.masked {
		return m.pattern(widths), nil
	}
	p, err := ParsePattern(widths, v.Text("mask"))
	if err != nil {
		return nil, &family.ValueError{Name: "mask", Value: v.Text("mask"), Want: err.Error()}
	}
	return p, nil
}

// size implements family.Spec.Size.
func (m member) size(v family.Values, n, d, p int) (family.Size, error) {
	c, err := m.cost(v, n, d, p)
	if err != nil {
		return family.Size{}, err
	}
	s := family.Size{
		Blocks:      c.structure.NumBlocks(),
		Variational: c.variational(),
		StepFLOPs:   c.stepFLOPs(),
		Shape:       c.shape(),
		Memory:      c.memory(),
	}
	s.Parameters = s.Variational + c.hyperparameters()
	return s, nil
}

// cost returns the cost of a model with the given values.
func (m member) cost(v family.Values, n, d, p int) (cost, error) {
	widths, err := m.widths(v, p)
	if err != nil {
		return cost{}, err
	}
	pattern, err := m.patternFor(v, widths)
	if err != nil {
		return cost{}, err
	}
	if _, err := kernelStarts(v, len(widths)); err != nil {
		return cost{}, err
	}
	counts, err := inducingCounts(v, len(widths), n)
	if err != nil {
		return cost{}, err
	}
	inputs := append([]int{d}, widths[:len(widths)-1]...)
	kernels, err := family.KernelParameters(v, "kernel", inputs, true)
	if err != nil {
		return cost{}, err
	}
	c := cost{structure: newStructure(pattern, counts, false), inputs: inputs, kernels: kernels,
		n: n, b: min(v.Int("batch"), n), r: 1, sampled: m.sampled}
	if !m.single {
		c.r = v.Int("samples")
	}
	return c, nil
}
