package train

import (
	"dgplab/models/family"
	"dgplab/models/infer"
)

// RateHyperparameters returns the hyperparameters of Adam and its learning-rate schedule, the rate
// first. The arguments are the defaults of the rate, of the decay factor of the staircase schedule
// and of beta_2.
func RateHyperparameters(rate, decay, beta2 string) []family.Hyperparameter {
	stable := &family.Condition{Name: "schedule", Is: []string{string(infer.StableDecay)}}
	stairs := &family.Condition{Name: "schedule", Is: []string{string(infer.Stairs)}}
	return []family.Hyperparameter{
		{Name: "learning_rate", Section: family.InferenceSection, First: true, Kind: family.Float,
			Default: rate, Min: 0, MinOpen: true, Max: 1, Help: "initial learning rate of Adam"},
		{Name: "schedule", Section: family.InferenceSection, Kind: family.Choice,
			Default: string(infer.StableDecay),
			Choices: []string{string(infer.StableDecay), string(infer.Stairs), string(infer.Cosine),
				string(infer.Line)},
			Help: "learning rate: constant for 1000 steps, then falling with the root of the step, and to " +
				"zero over the last steps; stairs; or cosine or linear to zero at the last step (a longer " +
				"run then differs from its first step on)"},
		{Name: "decay_share", Section: family.InferenceSection, Kind: family.Float, Default: "0.25", Min: 0,
			Max: 0.9, When: stable, Help: "share of the steps over which the learning rate falls to zero"},
		{Name: "decay_rate", Section: family.InferenceSection, Kind: family.Float, Default: decay, Min: 0,
			MinOpen: true, Max: 1, When: stairs, Help: "factor on the learning rate per stair"},
		{Name: "decay_steps", Section: family.InferenceSection, Kind: family.Int, Default: "1000", Min: 1,
			Max: 1e9, When: stairs, Help: "steps per stair"},
		{Name: "warm_up", Section: family.InferenceSection, Kind: family.Int, Default: "0", Min: 0,
			Max: 1e9, Help: "warm-up steps, in which the learning rate rises to its initial value"},
		{Name: "beta2", Section: family.InferenceSection, Kind: family.Float, Default: beta2, Min: 0,
			Max: 0.999999,
			Help: "Adam's decay rate for the mean squared gradient; higher values remember large gradients " +
				"longer"},
	}
}

// Rates holds the values of RateHyperparameters.
type Rates struct {
	infer.Schedule
	Beta2 float64 // 0 for infer.DefaultBeta2
}

// ReadRates returns the rates in v for a run of the given number of steps, which is 0 if unknown.
func ReadRates(v family.Values, steps int) Rates {
	return Rates{
		Schedule: infer.Schedule{
			Rate: v.Float("learning_rate"), Shape: infer.Shape(v.Text("schedule")),
			WarmUp: v.Int("warm_up"), Length: steps, DecayShare: v.Float("decay_share"),
			Decay: v.Float("decay_rate"), Every: v.Int("decay_steps"),
		},
		Beta2: v.Float("beta2"),
	}
}

// Adam returns an optimiser for n parameters.
func (r Rates) Adam(n int) *infer.Adam {
	adam := infer.NewAdam(n, r.Schedule)
	if r.Beta2 != 0 {
		adam.Beta2 = r.Beta2
	}
	return adam
}
