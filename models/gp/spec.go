package gp

import (
	"fmt"

	"dgplab/models/family"
	"dgplab/models/infer"
)

// predictedAtOnce is the maximum number of points per prediction call of a run.
const predictedAtOnce = 1024

// maxPoints is the maximum number of training points of the exact GP.
const maxPoints = 10000

// Families returns the exact GP and its two sparse approximations.
func Families() []family.Spec {
	return []family.Spec{
		member{
			name: "gp", title: "Exact GP", record: (*graph).recordExact,
			scaling: []family.Exponent{{Hyperparameter: family.Rows, Power: 3}},
			summary: "one layer, exact inference: the reference for small data, up to a few thousand points",
			source:  "Rasmussen, Williams 2006, algorithm 2.1",
			objective: family.Objective{Name: "log marginal likelihood", Kind: family.Evidence,
				Terms: []infer.Reading{family.DataFit, family.Complexity}},
		}.spec(),
		member{
			name: "sgpr", title: "Collapsed sparse GP", record: (*graph).recordSGPR, sparse: true,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: family.Rows, Power: 1}},
			summary: "one layer: the bound of svgp with the optimal Gaussian over its inducing outputs, in " +
				"closed form",
			source: "Titsias 2009, eq. 9",
			objective: family.Objective{Name: "collapsed ELBO", Kind: family.Bound,
				Terms: []infer.Reading{family.DataFit, family.Complexity, trace}},
		}.spec(),
		member{
			name: "fitc", title: "FITC sparse GP", record: (*graph).recordFITC, sparse: true,
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: family.Rows, Power: 1}},
			summary: "one layer: the exact evidence of an approximate prior, not a bound on the evidence " +
				"of the GP",
			source: "Snelson, Ghahramani 2006, eq. 9",
			objective: family.Objective{Name: "FITC log marginal likelihood", Kind: family.Evidence,
				Terms: []infer.Reading{family.DataFit, family.Complexity}},
		}.spec(),
	}
}

// trace is the term that the collapsed bound subtracts.
var trace = infer.Reading{Key: "trace", Name: "trace term"}

// member describes one family of the package.
type member struct {
	name, title, summary, source string
	objective                    family.Objective
	record                       func(*graph)
	sparse                       bool // has inducing inputs
	scaling                      []family.Exponent
}

func (m member) spec() family.Spec {
	m.objective.Gauges, m.objective.Monotone = (*infer.LBFGS)(nil).Gauges(), true
	const why = "each iteration uses all data and a line search; training converges"
	steps := family.Default{Value: "1000", Source: why}
	if m.sparse {
		steps = family.Default{
			Value: "5000",
			Source: "the inducing inputs converge slowly: on boston with M = 128 sgpr converges in 1,800 " +
				"steps, and fitc rises by 0.02 between 5,000 and 8,000",
		}
	}
	return family.Spec{
		Name: m.name, Title: m.title, Summary: m.summary, Source: m.source,
		Group: "sparse and exact GPs", Objective: m.objective, Seedless: !m.sparse,
		Accepts:         family.Accepts{Regression: true, Outputs: true, Noise: true, Weights: true},
		Hyperparameters: m.hyperparameters(),
		Absent: map[string]string{
			"likelihood": "the objective has a closed form for Gaussian noise only; " +
				"svgp takes any likelihood",
		},
		Training: family.WithoutValidation(map[string]family.Default{
			"steps":            steps,
			"metrics_every":    {Value: "1", Source: why},
			"checkpoint_every": {Value: "100", Source: why},
		}, "the evidence needs no held-out data"),
		Size: m.size, Scaling: m.scaling,
		New: func(v family.Values, data family.Data, seed uint64) (family.Model, error) {
			model, err := m.build(v, data, seed)
			if err != nil {
				return nil, err
			}
			return model, nil
		},
	}
}

func (m member) hyperparameters() []family.Hyperparameter {
	list := []family.Hyperparameter{
		family.KernelHyperparameter("kernel",
			"covariance function, one lengthscale per input dimension", family.OneKernel),
		{Name: "lengthscale", Section: family.KernelSection, Kind: family.FloatList, Default: "1", Min: 1e-3,
			Max: 1e3, Help: "initial lengthscales: one value for all, or one per input dimension"},
		{Name: "variance", Section: family.KernelSection, Kind: family.Float, Default: "1", Min: 1e-4,
			Max: 1e4, Help: "initial kernel variance"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.01", Min: 1e-5,
			Max: 100, Help: "initial Gaussian noise variance, in standardised units"},
	}
	if m.sparse {
		list = append([]family.Hyperparameter{
			{Name: "inducing", Section: family.ModelSection, First: true, Kind: family.Int, Default: "128",
				AtMostHalf: true, Min: 1, Max: 4096, Help: "inducing points M"},
			{Name: "optimize_inducing", Section: family.InferenceSection, First: true, Kind: family.Bool,
				Default: "on", Help: "optimise the inducing inputs; off: keep the k-means centers"},
		}, list...)
		list = append(list, family.Hyperparameter{Name: "jitter", Section: family.InferenceSection,
			Kind: family.Float, Default: "1e-6", Min: 0, Max: 1e-2,
			Help: "added to the diagonal of every K_MM"})
	}
	return append(append(list, family.ConvergenceHyperparameters()...),
		family.Hyperparameter{Name: "history", Section: family.InferenceSection, Kind: family.Int,
			Default: "50", Min: 1, Max: 1000,
			Source: "half as many steps on boston as with 10",
			Help:   "number of past steps from which L-BFGS estimates the curvature",
			Paper:  "3 to 20 (Liu, Nocedal 1989)"})
}

// size implements family.Spec.Size.
func (m member) size(v family.Values, n, d, p int) (family.Size, error) {
	s, points := family.Size{Parameters: 1}, float64(n)
	counts, err := family.KernelParameters(v, "kernel", []int{d}, true)
	if err != nil {
		return s, err
	}
	s.Parameters += counts[0]
	if m.sparse {
		inducing := min(v.Int("inducing"), n)
		if v.Bool("optimize_inducing") {
			s.Parameters += inducing * d
		}
		// The forward pass has a triangular solve and the symmetric product for B; the backward pass
		// costs twice as much. The rest is for the factors of K_MM and B and their derivatives.
		square := float64(inducing * inducing)
		s.StepFLOPs = 6*points*square + 7*square*float64(inducing)
		s.Shape = family.Shape{Rows: inducing, Inner: inducing, Cols: n}
		// Nodes of [M][N] and [M][M], with gradients and copies.
		s.Memory = 8 * (9*float64(inducing)*points + 18*square)
	} else {
		// The operations are a factorisation and an inverse. Memory holds K, its gradient, its
		// factor, the product of the factor for views, and the covariances with the points of a
		// prediction.
		s.StepFLOPs = points * points * points
		s.Shape = family.Shape{Rows: n, Inner: n, Cols: n}
		s.Memory = 8 * 4 * points * points
		if n > maxPoints {
			return s,
				fmt.Errorf("the exact GP accepts at most %d points: its matrices of %d x %d would need %.1f "+
					"GB; use sgpr or fitc",
					maxPoints, n, n, s.Memory/1e9)
		}
		s.Memory += 8 * predictedAtOnce * points
	}
	// L-BFGS keeps two vectors per remembered step, with copies for checkpoints.
	s.Memory += 8 * 3.5 * v.Float("history") * float64(s.Parameters)
	return s, nil
}
