package compare

import (
	"fmt"
	"math"
	"strings"

	"dgplab/session/rundir"
)

// Metric is a number of a run that methods are compared by.
type Metric struct {
	// Name is what command lines and files call it, Title what people do.
	Name, Title string
	// Higher says that more is better. Where Nominal is not zero, what is nearest to
	// that is best instead.
	Higher  bool
	Nominal float64

	value func(*rundir.Summary) *float64
}

// test returns a Metric of the test part.
func test(name, title string, higher bool, value func(*rundir.Metrics) *float64) Metric {
	return Metric{Name: name, Title: title, Higher: higher, value: func(s *rundir.Summary) *float64 {
		if s.Test == nil {
			return nil
		}
		return value(s.Test)
	}}
}

// coverage returns the metric of the central interval of so many percent.
func coverage(percent string, nominal float64) Metric {
	m := test("coverage"+percent, "coverage of the "+percent+" % interval", false, func(t *rundir.Metrics) *float64 {
		share, ok := t.Coverage[percent]
		if !ok {
			return nil
		}
		return &share
	})
	m.Nominal = nominal
	return m
}

// measured returns a Metric that every ended run has.
func measured(name, title string, higher bool, value func(*rundir.Summary) float64) Metric {
	return Metric{Name: name, Title: title, Higher: higher, value: func(s *rundir.Summary) *float64 {
		v := value(s)
		return &v
	}}
}

// bestValidation is that of runs which had a validation part.
func bestValidation(s *rundir.Summary) *float64 {
	if s.BestStep == 0 {
		return nil
	}
	v := float64(s.BestVal)
	return &v
}

// Metrics returns all metrics, those of the test part first.
func Metrics() []Metric {
	return []Metric{
		test("log_lik", "test log-likelihood", true, func(t *rundir.Metrics) *float64 { return &t.LogLik }),
		test("nll", "test negative log-likelihood", false, func(t *rundir.Metrics) *float64 { return &t.NLL }),
		test("rmse", "test RMSE", false, func(t *rundir.Metrics) *float64 { return t.RMSE }),
		test("crps", "test CRPS", false, func(t *rundir.Metrics) *float64 { return t.CRPS }),
		coverage("50", 0.5), coverage("90", 0.9), coverage("95", 0.95),
		test("error_rate", "test error rate", false, func(t *rundir.Metrics) *float64 { return t.ErrorRate }),
		test("accuracy", "test accuracy", true, func(t *rundir.Metrics) *float64 { return t.Accuracy }),
		test("log_loss", "test log-loss", false, func(t *rundir.Metrics) *float64 { return t.LogLoss }),
		{Name: "val.best", Title: "best validation log-likelihood", Higher: true, value: bestValidation},
		measured("elbo", "last objective", true, func(s *rundir.Summary) float64 { return float64(s.Objective) }),
		measured("seconds", "seconds of training", false, func(s *rundir.Summary) float64 { return s.Seconds }),
	}
}

// MetricNames are the names of Metrics.
func MetricNames() []string {
	var names []string
	for _, m := range Metrics() {
		names = append(names, m.Name)
	}
	return names
}

// MetricOf returns the metric of a name; "test." before it is understood.
func MetricOf(name string) (Metric, error) {
	for _, m := range Metrics() {
		if m.Name == strings.TrimPrefix(name, "test.") {
			return m, nil
		}
	}
	return Metric{}, fmt.Errorf("unknown metric: %q; there are %s", name, strings.Join(MetricNames(), ", "))
}

// Sense says in words which values are good.
func (m Metric) Sense() string {
	switch {
	case m.Nominal != 0:
		return fmt.Sprintf("best near %g", m.Nominal)
	case m.Higher:
		return "higher is better"
	}
	return "lower is better"
}

// Of returns the value of a run; false if it has none.
func (m Metric) Of(r rundir.Info) (float64, bool) {
	if r.Summary == nil {
		return 0, false
	}
	v := m.value(r.Summary)
	if v == nil {
		return 0, false
	}
	return *v, true
}

// score returns a number that is higher for better values.
func (m Metric) score(v float64) float64 {
	switch {
	case m.Nominal != 0:
		return -math.Abs(v - m.Nominal)
	case m.Higher:
		return v
	}
	return -v
}
