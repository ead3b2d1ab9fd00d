package gprn

import (
	"errors"
	"fmt"

	"dgplab/models/family"
	"dgplab/models/infer"
)

// maxPoints is the maximum number of training points.
const maxPoints = 5000

// authors is the source of defaults.
const (
	authors = "Nguyen, Bonilla 2013, the authors' code"
)

// Terms of the bounds.
var (
	latentKL = infer.Reading{Key: "latent_kl", Name: "latent KL"}
	weightKL = infer.Reading{Key: "weight_kl", Name: "weight KL"}

	logJoint     = infer.Reading{Key: "expected_log_joint", Name: "expected log joint"}
	entropyBound = infer.Reading{Key: "entropy_bound", Name: "entropy bound"}
)

// meanFieldObjective is its first term minus the others.
var meanFieldObjective = family.Objective{
	Name: "ELBO", Kind: family.Bound, Monotone: true,
	Terms:  []infer.Reading{family.ExpectedLogLik, latentKL, weightKL},
	Gauges: (*em)(nil).Gauges(),
}

// npvObjective is the sum of its terms.
var npvObjective = family.Objective{
	Name: "nonparametric ELBO", Kind: family.Bound, Monotone: true,
	Terms:  []infer.Reading{logJoint, entropyBound},
	Gauges: (*infer.LBFGS)(nil).Gauges(),
}

// Families returns GP regression networks with mean-field and with nonparametric inference.
func Families() []family.Spec {
	return []family.Spec{
		spec(family.Spec{
			Name: "gprn", Title: "GP regression network", Objective: meanFieldObjective,
			Summary: "y = W(x) f(x) + noise: output correlations that depend on the input; closed-form " +
				"coordinate ascent",
			Source:          "Wilson et al. 2012; Nguyen, Bonilla 2013, eqs. 8-30",
			Hyperparameters: common("1e-6", "", family.PerGP), Size: meanFieldSize, New: buildMeanField,
		}, meanField()),
		spec(family.Spec{
			Name: "gprn-npv", Title: "GP regression network, nonparametric", Objective: npvObjective,
			Summary: "the same model with a mixture of isotropic Gaussians as posterior, which can have " +
				"several modes; L-BFGS",
			Source: "Nguyen, Bonilla 2013, eqs. 31-37; Gershman et al. 2012", Size: npvSize, New: buildNPV,
			Hyperparameters: common("1e-2",
				"each direction determined by the data lowers the bound by half the logarithm of "+
					"the ratio of its prior variance to the jitter", family.OneKernel),
		}, nonparametric()),
	}
}

// spec completes the spec of a family, with the given hyperparameters of its inference.
func spec(s family.Spec, own []family.Hyperparameter) family.Spec {
	const why = "each step uses all data; training converges"
	s.Group = "GP regression networks"
	s.Accepts = family.Accepts{Regression: true, Outputs: true, Missing: true}
	s.Hyperparameters = append(s.Hyperparameters, own...)
	s.Presets = presets(s.Hyperparameters)
	s.Scaling = []family.Exponent{{Hyperparameter: family.Rows, Power: 3}}
	s.Absent = map[string]string{
		"likelihood": "the updates have a closed form for Gaussian noise only",
		"kernel":     "functions and weights have separate kernels, latent_kernel and weight_kernel",
	}
	s.Training = family.WithoutValidation(map[string]family.Default{
		"steps":            {Value: "1000", Source: why},
		"metrics_every":    {Value: "1", Source: why},
		"checkpoint_every": {Value: "100", Source: why},
	}, "the bound needs no held-out data")
	return s
}

// common returns the hyperparameters of the model and its priors. jitter is the default jitter and
// why is its source; both depend on the posterior, as does the scope of latent
// kernels.
func common(jitter, why string, latentScope family.KernelScope) []family.Hyperparameter {
	start := func(name, section, help string) family.Hyperparameter {
		return family.Hyperparameter{
			Name:    name,
			Section: family.Section(section),
			Help:    help,
			Min:     1e-3,
			Max:     1e3,
		}
	}
	list := []family.Hyperparameter{
		{Name: "latents", Section: family.ModelSection, First: true, Kind: family.Int, Default: "2", Min: 1,
			Max: 32, Help: "number of latent functions Q, which all outputs share",
			Paper: "1 (" + authors + ")"},
		{Name: "points", Section: family.DataSection, Kind: family.Int, Default: "0", Min: 0, Max: maxPoints,
			Help: "train on a random subset of this many training points; 0: all"},
		{Name: "noise_variance", Section: family.ModelSection, Kind: family.Float, Default: "0.1", Min: 1e-5,
			Max: 100, Help: "initial Gaussian noise variance, in standardised units",
			Paper: "drawn from (0, 1) (" + authors + ")"},
		{Name: "ard", Section: family.KernelSection, Kind: family.Bool, Default: "on", Source: authors,
			Help: "one lengthscale per input dimension; off: one for all"},
	}
	scopes := map[string]family.KernelScope{"latent": latentScope}
	for _, name := range []string{"latent", "weight"} {
		suffix := " of the " + name + " functions"
		k := family.KernelHyperparameter(name+"_kernel", "covariance function"+suffix, scopes[name])
		k.Source = authors
		l := start(name+"_lengthscale", string(family.KernelSection),
			"initial lengthscales"+suffix+": one value for all, or one per input dimension")
		l.Kind = family.FloatList
		l.Default = map[string]string{"latent": "1", "weight": "3"}[name]
		l.Paper = "drawn from (1, 2.7) (" + authors + ")"
		s := start(name+"_variance", string(family.KernelSection), "initial variance"+suffix)
		s.Kind, s.Default, s.Source = family.Float, "1", authors
		list = append(list, k, l, s)
	}
	return append(list,
		family.Hyperparameter{Name: "learn_latent_variance", Section: family.KernelSection, Kind: family.Bool,
			Default: "off", Source: authors,
			Help: "also learn the variance of the latent functions; only the product of the scales of " +
				"latent functions and weights matters"},
		family.Hyperparameter{Name: "jitter", Section: family.InferenceSection, Kind: family.Float,
			Default: jitter, Source: why, Min: 1e-10, Max: 0.1,
			Help: "added to the diagonals of K_f and K_w"},
		family.Hyperparameter{Name: "restarts", Section: family.InferenceSection, First: true,
			Kind: family.Int, Default: "3", Min: 1, Max: 100,
			Help: "number of starting points (principal directions of the targets, then random weights); " +
				"the one with the highest ELBO is kept"},
	)
}

// meanField returns the hyperparameters of coordinate ascent.
func meanField() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "hyper_every", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "5",
			Min: 0, Max: 10000,
			Source: "with three outputs and 150 points the final ELBO is higher than with 1, in the same " +
				"time",
			Help: "sweeps over all functions per hyperparameter update; an extrapolation precedes the " +
				"update if it raises the bound; 0: neither"},
		{Name: "hyper_steps", Section: family.InferenceSection, Kind: family.Int, Default: "1", Min: 1,
			Max: 1000, Source: "more iterations gain nothing: the sweeps converge more slowly",
			Help:  "L-BFGS iterations per hyperparameter update",
			Paper: "up to 200 (" + authors + ")"},
		history(),
		{Name: "ftol", Section: family.InferenceSection, First: true, Kind: family.Float, Default: "1e-5",
			Min: 0, Max: 1,
			Help: "convergence threshold on the relative increase of the ELBO between hyperparameter " +
				"updates"},
	}
}

// nonparametric returns the hyperparameters of the nonparametric posterior.
func nonparametric() []family.Hyperparameter {
	return []family.Hyperparameter{
		{Name: "components", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "1",
			Min: 1, Max: 100, Source: authors, Help: "number of isotropic Gaussians K in the posterior"},
		{Name: "hyper_after", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "100",
			Min: 0, Max: 1000000,
			Source: "without it the weights soon vanish, at a lower local maximum of the bound",
			Help:   "steps that train only the posterior, before kernels and noise are also learned"},
		{Name: "tolerance", Section: family.InferenceSection, First: true, Kind: family.Float,
			Default: "1e-5", Min: 1e-12, Max: 1,
			Help: "convergence threshold on the largest gradient entry, relative to the objective"},
		{Name: "ftol", Section: family.InferenceSection, Kind: family.Float, Default: "2.2e-9", Min: 0,
			Max: 1, Source: "SciPy's L-BFGS-B: 1e7 times machine epsilon",
			Help: "convergence threshold on the relative increase of the objective per step; 0: none"},
		history(),
	}
}

// history returns the hyperparameter for the memory of L-BFGS.
func history() family.Hyperparameter {
	return family.Hyperparameter{Name: "history", Section: family.InferenceSection, Kind: family.Int,
		Default: "20", Min: 1, Max: 1000,
		Help:  "number of past steps from which L-BFGS estimates the curvature",
		Paper: "3 to 20 (Liu, Nocedal 1989)"}
}

// pointsOf returns the number of training points. It returns an error if there are too many.
func pointsOf(v family.Values, n int) (int, error) {
	if points := v.Int("points"); points > 0 {
		n = min(n, points)
	}
	if n > maxPoints {
		return n,
			fmt.Errorf("a GP regression network accepts at most %d points: each of its matrices of %d x %d "+
				"would need %.1f GB; set points to train on a subset",
				maxPoints, n, n, 8*float64(n)*float64(n)/1e9)
	}
	return n, nil
}

// alongInput is the approximate number of values stored per input for predictions along the inputs.
const alongInput = 1000

// meanFieldSize implements family.Spec.Size. Missing targets can add groups, which it does not
// count.
func meanFieldSize(v family.Values, n, d, p int) (family.Size, error) {
	n, err := pointsOf(v, n)
	q := v.Int("latents")
	points := float64(n)
	square := 8 * float64(n) * float64(n)
	s := family.Size{Variational: n * q * (p + 3)}
	var kernels error
	s.Parameters, kernels = hyperparameters(v, d)
	groups := float64(2 * q)
	// A sweep takes a factor and its inverse per group, and three matrix-vector products per
	// function.
	cube := points * points * points
	s.Shape = family.Shape{Rows: n, Inner: n, Cols: n}
	s.StepFLOPs = groups*2./3*cube + float64(q*(p+1))*6*points*points
	// An update of the hyperparameters takes about two evaluations per iteration. Each computes the
	// factor and inverse of a sweep, the inverse of B, its product with K, and D diag D^T.
	if every := v.Int("hyper_every"); every > 0 {
		s.Cycle = every
		s.StepFLOPs += 1.5 * groups * 2. / 3 * cube / float64(every) // an extrapolation, half of which fail
		s.StepFLOPs += 2 * float64(v.Int("hyper_steps")) / float64(every) * groups * (2./3 + 4) * cube
	}
	chains := 1.0
	if n < manyPoints {
		chains = 4
	}
	// Memory holds two priors, two matrices per chain, the covariances of all groups for the map,
	// and garbage from computing the map. At n=2000, q=2 and p=7, 0.56 GB were measured.
	numbers := alongInput*float64(d) + float64(q*(p+1))*4*points + 2*v.Float("history")*float64(s.Parameters)
	s.Memory = square*(8+2*chains+2*groups) + 8*numbers
	return s, errors.Join(err, kernels)
}

// hyperparameters returns the number of learned hyperparameters.
func hyperparameters(v family.Values, d int) (int, error) {
	count := 1 // the noise
	latents, err := family.ParseKernels(v, "latent_kernel", 1)
	if err != nil {
		return 0, err
	}
	weights, err := family.KernelParameters(v, "weight_kernel", []int{d}, v.Bool("ard"))
	if err != nil {
		return 0, err
	}
	if err := family.CheckKernels("latent_kernel", latents, []int{v.Int("latents")}); err != nil {
		return 0, err
	}
	priors := v.Int("latents")
	if latents[0].Fits(1) {
		priors = 1
	}
	for j := range priors {
		count += latents[0].Of(j).NumParameters(d, v.Bool("ard"))
		if !v.Bool("learn_latent_variance") {
			count--
		}
	}
	return count + weights[0], nil
}

// npvSize implements family.Spec.Size.
func npvSize(v family.Values, n, d, p int) (family.Size, error) {
	n, err := pointsOf(v, n)
	q := v.Int("latents")
	k := v.Int("components")
	points := float64(n)
	s := family.Size{Variational: k * (n*q*(p+1) + 1)}
	count, kernels := hyperparameters(v, d)
	s.Parameters = s.Variational + count
	// Each prior takes a factor, the inverse, its square, and the gradient of the factor. Each mean
	// takes three products with a triangle and one product with the gradient of the triangle.
	cube, functions := points*points*points, float64(k*q*(p+1))
	const evaluations = 1.2 // per iteration
	s.StepFLOPs = evaluations * (2*4.5*cube + 5*functions*points*points)
	s.Shape = family.Shape{Rows: n, Inner: n, Cols: n}
	s.Memory = 8 *
		(alongInput*float64(d) + 2*8*points*points + 6*functions*points +
			2*v.Float("history")*float64(s.Parameters))
	return s, errors.Join(err, kernels)
}
