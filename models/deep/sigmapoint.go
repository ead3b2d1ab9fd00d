package deep

import (
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
)

const (
	dsppPaper  = "Jankowiak, Pleiss, Gardner 2020, Deep Sigma Point Processes"
	ppgprPaper = "Jankowiak, Pleiss, Gardner 2020, Parametric Gaussian Process Regressors"
	gpytorch   = "GPyTorch's whitened VariationalStrategy"
)

// sigmaPointFamilies returns the ppgpr, dspp and dsdgp families.
func sigmaPointFamilies() []family.Spec {
	return []family.Spec{
		sigmaPointFamily{
			name: "ppgpr", title: "Parametric predictive GP", single: true, form: likelihood.LogExpected,
			group: "sparse and exact GPs", objective: predictiveObjective("PPGPR objective"),
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2}},
			summary: "one layer: a sparse GP trained by its predictive density instead of a bound",
			source:  ppgprPaper + "; Meng, Zhang 2024, appendix D",
		}.spec(),
		sigmaPointFamily{
			name: "dspp", title: "Deep sigma point process", form: likelihood.LogExpected, quadrature: true,
			group: factorisedGroup, objective: predictiveObjective("DSPP objective"),
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: "layers", Power: 1}, {Hyperparameter: "width", Power: 1}},
			summary: "learned quadrature points and weights replace samples; trained by the predictive " +
				"density",
			source: dsppPaper + "; Meng, Zhang 2024, section 4.4",
		}.spec(),
		sigmaPointFamily{
			name: "dsdgp", title: "Doubly stochastic deep GP", form: likelihood.ExpectedLog,
			group: factorisedGroup, objective: family.MinibatchObjective("ELBO",
				family.Bound, family.ExpectedLogLik),
			scaling: []family.Exponent{{Hyperparameter: "inducing", Power: 2},
				{Hyperparameter: "layers", Power: 1}, {Hyperparameter: "width", Power: 1}},
			summary: "independent layers trained by samples, with a kernel per GP and learned linear means",
			source:  "Salimbeni, Deisenroth 2017, in the form of " + Paper,
		}.spec(),
	}
}

// factorisedGroup is the heading of the deep families.
const factorisedGroup = "factorised deep GPs"

// predictiveObjective returns an objective with the given name and a log density as its first term.
func predictiveObjective(name string) family.Objective {
	return family.MinibatchObjective(name, family.Surrogate, infer.Reading{
		Key:  "predictive_log_lik",
		Name: "predictive log-likelihood",
	})
}

// sigmaPointFamily holds the properties that distinguish a family from the other sigma point
// families.
type sigmaPointFamily struct {
	name, title, summary, source, group string
	objective                           family.Objective
	single, quadrature                  bool
	form                                likelihood.Form
	scaling                             []family.Exponent
}

func (m sigmaPointFamily) spec() family.Spec {
	training := Evaluation()
	if m.quadrature {
		training = HeldOut()
	}
	spec := Spec(family.Spec{
		Name: m.name, Title: m.title, Summary: m.summary, Source: m.source,
		Group: m.group, Objective: m.objective,
		Hyperparameters: m.hyperparameters(), Training: training, Scaling: m.scaling,
	}, m.plan)
	spec.Accepts = family.AnyRows
	return spec
}

// hyperparameters returns the hyperparameters of the family, with the settings of the comparison in
// Meng, Zhang 2024.
func (m sigmaPointFamily) hyperparameters() []family.Hyperparameter {
	var list []family.Hyperparameter
	if m.single {
		list = append(list, family.Hyperparameter{Name: "inducing", Section: family.ModelSection, First: true,
			Kind: family.Int, Default: "256", AtMostHalf: true, Min: 1, Max: 4096,
			Help: "inducing points M"})
	} else {
		samples := family.Hyperparameter{Name: "samples", Section: family.InferenceSection, Kind: family.Int,
			Default: "32", Source: Paper, Min: 1, Max: 256,
			Help: "Monte Carlo samples S per training step", Paper: "32"}
		if m.quadrature {
			samples.Section = family.ModelSection
			samples.Help = "quadrature points S, also used in predictions"
		}
		list = append(LayerSettings(Paper, "16,4", "256,128,128"), samples,
			family.Hyperparameter{Name: "mean_function", Section: family.ModelSection, Kind: family.Choice,
				Default: "linear", Source: Paper, Choices: []string{"linear", "zero"},
				Help: "mean function of hidden layers: linear (learned, starts at identity or principal " +
					"directions) or zero", Paper: "linear"},
			family.Hyperparameter{Name: "inner_scale", Section: family.InferenceSection, Kind: family.Float,
				Default: "1", Source: "Meng, Zhang 2024, section 4.5", Min: 1e-8, Max: 1,
				Help: "initial spread of q(u) in hidden layers, relative to the prior"})
	}
	if m.form == likelihood.LogExpected {
		list = append(list, family.Hyperparameter{Name: "beta", Section: family.InferenceSection, First: true,
			Kind: family.Float, Default: "1", Min: 0, Max: 1e3,
			Help:  "factor of the KL regularisation",
			Paper: "not stated; 0.01 to 1 in the authors' own experiments"})
	}
	covariance := family.Hyperparameter{Name: "covariance", Section: family.ModelSection, Kind: family.Choice,
		Default: "diagonal", Source: Paper, Choices: []string{"diagonal", "full"},
		Help: "covariance of the inducing outputs of a GP", Paper: "diagonal"}
	if m.single {
		covariance.Default, covariance.Source, covariance.Paper = "full", ppgprPaper, "full"
	}
	list = append(list, covariance,
		family.Hyperparameter{Name: "whiten", Section: family.InferenceSection, Kind: family.Bool,
			Default: "on", Source: gpytorch,
			Help: "parametrise q over v with u = L_K v"})
	scope := family.PerGP
	if !m.single {
		scope |= family.PerLayer
	}
	settings := Settings(Paper, scope)
	switch {
	case m.quadrature:
		settings = StartLinear(settings, "0.01")
	case m.single:
		settings = StartLinear(settings, "0.02")
	}
	return append(list, settings...)
}

// plan implements deep.Planner.
func (m sigmaPointFamily) plan(v family.Values, n, d, p int) (*Plan, error) {
	layers, notes, err := ReadShared(v, n, d, p)
	if err != nil {
		return nil, err
	}
	layers.Diagonal = v.Text("covariance") == "diagonal"
	c := ReadConfig(v, m.objective)
	c.Quadrature, c.Form, c.Notes = m.quadrature, m.form, notes
	if !m.single {
		layers.LinearMean = v.Text("mean_function") == "linear"
		layers.HiddenSpread = v.Float("inner_scale")
		c.Samples = v.Int("samples")
	}
	if m.form == likelihood.LogExpected {
		c.Beta = v.Float("beta")
	}
	return &Plan{Layers: layers, Config: c}, nil
}
