package sampling

import "dgplab/models/family"

// Phases are the lengths of the phases of a run: BurnIn steps before the chains sample the
// posterior, then Kept times Thinning steps, of which every Thinning-th position is kept.
type Phases struct{ BurnIn, Kept, Thinning int }

// ReadPhases returns the phases given by the values of PhaseHyperparameters.
func ReadPhases(v family.Values) Phases {
	return Phases{BurnIn: v.Int(family.BurnIn), Kept: v.Int(family.Kept), Thinning: v.Int(family.Thinning)}
}

// PhaseHyperparameters returns the hyperparameters for the phases, with the given defaults, and for
// the number of chains.
func PhaseHyperparameters(burnIn, kept, thinning family.Default) []family.Hyperparameter {
	phase := func(name string, d family.Default, least float64, help string) family.Hyperparameter {
		return family.Hyperparameter{Name: name, Section: family.InferenceSection,
			First: true, Kind: family.Int,
			Default: d.Value, Source: d.Source, Min: least, Max: 1e8, Help: help}
	}
	list := []family.Hyperparameter{
		phase(family.BurnIn, burnIn, 0, "burn-in steps before samples are kept"),
		phase(family.Kept, kept, 1,
			"samples kept per chain; predictions average over all chains"),
		phase(family.Thinning, thinning, 1,
			"steps between kept samples; doubled whenever the kept samples are full"),
		{Name: "chains", Section: family.InferenceSection, First: true, Kind: family.Int, Default: "1",
			Min: 1, Max: 64, Help: "parallel chains with different initial states; R-hat needs several"},
	}
	list[1].Max = 1e5
	return list
}
