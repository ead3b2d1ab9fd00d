package watch

import (
	"math"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// scoredRun returns the scores of 40 test points whose errors are a number of predicted standard deviations
// of 0.1, with every interval covered or none.
func scoredRun(logLik, errors, coverage float64) *Scored {
	const n = 40
	p := &rundir.Predictions{N: n, P: 1, Of: n}
	for i := range n {
		p.Rows = append(p.Rows, 10*i)
		p.LogLik = append(p.LogLik, logLik)
		p.Target = append(p.Target, errors*0.1)
		p.Mean = append(p.Mean, 0)
		p.Variance = append(p.Variance, 0.01)
	}
	rmse := rundir.Number(errors * 0.1)
	return &Scored{
		Step: 30, Last: 30, Points: p, Baseline: math.NaN(), Noise: math.NaN(),
		Test: &rundir.Metrics{N: n, LogLik: rundir.Number(logLik), StdRMSE: &rmse,
			Coverage: map[string]rundir.Number{"50": rundir.Number(coverage), "95": rundir.Number(coverage)}},
	}
}

// Scores below the linear model's by more than a nat, and intervals that contain nothing or everything, are
// problems. Their causes are named if the data show them.
func TestHopelessScores(t *testing.T) {
	for _, c := range []struct {
		name   string
		scored func() *Scored
		far    int
		want   []string // parts of the text; nil for no alarm
	}{
		{"good scores", func() *Scored {
			s := scoredRun(-1, 1, 0.8)
			s.Baseline = -1.5
			return s
		}, 0, nil},
		{"within a nat of the linear model", func() *Scored {
			s := scoredRun(-2.4, 1, 0.8)
			s.Baseline = -1.5
			return s
		}, 0, nil},
		{"more than a nat below the linear model after few steps", func() *Scored {
			s := scoredRun(-2.6, 1, 0.8)
			s.Baseline = -1.5
			s.Drift = &rundir.Drift{Verdict: rundir.Undecided}
			return s
		}, 0, []string{"log-likelihood of -2.6 is below -1.5 of a linear model", "probable cause: too few " +
			"steps (not settled after 30)"}},
		{"no interval contains a value, and the noise has collapsed", func() *Scored {
			s := scoredRun(-88908, 40, 0)
			s.Noise = 1e-5
			return s
		}, 0, []string{"no interval, not even of 95 %, contains a test value", "overconfidence (the median " +
			"error is 40 predicted standard deviations)", "a collapsed noise variance (1e-05, with a mean " +
			"squared error of 16, standardised)"}},
		{"all intervals contain all values", func() *Scored { return scoredRun(-3, 0.01, 1) }, 0,
			[]string{"every interval, even of 50 %, contains all test values", "too large predicted " +
				"standard deviations (the median error is 0.01 of them)"}},
		{"test points far away", func() *Scored { return scoredRun(-92, 13, 0) }, 39,
			[]string{"extrapolation (39 of 40 test points are farther from the training inputs"}},
		{"full coverage of three values is luck", func() *Scored {
			s := scoredRun(-3, 0.01, 1)
			s.Points.Target = s.Points.Target[:3]
			return s
		}, 0, nil},
	} {
		s := c.scored()
		problem := s.Problem()
		if problem == "" != (c.want == nil) {
			t.Errorf("%s: problem %q, want one: %v", c.name, problem, c.want != nil)
			continue
		}
		if problem == "" {
			continue
		}
		text := s.Alarm(problem, c.far).Text
		for _, part := range c.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the alarm is\n%s\nand lacks\n%s", c.name, text, part)
			}
		}
	}
}
