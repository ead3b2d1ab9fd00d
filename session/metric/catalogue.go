package metric

import (
	"math"
	"slices"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// columns is the catalogue. metrics holds its measured columns.
var (
	columns = slices.Concat(properties, metrics, settings())
	metrics = slices.Concat(scores, progress)
)

// scores holds the metrics of the test set.
var scores = []Column{
	test("log_lik", "log-likelihood", "test LL", Higher, "original units", nil,
		func(t *rundir.Metrics) *rundir.Number { return &t.LogLik }),
	test("nll", "negative log-likelihood", "NLL", Lower, "original units", nil,
		func(t *rundir.Metrics) *rundir.Number { return &t.NLL }),
	ofOneTarget(test("rmse", "RMSE", "RMSE", Lower, "original units", numbers,
		func(t *rundir.Metrics) *rundir.Number { return t.RMSE })),
	ofOneTarget(test("mae", "MAE", "MAE", Lower, "original units, of the predictive median", numbers,
		func(t *rundir.Metrics) *rundir.Number { return t.MAE })),
	test("smse", "SMSE", "SMSE", Lower, "relative to the variance of the test targets", numbers,
		func(t *rundir.Metrics) *rundir.Number { return t.SMSE }),
	ofOneTarget(test("crps", "CRPS", "CRPS", Lower, "original units", numbers,
		func(t *rundir.Metrics) *rundir.Number { return t.CRPS })),
	standardised("log_lik", "log-likelihood", "test LL", Higher, func(t *rundir.Metrics) *rundir.Number {
		return t.StdLogLik
	}),
	standardised("nll", "negative log-likelihood", "NLL", Lower, func(t *rundir.Metrics) *rundir.Number {
		return t.StdNLL
	}),
	standardised("rmse", "RMSE", "RMSE", Lower, func(t *rundir.Metrics) *rundir.Number { return t.StdRMSE }),
	standardised("crps", "CRPS", "CRPS", Lower, func(t *rundir.Metrics) *rundir.Number { return t.StdCRPS }),
	coverage("50", 0.5), coverage("90", 0.9), coverage("95", 0.95),
	asPercentage(test("error_rate", "error rate", "error rate", Lower, "", classes,
		func(t *rundir.Metrics) *rundir.Number { return t.ErrorRate })),
	asPercentage(test("accuracy",
		"accuracy", "accuracy", Higher, "", classes, func(t *rundir.Metrics) *rundir.Number {
			return t.Accuracy
		})),
	test("log_loss", "log-loss", "log-loss", Lower, "", classes, func(t *rundir.Metrics) *rundir.Number {
		return t.LogLoss
	}),
	test("brier", "Brier score", "Brier", Lower, "sum over classes, from 0 to 2", classes,
		func(t *rundir.Metrics) *rundir.Number { return t.Brier }),
	asPercentage(test("ece", "expected calibration error", "ECE", Lower, "", classes,
		func(t *rundir.Metrics) *rundir.Number { return t.ECE })),
}

// objective is the key of the training objective. Its display name depends on the family.
const objective = "objective"

// bestValidation is the key of the best validation score.
const bestValidation = "val.best"

// evaluation is the key of the objective evaluated over all training points, which has little noise.
const evaluation = "evaluation"

// progress holds the metrics that are recorded during training.
var progress = []Column{
	{
		Key: bestValidation, Name: "best validation log-likelihood", Short: "val LL",
		Note: "original units", Better: Higher, Within: SameData, Format: Score,
		read: func(r Run) (float64, bool) { return float64(r.results.BestVal), r.results.BestStep > 0 },
	},
	{
		Key: objective, Aliases: []string{"elbo"}, Name: "objective", Short: "objective",
		Note: "at the last step", Better: Higher, Within: SameObjective,
		read: func(r Run) (float64, bool) { return float64(r.results.Objective), r.info.Step > 0 },
	},
	{
		Key: evaluation, Name: "objective over all points", Short: "objective, all points",
		Note: "after the last step", Better: Higher, Within: SameObjective,
		read: func(r Run) (float64, bool) {
			e := r.results.Evaluation
			if e == nil {
				return math.NaN(), false
			}
			return float64(e.Objective), true
		},
	},
	{
		Key: "loo", Aliases: []string{"loo.log_lik"}, Name: "leave-one-out log-likelihood", Short: "LOO LL",
		Note: "of training points, original units", Better: Higher, Within: SameData, Format: Score,
		read: func(r Run) (float64, bool) {
			l := r.results.LeaveOneOut
			if l == nil {
				return math.NaN(), false
			}
			return float64(l.LogLik), true
		},
	},
	{
		Key: "loo.unreliable", Name: "unreliable leave-one-out predictions", Short: "bad k-hat",
		Note: "k-hat of importance weights too large", Better: Lower, Within: SameData, Format: Count,
		read: func(r Run) (float64, bool) {
			l := r.results.LeaveOneOut
			if l == nil || l.Exact {
				return math.NaN(), false
			}
			return float64(l.Unreliable), true
		},
	},
	driftMetric("validation", "validation log-likelihood", SameData, func(r *rundir.Drift) *rundir.Estimate {
		return r.Validation
	}),
	driftMetric("objective", "objective", SameObjective, func(r *rundir.Drift) *rundir.Estimate {
		return r.Objective
	}),
	driftMetric("noise", "logarithm of the noise variance", Anywhere, func(r *rundir.Drift) *rundir.Estimate {
		return r.Noise
	}),
	{
		Key: "kl", Name: "KL", Short: "KL", Note: "term of the objective", Within: SameObjective,
		read: func(r Run) (float64, bool) {
			value := r.results.Term(family.KL.Key)
			return value, !math.IsNaN(value)
		},
	},
	{
		Key: "seconds", Aliases: []string{"time"}, Name: "training time", Short: "time", Unit: "s",
		Note: "without pauses", Better: Lower, Format: Time,
		read: func(r Run) (float64, bool) { return r.seconds(), !math.IsNaN(r.seconds()) },
	},
	{Key: "ms_step", Name: "time per step", Short: "ms/step", Unit: "ms", Better: Lower, read: milliseconds},
	{
		Key: "step", Name: "steps", Short: "step", Format: Progress,
		read: func(r Run) (float64, bool) { return float64(r.info.Step), true },
	},
	chainsMetric("rhat", "largest R-hat", "R-hat", Lower, func(c *view.ChainsSummary) view.Float {
		return c.Rhat
	}),
	chainsMetric("ess_bulk", "smallest bulk effective sample size", "bulk ESS", Higher,
		func(c *view.ChainsSummary) view.Float { return c.ESSBulk }),
	chainsMetric("ess_tail", "smallest tail effective sample size", "tail ESS", Higher,
		func(c *view.ChainsSummary) view.Float { return c.ESSTail }),
	{
		Key: "normality", Name: "smallest p-value of the normality of inducing outputs", Short: "normality",
		Note: "multiplied by the number of tests", Within: Anywhere, read: normality,
	},
	{
		Key: "parameters", Name: "parameters", Short: "parameters", Format: Count,
		read: func(r Run) (float64, bool) { return float64(r.results.Parameters), r.results.Parameters > 0 },
	},
	{
		Key: "rescues", Name: "jitter rescues", Short: "rescues", Format: Count,
		read: func(r Run) (float64, bool) { return float64(r.results.Rescues), r.info.Step > 0 },
	},
}

var (
	regression = []task.Task{task.Regression}
	numbers    = []task.Task{task.Regression, task.Count}
	classes    = []task.Task{task.Binary, task.Multiclass}
)

// test returns a metric that is read from the test scores.
func test(
	key, name, short string,
	better Sense,
	note string,
	tasks []task.Task,
	value func(*rundir.Metrics) *rundir.Number,
) Column {
	return Column{
		Key: key, Aliases: []string{"test." + key}, Name: "test " + name, Short: short, Note: note,
		Better: better, Within: SameData, Format: Score,
		tasks: tasks,
		read:  func(r Run) (float64, bool) { return score(r.Test(), value) },
		score: value,
	}
}

// driftMetric returns a metric for the drift of a recorded quantity.
func driftMetric(key, name string, within Scope, of func(*rundir.Drift) *rundir.Estimate) Column {
	return Column{
		Key: "drift." + key, Name: "drift of the " + name, Short: "drift of " + key,
		Note: "per 1,000 steps, over the last fifth of the steps", Within: within,
		read: func(r Run) (float64, bool) {
			if report := r.results.Drift; report != nil {
				if e := of(report); e != nil {
					return float64(e.Slope), true
				}
			}
			return math.NaN(), false
		},
	}
}

// chainsMetric returns an MCMC diagnostic: the worst value over all quantities of the chains.
func chainsMetric(key, name, short string, better Sense, of func(*view.ChainsSummary) view.Float) Column {
	return Column{
		Key: key, Name: name, Short: short, Note: "over all quantities", Better: better, Within: Anywhere,
		read: func(r Run) (float64, bool) {
			c := r.mixing()
			if c == nil {
				return math.NaN(), false
			}
			v := float64(of(c))
			return v, v == v
		},
	}
}

// normality returns the smallest corrected p-value of the inducing outputs of a sampler.
func normality(r Run) (float64, bool) {
	c := r.mixing()
	if c == nil {
		return math.NaN(), false
	}
	for _, n := range c.Normality {
		if n.Kind == view.InducingOutput {
			return float64(n.MinP), true
		}
	}
	return math.NaN(), false
}

// score returns a test score. ok is false if the run was not evaluated or the score is missing.
func score(t *rundir.Metrics, value func(*rundir.Metrics) *rundir.Number) (float64, bool) {
	if t == nil {
		return math.NaN(), false
	}
	if x := value(t); x != nil {
		return float64(*x), true
	}
	return math.NaN(), false
}

// OfOutput returns the metric for a single output of a regression run. Its key is the key of m, a
// dot and the name of the output. It returns false if m is not a regression score.
func (m Column) OfOutput(name string) (Column, bool) {
	value := m.score
	if value == nil || name == "" || !m.Applies(task.Regression) {
		return Column{}, false
	}
	m.Key, m.Aliases = m.Key+"."+name, []string{"test." + m.Key + "." + name}
	m.Name, m.Short = m.Name+" of "+name, m.Short+" "+name
	m.tasks, m.score = regression, nil
	m.read = func(r Run) (float64, bool) {
		if r.Test() == nil {
			return math.NaN(), false
		}
		return score(r.Test().ForOutput(name), value)
	}
	return m, true
}

// standardised returns a regression score in standardised units of the targets.
func standardised(key, name, short string, better Sense, value func(*rundir.Metrics) *rundir.Number) Column {
	return test(key+standardisedKey, name+", standardised", short+" std", better,
		"standardised units", regression, value)
}

// ofOneTarget returns m without its total over several targets, whose units may differ.
func ofOneTarget(m Column) Column {
	of := m.read
	m.read = func(r Run) (float64, bool) {
		if r.SeveralTargets() {
			return math.NaN(), false
		}
		return of(r)
	}
	return m
}

// standardisedKey is the suffix of the keys of standardised scores.
const standardisedKey = "_std"

// Standardised returns the standardised form of a metric, which replaces it if its total over several targets
// is missing. It returns false if there is none.
func (m Column) Standardised() (Column, bool) {
	switch m.Key {
	case "rmse", "crps":
		return Get(m.Key + standardisedKey), true
	}
	return Column{}, false
}

// OfTargets returns the metric of a run, or its standardised form if the run has several targets and
// their total is missing.
func (m Column) OfTargets(r Run) Column {
	if other, ok := m.Standardised(); ok && r.SeveralTargets() {
		return other
	}
	return m
}

// asPercentage returns m formatted as a percentage.
func asPercentage(m Column) Column {
	m.Format, m.Note = Share, "from 0 to 1"
	return m
}

// coverage returns the fraction of test points inside their central percent % interval.
func coverage(percent string, nominal float64) Column {
	m := asPercentage(test("coverage"+percent, "coverage of the "+percent+" % interval",
		"cov "+percent, Nearest, "", numbers,
		func(t *rundir.Metrics) *rundir.Number {
			if x, ok := t.Coverage[percent]; ok {
				return &x
			}
			return nil
		}))
	m.Nominal = nominal
	return m
}

// milliseconds returns the recent time per step, or the average time if the recent speed is unknown.
func milliseconds(r Run) (float64, bool) {
	speed := float64(r.results.StepsPerSecond)
	seconds := r.seconds()
	switch {
	case speed > 0:
		return 1000 / speed, true
	case r.info.Step > 0 && seconds > 0:
		return 1000 * seconds / float64(r.info.Step), true
	}
	return math.NaN(), false
}
