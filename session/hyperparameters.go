package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Where the paper's values come from.
const paper = " (Lindinger et al. 2020, Appendix G)"

// Hyperparameters returns those of the training itself, for every family, in the
// order of the form. They are set in Config.Set beside the family's.
func Hyperparameters() []models.Hyperparameter {
	return slices.Concat(training(), starting(), data(), ending(), records())
}

// data are the settings of what is made of the data. No preset has them.
func data() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: "log_targets", Section: family.TrainingSection, Kind: family.Bool, Default: "off",
			Help: "train on the logarithms of the targets; scores stay in original units (densities with " +
				"the Jacobian, RMSE of the mean, MAE of the median)"},
	}
}

// training are the settings that the numbers of a run depend on.
func training() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: rundir.EpochsSetting, Section: family.TrainingSection, First: true, Kind: family.Int,
			Default: noEpochs, Min: 0, Max: 1e9,
			Help: "length of training in epochs, passes over the training part in steps of one batch each; " +
				"0 to give it in steps"},
		{Name: rundir.StepsSetting, Section: family.TrainingSection, First: true, Kind: family.Int,
			Default: "20000", Min: 1, Max: 1e9,
			When: &family.Condition{Name: rundir.EpochsSetting, Is: []string{noEpochs}},
			Help: "most steps of training", Paper: "20000" + paper},
		{Name: earlySetting, Section: family.TrainingSection, First: true, Kind: family.Bool, Default: "on",
			Help: "stop when the smoothed validation log-likelihood falls in five successive strips of 50 " +
				"steps, after step 5000",
			Paper: "on" + paper},
		{Name: overfittingSetting, Section: family.TrainingSection, Kind: family.Bool, Default: "on",
			When: &family.Condition{Name: earlySetting, Is: []string{"on"}},
			Help: "stop also when the run overfits: validation has been significantly below its best for a " +
				"fifth of the " +
				"steps, and at least 250, while the objective rose; from step 500 on",
			Paper: "off" + paper},
		{Name: "validation", Section: family.TrainingSection, Kind: family.Float, Default: "0.1", Min: 0,
			Max:   0.9,
			Help:  "share of the training part held out for validation, 0 for none (random811 has its own)",
			Paper: "0.1" + paper},
		{Name: keepSetting, Section: family.TrainingSection, Kind: family.Choice, Default: keptBest,
			Choices: []string{keptBest, keptLast},
			Help: "parameters that are scored, shown and predicted with at the end: of the step with the " +
				"best " +
				"validation log-likelihood (mean over 50 steps), or of the last step; without a validation " +
				"part the last",
			Paper: keptLast + paper},
		{Name: "validation_every", Section: family.TrainingSection, Kind: family.Int, Default: "10", Min: 1,
			Max: 1e9, Help: "steps between evaluations on the validation part",
			Paper: "10 (the authors' experiments)"},
		{Name: "validation_samples", Section: family.TrainingSection, Kind: family.Int, Default: "5", Min: 1,
			Max: 10000, Help: "samples of each validation point", Paper: "5 (the authors' experiments)"},
		{Name: "validation_points", Section: family.TrainingSection, Kind: family.Int, Default: "1024",
			Min: 0, Max: 1e9,
			Help: "most validation points in one evaluation, drawn anew for each; 0 for all", Paper: "all"},
		{Name: "test_samples", Section: family.TrainingSection, Kind: family.Int, Default: "100", Min: 1,
			Max: 100000, Help: "samples of each test point", Paper: "100" + paper},
	}
}

// starting are the settings of where the parameters start, which a preset may have.
func starting() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: rundir.WarmStartSetting, Section: family.TrainingSection, Kind: family.Text,
			Help: "start from the parameters of this run (ID or name), or of this family's last finished " +
				"run on the same data, split and seed; empty: from the family's own start"},
		{Name: warmOptimizer, Section: family.TrainingSection, Kind: family.Choice, Default: "fresh",
			Choices: []string{"fresh", "kept"},
			Help: "the optimiser of a run that starts from another one: as at a start, or with the " +
				"moments and the step count of that run"},
	}
}

// ending are the settings of when a run ends before its steps are done, beyond those of
// papers. No preset has them.
func ending() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: untilConverged, Section: family.TrainingSection, First: true, Kind: family.Bool,
			Default: "off",
			Help: "stop when the validation log-likelihood (without one: the objective) has been level " +
				"and nothing has improved beyond chance over the last fifth of the steps"},
	}
}

// untilConverged is the setting of the rule of package drift.
const untilConverged = "until_converged"

// records are the settings of what is kept of a run. No preset has them.
func records() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: "metrics_every", Section: family.TrainingSection, Kind: family.Int, Default: "10", Min: 1,
			Max: 1e9, Help: "steps between report lines"},
		{Name: "checkpoint_every", Section: family.TrainingSection, Kind: family.Int, Default: "1000", Min: 0,
			Max: 1e9, Help: "steps between checkpoints; 0 for none by steps"},
		{Name: "checkpoint_seconds", Section: family.TrainingSection, Kind: family.Float, Default: "60",
			Min: 0, Max: 1e6,
			Help: "seconds of training after which a checkpoint is due anyway; 0 for none by time"},
	}
}

// FamilyHyperparameters returns the hyperparameters of a family followed by those
// of the training, or an error if there is no such family.
func FamilyHyperparameters(name string) ([]models.Hyperparameter, error) {
	spec, err := models.Lookup(name)
	if err != nil {
		return nil, err
	}
	return allHyperparameters(spec), nil
}

// allHyperparameters is the one place where the defaults of a family's runs are
// made: the family's own take the place of those of the training.
func allHyperparameters(spec models.Spec) []models.Hyperparameter {
	return append(slices.Clone(spec.Hyperparameters), withDefaults(spec, Hyperparameters())...)
}

const (
	earlySetting       = "early_stopping"
	overfittingSetting = "stop_overfitting"
)

// noEpochs says that the length of training is given in steps.
const noEpochs = "0"

// withDefaults puts the family's defaults of the settings of training in place. A
// family that draws no batches, or whose length follows from its phases, has no epochs.
func withDefaults(spec models.Spec, settings []models.Hyperparameter) []models.Hyperparameter {
	if whyNoEpochs(spec) != "" {
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
			ofSamples(&settings[i])
		} else if settings[i].Name == keepSetting && !spec.Objective.Noisy {
			settings[i].Default = keptLast
			settings[i].Source = "the objective is exact"
		}
		if own, ok := spec.Training[settings[i].Name]; ok {
			settings[i].Default, settings[i].Source = own.Value, own.Source
		}
	}
	return settings
}

// whyNoEpochs says why the length of a family's runs cannot be given in epochs, "" if it can.
func whyNoEpochs(spec models.Spec) string {
	switch {
	case spec.Objective.Sampled():
		return fmt.Sprintf("the length follows from %s, %s and %s",
			family.BurnIn, family.Kept, family.Thinning)
	case !slices.ContainsFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool {
		return h.Name == rundir.BatchSetting
	}):
		return fmt.Sprintf("a step of the family %s is of all training points; set steps", spec.Name)
	}
	return ""
}

// ofSamples makes of a setting what it is for families that sample from a posterior, whose
// length follows from their phases, and which are not to be stopped where the validation
// part likes them best.
func ofSamples(h *models.Hyperparameter) {
	switch h.Name {
	case rundir.StepsSetting:
		h.Default, h.Min, h.Paper = "0", 0, ""
		h.Source = fmt.Sprintf("%s + %s x %s", family.BurnIn, family.Kept, family.Thinning)
		h.Help = "most steps of training; 0 for those of burn-in and of the samples that are kept"
	case keepSetting:
		const why = "all samples of a posterior are needed"
		h.Default, h.Source, h.Paper = keptLast, "", ""
		h.Help = "keeps the last state: " + why
		h.Check = func(text string) error {
			if h.Canonical(text) == keptBest {
				return errors.New(why)
			}
			return nil
		}
	case earlySetting, overfittingSetting, untilConverged:
		const why = "does not apply to samples of a posterior, which follow one another and are all needed"
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

// settings are the values of Hyperparameters.
type settings struct {
	steps             int // the most, 0 before the data are known that it depends on
	earlyStopping     bool
	stopOverfitting   bool
	keepBest          bool
	untilConverged    bool
	validation        float64
	validationEvery   int
	validationSamples int
	validationPoints  int
	testSamples       int
	logTargets        bool
	metricsEvery      int
	checkpointEvery   int
	checkpointSeconds float64
}

func newSettings(v models.Values) settings {
	return settings{
		steps:             rundir.StepLimit(v, 0),
		earlyStopping:     v.Bool(earlySetting),
		stopOverfitting:   v.Bool(earlySetting) && v.Bool(overfittingSetting),
		keepBest:          v.Text(keepSetting) == keptBest,
		untilConverged:    v.Bool(untilConverged),
		validation:        v.Float("validation"),
		validationEvery:   v.Int("validation_every"),
		validationSamples: v.Int("validation_samples"),
		validationPoints:  v.Int("validation_points"),
		testSamples:       v.Int("test_samples"),
		logTargets:        v.Bool("log_targets"),
		metricsEvery:      v.Int("metrics_every"),
		checkpointEvery:   v.Int("checkpoint_every"),
		checkpointSeconds: v.Float("checkpoint_seconds"),
	}
}

// reports says whether there is a report line for a step: every metrics_every
// steps, at each validation, and for the first step, so that a slow run has
// something to show soon. The last step of a run has one too.
func (s settings) reports(step int) bool {
	return step == 1 || step%s.metricsEvery == 0 || s.validates(step)
}

func (s settings) validates(step int) bool { return step%s.validationEvery == 0 }

// resolved is a configuration whose every value is known and accepted.
type resolved struct {
	rundir.Config
	spec   models.Spec
	values models.Values // of the family and the training
	settings
}

// admit is resolve for a new run: it also refuses a preset that the family does
// not have, and hyperparameters that would have no effect.
func (env environment) admit(c rundir.Config) (*resolved, error) {
	r, err := env.resolve(c)
	if err != nil {
		return nil, err
	}
	if _, err := PresetValues(r.spec, c.Preset); err != nil {
		return nil, err
	}
	for _, h := range idle(allHyperparameters(r.spec), r.values) {
		if _, set := c.Set[h.Name]; set {
			return nil, &models.ValueError{Name: h.Name, Want: "only with " + h.When.String()}
		}
	}
	return r, nil
}

// resolve checks all of a configuration that can be checked without its data, and
// that has to hold for old runs too.
func (env environment) resolve(c rundir.Config) (*resolved, error) {
	spec, err := env.family(c.Family)
	if err != nil {
		return nil, err
	}
	if value, set := c.Set[rundir.EpochsSetting]; set {
		if why := whyNoEpochs(spec); why != "" {
			return nil, &models.ValueError{Name: rundir.EpochsSetting, Value: value, Want: why}
		}
	}
	c = stepsMeant(c, spec.Training[rundir.EpochsSetting].Value)
	values, err := models.Resolve(allHyperparameters(spec), c.Set)
	if err != nil {
		return nil, err
	}
	if c.Split != "" {
		if err := env.checkSplit(c.Split); err != nil {
			return nil, err
		}
	}
	c.Dataset, err = env.dataset(c.Dataset)
	if err != nil {
		return nil, err
	}
	if filepath.IsAbs(c.Dataset) && c.Columns.Rules == 0 {
		c.Columns.Rules = columns.NewestRules
	}
	return &resolved{Config: c.Clone(), spec: spec, values: values, settings: newSettings(values)}, nil
}

// know takes the number of training points, on which the number of steps may depend.
func (r *resolved) know(n int) { r.steps = rundir.StepLimit(r.values, n) }

// stepsMeant returns a configuration in which steps that are set alone mean the
// length of training, where usual, what holds without that, is a length in epochs.
func stepsMeant(c rundir.Config, usual string) rundir.Config {
	_, steps := c.Set[rundir.StepsSetting]
	_, epochs := c.Set[rundir.EpochsSetting]
	if steps && !epochs && usual != "" && usual != noEpochs {
		c = c.Clone()
		c.Set[rundir.EpochsSetting] = noEpochs
	}
	return c
}

// familyValues returns only what the family declared.
func (r *resolved) familyValues() models.Values {
	own := make(models.Values, len(r.spec.Hyperparameters))
	for _, h := range r.spec.Hyperparameters {
		own[h.Name] = r.values[h.Name]
	}
	return own
}

// usable returns what the family can be trained on of a data set, marked for logarithms of
// its targets if those are asked for.
func (r *resolved) usable(ds *datasets.Dataset) (*datasets.Dataset, error) {
	split, err := splitOf(ds, r.Split)
	if err == nil {
		ds, err = ds.For(split, r.spec.Accepts.Outputs, r.spec.Accepts.Missing)
	}
	if err != nil || !r.logTargets {
		return ds, err
	}
	marked := *ds
	marked.LogTargets = true
	return &marked, nil
}

// size asks the family what a model of the training part would hold, and whether it
// can be trained on such targets at all.
func (r *resolved) size(ds *datasets.Dataset, data *datasets.Prepared) (size models.Size, err error) {
	n, d := data.Train.X.Dims()
	_, p := data.Train.Y.Dims()
	err = r.spec.Accepts.Check(data.Task, data.Train.Y)
	if err != nil && !r.spec.Accepts.Missing {
		err = explainMissing(err, ds, data)
	}
	if data.Task == task.Multiclass {
		p = len(data.Classes) // A latent function for each.
	}
	if err == nil && r.spec.Size != nil {
		size, err = r.spec.Size(r.familyValues(), n, d, p)
	}
	if err != nil {
		return size, fmt.Errorf("family %s: %w", r.Family, err)
	}
	return size, nil
}

// explainMissing adds to an error of a family that does not take missing targets where
// there is one, and which families do.
func explainMissing(err error, ds *datasets.Dataset, data *datasets.Prepared) error {
	target, row, count := data.FirstMissing(ds.Targets)
	if count == 0 {
		return err
	}
	var takers []string
	for _, spec := range models.Families() {
		if spec.Accepts.Missing {
			takers = append(takers, spec.Name)
		}
	}
	return fmt.Errorf("%w (the first is %s of row %d); %s can",
		err, target, row+1, strings.Join(takers, ", "))
}
