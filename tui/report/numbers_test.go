package report

import (
	"math"
	"strings"
	"testing"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Variational parameters in closed form do not count as optimised parameters.
func TestParameters(t *testing.T) {
	for want, p := range map[string][2]int{
		"1,715 (1,680 variational)":            {1715, 1680},
		"6 + 4,308 variational in closed form": {6, 4308},
	} {
		if got := Parameters(p[0], p[1]); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}

// Scores have four significant digits, or as many as their standard error allows.
func TestScores(t *testing.T) {
	for want, x := range map[string]float64{
		"0.0123": 0.01234, "-0.5000": -0.5, "1.000": 0.99996, "-1.197": -1.1970, "10.00": 9.9996,
		"23.46": 23.4567, "100.0": 99.996, "999.4": 999.44, "1k": 999.96, "27.95k": 27948.8684,
		"NaN": math.NaN(),
	} {
		if got := Score(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	m := metric.Get("rmse")
	for want, s := range map[string]compare.Score{
		"27949 (123)":    {Mean: 27948.8684, SE: 123.4567, N: 2},
		"-0.875 (0.013)": {Mean: -0.875, SE: 0.0125, N: 2},
		"2.000 (0)":      {Mean: 2, SE: 0, N: 2},
		"2.000 (-)":      {Mean: 2, SE: rundir.Number(math.NaN()), N: 1},
		"":               {},
	} {
		if got := Mean(m, s); got != want {
			t.Errorf("%+v: %s, want %s", s, got, want)
		}
	}
}

// Totals over several targets are standardised.
func TestReadingsOfSeveralTargets(t *testing.T) {
	total := rundir.Number(300)
	std := rundir.Number(0.5)
	test := &rundir.Metrics{RMSE: &total, StdRMSE: &std}
	if got := strings.Join(Readings(metric.OfScores(test), "rmse"), ", "); got != "RMSE 300.0" {
		t.Errorf("one target: %s", got)
	}
	test.Outputs = []*rundir.Metrics{{Output: "a"}, {Output: "b"}}
	if got := strings.Join(Readings(metric.OfScores(test), "rmse", "mae"), ", "); got != "RMSE std 0.5000" {
		t.Errorf("two targets: %s", got)
	}
}
