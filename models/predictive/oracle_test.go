package predictive

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// compare fails when the arrays differ by more than 1e-9 of the larger of 1 and
// the largest wanted entry.
func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	size, worst := 1.0, 0.0
	for i, w := range want {
		size = math.Max(size, math.Abs(w))
		worst = math.Max(worst, math.Abs(got[i]-w))
	}
	if !(worst <= 1e-9*size) {
		t.Errorf("%s: off by %.1e of %.1e", what, worst, size)
	}
}

func flatten(rows [][]float64) (flat []float64) {
	for _, r := range rows {
		flat = append(flat, r...)
	}
	return flat
}

// TestOracles reads reference files that are kept outside the project
// (../shared/oracles, or $DGPLAB_ORACLES); it is skipped without them.
func TestOracles(t *testing.T) {
	dir := os.Getenv("DGPLAB_ORACLES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "oracles")
	}
	files, err := filepath.Glob(filepath.Join(dir, "metrics_*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no metrics_*.json in %s; set DGPLAB_ORACLES", dir)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { testOracle(t, file) })
	}
}

func testOracle(t *testing.T, file string) {
	var c struct {
		Means, Variances [][]float64
		NoiseVariance    float64 `json:"noise_variance"`
		Weights, Y       []float64
		YStd             float64   `json:"y_std"`
		LogLikPerPoint   []float64 `json:"log_lik_per_point"`
		MeanTestLogLik   float64   `json:"mean_test_log_lik"`
		NLL, RMSE, CRPS  float64
		CRPSPerPoint     []float64 `json:"crps_per_point"`
		PIT              []float64
		Coverage         map[string]float64
		MixtureMean      []float64 `json:"mixture_mean"`
		MixtureVar       []float64 `json:"mixture_var"`
		LogLikStandard   float64   `json:"mean_test_log_lik_standardised"`
		RMSEStandardised float64   `json:"rmse_standardised"`
		CRPSStandardised float64   `json:"crps_standardised"`
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	n := len(c.Y)
	m := &Mixture{S: len(c.Weights), N: n, P: 1, Mean: flatten(c.Means), Var: flatten(c.Variances),
		Weights: c.Weights, NoiseVar: c.NoiseVariance}
	a, b := make([]float64, n), make([]float64, n)
	m.LogDensity(a, c.Y)
	for i := range a {
		a[i] -= math.Log(c.YStd)
	}
	compare(t, "log density", a, c.LogLikPerPoint)
	m.Moments(a, b)
	compare(t, "mean", a, c.MixtureMean)
	compare(t, "variance", b, c.MixtureVar)
	m.PIT(a, c.Y)
	compare(t, "PIT", a, c.PIT)
	m.CRPS(a, c.Y)
	for i := range a {
		a[i] *= c.YStd
	}
	compare(t, "CRPS", a, c.CRPSPerPoint)

	coverage := []float64{c.Coverage["0.5"], c.Coverage["0.9"], c.Coverage["0.95"]}
	s := m.Score(c.Y, []float64{c.YStd})
	compare(t, "scores", append([]float64{s.LogLik, s.NLL, s.RMSE, s.CRPS}, s.Coverage[:]...),
		append([]float64{c.MeanTestLogLik, c.NLL, c.RMSE, c.CRPS}, coverage...))
	s = m.Score(c.Y, nil)
	compare(t, "standardised scores", []float64{s.LogLik, s.RMSE, s.CRPS},
		[]float64{c.LogLikStandard, c.RMSEStandardised, c.CRPSStandardised})
}
