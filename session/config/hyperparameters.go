package config

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// paper is the source of the values of the paper.
const paper = " (Lindinger et al. 2020, Appendix G)"

// Hyperparameters returns the settings of the training, which all families share, in the order of
// the form. They are set in Config.Set together with the hyperparameters of the family.
func Hyperparameters() []models.Hyperparameter {
	return slices.Concat(training(), starting(), data(), ending(), records())
}

// data returns the settings for transforming the data. They are not part of presets.
func data() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: "log_targets", Section: family.TrainingSection, Kind: family.Bool, Default: "off",
			Help: "train on the logarithms of the targets; scores stay in original units (densities with " +
				"the Jacobian, RMSE of the mean, MAE of the median)"},
	}
}

// training returns the settings that affect the results of a run.
func training() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: rundir.EpochsSetting, Section: family.TrainingSection, First: true, Kind: family.Int,
			Default: noEpochs, Min: 0, Max: 1e9,
			Help: "length of training in epochs, passes over the training set in minibatches; " +
				"0 to set it in steps"},
		{Name: rundir.StepsSetting, Section: family.TrainingSection, First: true, Kind: family.Int,
			Default: "20000", Min: 1, Max: 1e9,
			When: &family.Condition{Name: rundir.EpochsSetting, Is: []string{noEpochs}},
			Help: "maximum number of training steps", Paper: "20000" + paper},
		{Name: earlySetting, Section: family.TrainingSection, First: true, Kind: family.Bool, Default: "on",
			Help: "stop when the smoothed validation log-likelihood falls in five successive strips of 50 " +
				"steps, after step 5000",
			Paper: "on" + paper},
		{Name: overfittingSetting, Section: family.TrainingSection, Kind: family.Bool, Default: "on",
			When: &family.Condition{Name: earlySetting, Is: []string{"on"}},
			Help: "also stop when the run overfits: validation significantly below its best for a fifth of " +
				"the steps (at least 250) while the objective rose; from step 500 on",
			Paper: "off" + paper},
		{Name: "validation", Section: family.TrainingSection, Kind: family.Float, Default: "0.1", Min: 0,
			Max:   0.9,
			Help:  "share of the training set held out for validation; 0 for none (a split may have its own)",
			Paper: "0.1" + paper},
		{Name: rundir.KeepSetting, Section: family.TrainingSection, Kind: family.Choice,
			Default: rundir.KeptBest, Choices: []string{rundir.KeptBest, keptLast},
			Help: "parameters for scores, plots and predictions: last takes those of the last step; best " +
				"takes those with the highest validation log-likelihood (mean over 50 steps) if that is " +
				"clearly higher than at the last step",
			Paper: keptLast + paper},
		{Name: ValidationEvery, Section: family.TrainingSection, Kind: family.Int, Default: "10", Min: 1,
			Max: 1e9, Help: "steps between validations",
			Paper: "10 (the authors' experiments)"},
		{Name: "validation_samples", Section: family.TrainingSection, Kind: family.Int, Default: "5", Min: 1,
			Max: 10000, Help: "samples per validation point", Paper: "5 (the authors' experiments)"},
		{Name: "validation_points", Section: family.TrainingSection, Kind: family.Int, Default: "1024",
			Min: 0, Max: 1e9,
			Help: "maximum number of points per validation, drawn anew each time; 0 for all", Paper: "all"},
		{Name: "test_samples", Section: family.TrainingSection, Kind: family.Int, Default: "100", Min: 1,
			Max: 100000, Help: "samples per test point", Paper: "100" + paper},
	}
}

// starting returns the settings for the initial parameters, which presets may contain.
func starting() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: rundir.WarmStartSetting, Section: family.TrainingSection, Kind: family.Text,
			Help: "initial parameters: a run (ID or name), or a family, meaning its last finished " +
				"run on the same data, split and seed; empty: the family's own initialisation"},
		{Name: WarmOptimizer, Section: family.TrainingSection, Kind: family.Choice, Default: "fresh",
			Choices: []string{"fresh", "kept"},
			Help: "state of the optimiser after a warm start: fresh, or the " +
				"moments and step count of the source run"},
	}
}

// checkBudget validates a time budget.
func checkBudget(text string) error {
	d, err := time.ParseDuration(text)
	if text == "" || err == nil && d >= time.Second && d <= maxBudget {
		return nil
	}
	return errors.New("want a time from 1s to 10000h, such as 90s, 5m or 1h30m")
}

// maxBudget is the maximum time budget.
const maxBudget = 10_000 * time.Hour

// ending returns settings for ending a run early. They are not part of presets.
func ending() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: UntilConverged, Section: family.TrainingSection, First: true, Kind: family.Bool,
			Default: "off",
			Help: "stop when the validation log-likelihood (or the objective, without validation) is level " +
				"and nothing has improved significantly over the last fifth of the steps"},
		{Name: rundir.BudgetSetting, Section: family.TrainingSection, First: true, Kind: family.Text,
			Check: checkBudget,
			Help: "maximum time, such as 5m: the first steps are timed, and the number of steps, the " +
				"schedule and default inducing points are adapted and recorded; empty: none"},
	}
}

// ValidationEvery is the setting for the number of steps between validations.
const ValidationEvery = "validation_every"

// UntilConverged is the setting that enables the rule of watch.Drift.
const UntilConverged = "until_converged"

// records returns the settings for the files of a run. They are not part of presets.
func records() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: "metrics_every", Section: family.TrainingSection, Kind: family.Int, Default: "10", Min: 1,
			Max: 1e9, Help: "steps between report lines"},
		{Name: "checkpoint_every", Section: family.TrainingSection, Kind: family.Int, Default: "1000", Min: 0,
			Max: 1e9, Help: "steps between checkpoints; 0 to disable"},
		{Name: "checkpoint_seconds", Section: family.TrainingSection, Kind: family.Float, Default: "60",
			Min: 0, Max: 1e6,
			Help: "maximum training time between checkpoints in seconds; 0 to disable"},
	}
}

// FamilyHyperparameters returns the hyperparameters of a family followed by the settings of the
// training. It returns an error if the family is unknown.
func FamilyHyperparameters(name string) ([]models.Hyperparameter, error) {
	spec, err := models.Lookup(name)
	if err != nil {
		return nil, err
	}
	return allHyperparameters(spec), nil
}

// allHyperparameters returns the hyperparameters of a family and the settings of the training with the
// family's defaults.
func allHyperparameters(spec models.Spec) []models.Hyperparameter {
	return append(slices.Clone(spec.Hyperparameters), withDefaults(spec, Hyperparameters())...)
}

const (
	earlySetting       = "early_stopping"
	overfittingSetting = "stop_overfitting"
)

// keptLast is the value of rundir.KeepSetting that keeps the parameters of the last step.
const keptLast = "last"

// WarmOptimizer is the setting that controls whether a warm start copies the state of the
// optimiser.
const WarmOptimizer = "warm_optimizer"

// noEpochs is the value of epochs if the length of the training is given in steps.
const noEpochs = "0"

// withDefaults applies the family's defaults to the settings of the training. It removes epochs for
// families without minibatches and for samplers.
func withDefaults(spec models.Spec, settings []models.Hyperparameter) []models.Hyperparameter {
	if noEpochsReason(spec) != "" {
		settings = slices.DeleteFunc(settings, func(h models.Hyperparameter) bool {
			return h.Name == rundir.EpochsSetting
		})
		i := slices.IndexFunc(settings, func(h models.Hyperparameter) bool {
			return h.Name == rundir.StepsSetting
		})
		settings[i].When = nil
	}
	for i := range settings {
		if spec.Objective.Sampled() {
			adaptToSampler(&settings[i])
		} else if settings[i].Name == rundir.KeepSetting && !spec.Objective.Noisy {
			settings[i].Default = keptLast
			settings[i].Source = "the objective is exact"
		}
		if own, ok := spec.Training[settings[i].Name]; ok {
			settings[i].Default, settings[i].Source = own.Value, own.Source
		}
	}
	return settings
}

// noEpochsReason explains why the length of a family's runs cannot be given in epochs, or "" if it
// can.
func noEpochsReason(spec models.Spec) string {
	switch {
	case spec.Objective.Sampled():
		return fmt.Sprintf("the length follows from %s, %s and %s",
			family.BurnIn, family.Kept, family.Thinning)
	case !slices.ContainsFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool {
		return h.Name == rundir.BatchSetting
	}):
		return fmt.Sprintf("the family %s uses all training points in every step; set steps", spec.Name)
	}
	return ""
}

// adaptToSampler adapts a setting to families that sample from a posterior: the length of their runs follows
// from the phases, and neither early stopping nor keep=best applies to them.
func adaptToSampler(h *models.Hyperparameter) {
	switch h.Name {
	case rundir.StepsSetting:
		h.Default, h.Min, h.Paper = "0", 0, ""
		h.Source = fmt.Sprintf("%s + %s x %s", family.BurnIn, family.Kept, family.Thinning)
		h.Help = "maximum number of training steps; 0: burn-in and kept samples"
	case rundir.KeepSetting:
		const why = "samplers need all samples of the posterior"
		h.Default, h.Source, h.Paper = keptLast, "", ""
		h.Help = "keeps the last state: " + why
		h.Check = func(text string) error {
			if h.Canonical(text) == rundir.KeptBest {
				return errors.New(why)
			}
			return nil
		}
	case rundir.BudgetSetting:
		h.First = false
		h.Help = "does not apply to samplers: their length follows from burn_in, kept and thinning"
		h.Check = func(text string) error {
			if text != "" {
				return errors.New("does not apply to samplers; set burn_in and kept")
			}
			return nil
		}
	case earlySetting, overfittingSetting, UntilConverged:
		const why = "does not apply to samplers, which need all samples of the posterior"
		h.Default = "off"
		h.Source = ""
		h.Paper = ""
		h.First = false
		h.When = nil
		h.Help = why
		h.Check = func(text string) error {
			if h.Canonical(text) == "on" {
				return errors.New(why)
			}
			return nil
		}
	}
}
