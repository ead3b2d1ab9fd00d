package sweep

import (
	"math"

	"dgplab/session"
)

// Metric is a number that a run ends with.
type Metric struct {
	// Name is that of the field in queries; Title is for people.
	Name, Title string
	// Better is 1 where more is better, -1 where less is, 0 where neither.
	Better int
	// Value returns NaN for a run that has none.
	Value func(*session.Summary) float64
}

// Metrics returns all metrics, those on the test part first.
func Metrics() []Metric {
	list := []Metric{
		test("log_lik", "test log-lik", 1, func(m *session.Metrics) *float64 { return &m.LogLik }),
		test("rmse", "test RMSE", -1, func(m *session.Metrics) *float64 { return m.RMSE }),
		test("crps", "test CRPS", -1, func(m *session.Metrics) *float64 { return m.CRPS }),
		test("coverage95", "coverage 95 %", 0, func(m *session.Metrics) *float64 {
			if share, ok := m.Coverage["95"]; ok {
				return &share
			}
			return nil
		}),
		test("accuracy", "test accuracy", 1, func(m *session.Metrics) *float64 { return m.Accuracy }),
		test("log_loss", "test log-loss", -1, func(m *session.Metrics) *float64 { return m.LogLoss }),
	}
	return append(list,
		Metric{"val.best", "best val log-lik", 1, func(s *session.Summary) float64 {
			if s.BestStep == 0 {
				return math.NaN()
			}
			return float64(s.BestVal)
		}},
		Metric{"elbo", "ELBO, last step", 1, func(s *session.Summary) float64 { return float64(s.Objective) }},
		Metric{"kl", "KL, last step", 0, func(s *session.Summary) float64 { return float64(s.KL) }},
		Metric{"step", "steps", 0, func(s *session.Summary) float64 { return float64(s.Steps) }},
		Metric{"seconds", "training time, s", -1, func(s *session.Summary) float64 { return s.Seconds }},
		Metric{"rescues", "jitter rescues", -1, func(s *session.Summary) float64 { return float64(s.Rescues) }},
	)
}

// test is a metric on the test part.
func test(name, title string, better int, get func(*session.Metrics) *float64) Metric {
	return Metric{"test." + name, title, better, func(s *session.Summary) float64 {
		if s.Test != nil {
			if x := get(s.Test); x != nil {
				return *x
			}
		}
		return math.NaN()
	}}
}

// Measured returns the metrics that at least one run of the sweep has.
func (s *State) Measured() []Metric {
	var list []Metric
	for _, m := range Metrics() {
		for i := range s.Cells {
			if c := &s.Cells[i]; c.Status == Done && !math.IsNaN(m.Value(c.Summary)) {
				list = append(list, m)
				break
			}
		}
	}
	return list
}

// scoreOf returns mean and standard error.
func scoreOf(values []float64) Score {
	n := float64(len(values))
	score := Score{Mean: math.NaN(), SE: math.NaN(), N: len(values)}
	if n == 0 {
		return score
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	score.Mean = sum / n
	if n < 2 {
		return score
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - score.Mean) * (v - score.Mean)
	}
	score.SE = math.Sqrt(squares / (n - 1) / n)
	return score
}
