package predictive

import (
	"dgplab/models/oracletest"
	"math"
	"testing"
)

// inLogs returns units for a model of logarithms.
func inLogs() Units {
	return Units{Mean: []float64{0.5, -1}, SD: []float64{0.4, 0.7}, Log: true}
}

// TestExponentialByIntegration compares moments and scores of exp(Mean + SD y) with integrals over
// y.
func TestExponentialByIntegration(t *testing.T) {
	m, y := random(3, 2, 2)
	u := inLogs()
	size := len(y)
	mean := make([]float64, size)
	vr := make([]float64, size)
	crps := make([]float64, size)
	m.ExpMoments(u, mean, vr)
	m.ExpCRPS(u, crps, y)
	first := make([]float64, size)
	second := make([]float64, size)
	score := make([]float64, size)
	at := make([]float64, size)
	density := make([]float64, size)
	below := make([]float64, size)
	const step = 1e-3
	for x := -15 + step/2; x < 25; x += step {
		for k := range at {
			at[k] = x
		}
		m.LogDensityByOutput(density, at)
		m.PIT(below, at)
		for k := range at {
			target := u.Target(k, x)
			weight := step * math.Exp(density[k])
			first[k] += weight * target
			second[k] += weight * square(target-mean[k])
			if x > y[k] {
				below[k]-- // on this side the integrand is (1 - F)^2
			}
			_, sd := u.affine(k)
			score[k] += step * sd * target * square(below[k])
		}
	}
	agree := func(what string, got, want []float64, tolerance float64) {
		for k := range got {
			if math.Abs(got[k]-want[k]) > tolerance*want[k] {
				t.Errorf("%s of target %d is %v, by integration %v", what, k, got[k], want[k])
			}
		}
	}
	agree("mean", mean, first, 1e-6)
	agree("variance", vr, second, 1e-4)
	agree("CRPS", crps, score, 2e-3)
}

// A density in original units is the density of the logarithm divided by the target.
func TestLogDensityShift(t *testing.T) {
	u := inLogs()
	y := []float64{0.3, math.NaN(), math.NaN(), -2}
	const h = 1e-6
	want := 0.0
	for _, k := range []int{0, 3} {
		want -= math.Log((u.Target(k, y[k]+h) - u.Target(k, y[k]-h)) / (2 * h))
	}
	if got := u.LogDensityShift(y); math.Abs(got-want) > 1e-8 {
		t.Errorf("%v, by differences %v", got, want)
	}
	if got := (Units{SD: []float64{2, 8}}).LogDensityShift([]float64{1, 1}); got != -math.Log(2)-math.Log(8) {
		t.Errorf("without logarithms %v", got)
	}
}

// The scores of an output must equal the scores of its column alone, and overall scores must be
// means over the outputs.
func TestScoresByOutput(t *testing.T) {
	m, y := random(4, 30, 2)
	y[5] = math.NaN()
	y[8] = math.NaN()
	for name, u := range map[string]Units{
		"linear": {Mean: []float64{3, 4}, SD: []float64{2, 8}}, "logarithms": inLogs(),
	} {
		var tally Tally
		tally.Add(m, y, u.targets(y), u)
		s := tally.Scores()
		list := func(s Scores) []float64 {
			return []float64{s.LogLik, s.NLL, s.RMSE, s.MAE, s.SMSE, s.CRPS, s.StdLogLik,
				s.StdNLL, s.StdRMSE, s.StdCRPS}
		}
		for p, got := range s.Outputs {
			targets := make([]float64, 30)
			for n := range targets {
				targets[n] = y[2*n+p]
			}
			var one Tally
			own := Units{Mean: u.Mean[p : p+1], SD: u.SD[p : p+1], Log: u.Log}
			one.Add(column(m, p), targets, own.targets(targets), own)
			want := one.Scores()
			if got.N != 29 || want.Outputs != nil || got.Coverage != want.Coverage {
				t.Errorf("%s, output %d: %d targets, coverage %v, want %v",
					name, p, got.N, got.Coverage, want.Coverage)
			}
			oracletest.Close(t, name, list(got), list(want), oracletest.ValueTolerance)
		}
		a, b := s.Outputs[0], s.Outputs[1]
		oracletest.Close(t, name, []float64{s.MAE, s.CRPS, s.SMSE, s.RMSE * s.RMSE},
			[]float64{(a.MAE + b.MAE) / 2, (a.CRPS + b.CRPS) / 2, (a.SMSE + b.SMSE) / 2,
				(a.RMSE*a.RMSE + b.RMSE*b.RMSE) / 2}, oracletest.ValueTolerance)
	}
}

// column returns one output of m.
func column(m *Gaussians, p int) *Gaussians {
	out := &Gaussians{S: m.S, N: m.N, P: 1, Weights: m.Weights}
	for k := p; k < len(m.Mean); k += m.P {
		out.Mean = append(out.Mean, m.Mean[k])
		out.Var = append(out.Var, m.Var[k])
	}
	for k := p; k < len(m.Noise); k += m.P {
		out.Noise = append(out.Noise, m.Noise[k])
	}
	return out
}

// The SMSE of a prediction by the mean of the test targets is 1, and MAE uses the median.
func TestSquaredAndAbsoluteErrors(t *testing.T) {
	m := &Gaussians{S: 2, N: 3, P: 1, Weights: []float64{0.75, 0.25}, Noise: SharedNoise(1e-6, 2, 1),
		Mean: []float64{2, 2, 2, 6, 6, 6}, Var: make([]float64, 6)}
	s := Score(m, []float64{1, 2, 6}, []float64{5}) // mean 3, median 2
	if math.Abs(s.SMSE-1) > 1e-12 || math.Abs(s.MAE-25./3) > 0.01 {
		t.Errorf("SMSE %v, MAE %v", s.SMSE, s.MAE)
	}
	s = Score(m, []float64{2, 2, 2}, nil)
	if !math.IsNaN(s.SMSE) {
		t.Errorf("SMSE of equal targets is %v", s.SMSE)
	}
}
