package predictive

import (
	"dgplab/models/oracletest"
	"math"
	"slices"
	"testing"
)

// diagonal returns m with a diagonal covariance equal to its variances.
func diagonal(m *Gaussians) *Gaussians {
	out := *m
	out.Covariance = make([]float64, len(m.Var)*m.P)
	for k, v := range m.Var {
		out.Covariance[k*m.P+k%m.P] = v
	}
	return &out
}

func TestDiagonalCovarianceEqualsIndependence(t *testing.T) {
	m, y := random(4, 6, 3)
	y[1] = math.NaN()
	y[3] = math.NaN()
	y[4] = math.NaN()
	y[5] = math.NaN()
	got := make([]float64, 6)
	want := make([]float64, 6)
	diagonal(m).LogDensity(got, y)
	m.LogDensity(want, y)
	oracletest.Close(t, "log density", got, want, oracletest.ValueTolerance)
	if got[1] != 0 || want[1] != 0 {
		t.Errorf("a point without targets has a log density: %v, %v", got[1], want[1])
	}
}

// With noise, a rank-one covariance has a density. Both outputs of f are the same variable, so the
// sum and the difference of the targets are independent.
func TestSingularCovariance(t *testing.T) {
	m := &Gaussians{S: 1, N: 1, P: 2, Weights: []float64{1}, Mean: []float64{0, 0}, Var: []float64{4, 4},
		Covariance: []float64{4, 4, 4, 4}, Noise: []float64{0.5, 0.5}}
	y, got := []float64{3, -1}, make([]float64, 1)
	m.LogDensity(got, y)
	normal := func(x, v float64) float64 { return -0.5*math.Log(2*math.Pi*v) - 0.5*x*x/v }
	want := normal((y[0]+y[1])/math.Sqrt2, 8.5) + normal((y[0]-y[1])/math.Sqrt2, 0.5)
	oracletest.Close(t, "log density", got, []float64{want}, oracletest.ValueTolerance)
}

// Only observed targets must contribute to the scores.
func TestScoresOfMissingTargets(t *testing.T) {
	m, y := random(5, 8, 2)
	sd := []float64{2, 8}
	for n := range 8 { // only the first output is observed, and not at point 3
		y[2*n+1] = math.NaN()
	}
	y[6] = math.NaN()
	first := &Gaussians{S: m.S, N: 7, P: 1, Weights: m.Weights, Noise: m.Noise[:m.S]}
	var targets []float64
	for k := range m.Mean {
		if n := k / 2 % 8; k%2 == 0 && n != 3 {
			first.Mean = append(first.Mean, m.Mean[k])
			first.Var = append(first.Var, m.Var[k])
			if k < 16 {
				targets = append(targets, y[k])
			}
		}
	}
	got := Score(m, y, sd)
	want := Score(first, targets, sd[:1])
	if got.N != 7 || got.Coverage != want.Coverage {
		t.Errorf("%d points, coverage %v, want %v", got.N, got.Coverage, want.Coverage)
	}
	oracletest.Close(t, "scores", []float64{got.LogLik, got.RMSE, got.CRPS},
		[]float64{want.LogLik, want.RMSE, want.CRPS}, oracletest.ValueTolerance)
	for what, f := range map[string]func(dst, y []float64){
		"PIT": m.PIT, "CRPS": m.CRPS, "log density by output": m.LogDensityByOutput,
	} {
		dst := make([]float64, 16)
		f(dst, y)
		if !math.IsNaN(dst[6]) || !math.IsNaN(dst[1]) || math.IsNaN(dst[0]) {
			t.Errorf("%s of missing targets: %v", what, dst)
		}
	}
}

// Noise that all components share must be added exactly, without rounding errors of a mean.
func TestMomentsOfSharedNoise(t *testing.T) {
	m, _ := random(7, 5, 2)
	mean := make([]float64, 10)
	quiet := make([]float64, 10)
	noisy := make([]float64, 10)
	m.Moments(mean, noisy)
	m.Noise = SharedNoise(0, 7, 2)
	m.Moments(mean, quiet)
	for k := range quiet {
		quiet[k] += 0.1
	}
	if !slices.Equal(noisy, quiet) {
		t.Errorf("variances %v, want %v", noisy, quiet)
	}
}
