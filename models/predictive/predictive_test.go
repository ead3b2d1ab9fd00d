package predictive

import (
	"dgplab/models/oracletest"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a mixture with s components for n points of p outputs, and targets.
func random(s, n, p int) (*Gaussians, []float64) {
	rng := rand.New(rand.NewPCG(7, 7))
	m := &Gaussians{S: s, N: n, P: p, Noise: SharedNoise(0.1, s, p), Weights: make([]float64, s),
		Mean: make([]float64, s*n*p), Var: make([]float64, s*n*p)}
	var total float64
	for i := range m.Weights {
		m.Weights[i] = rng.Float64()
		total += m.Weights[i]
	}
	for i := range m.Weights {
		m.Weights[i] /= total
	}
	for i := range m.Mean {
		m.Mean[i] = rng.NormFloat64()
		m.Var[i] = 0.5 * rng.Float64()
	}
	y := make([]float64, n*p)
	for i := range y {
		y[i] = 1.5 * rng.NormFloat64()
	}
	return m, y
}

// PIT must equal F(y), and its values at the ends of an interval must differ by the integral of the
// density.
func TestPITByIntegration(t *testing.T) {
	m, y := random(4, 3, 1)
	const step, width = 1e-3, 2.0
	left := make([]float64, 3)
	right := make([]float64, 3)
	integral := make([]float64, 3)
	m.PIT(left, y)
	at := make([]float64, 3)
	density := make([]float64, 3)
	for k := range int(width / step) {
		for i := range at {
			at[i] = y[i] + (float64(k)+0.5)*step
		}
		m.LogDensity(density, at)
		for i, l := range density {
			integral[i] += step * math.Exp(l)
			at[i] = y[i] + width
		}
	}
	m.PIT(right, at)
	for i, want := range integral {
		if got := right[i] - left[i]; math.Abs(got-want) > 1e-6 {
			t.Errorf("probability %d is %v, integral %v", i, got, want)
		}
	}
}

// For targets drawn from the mixture itself, the transform must be uniform and the coverage must
// match the levels.
func TestCalibrationOfOwnDraws(t *testing.T) {
	const n = 20000
	rng := rand.New(rand.NewPCG(7, 7))
	m := &Gaussians{S: 3, N: n, P: 1, Weights: []float64{0.5, 0.3, 0.2}, Noise: SharedNoise(0.1, 3, 1)}
	for range m.S * n {
		m.Mean = append(m.Mean, rng.NormFloat64())
		m.Var = append(m.Var, rng.Float64())
	}
	y := make([]float64, n)
	for i := range y {
		s, u := 0, rng.Float64()
		for ; u > m.Weights[s]; s++ {
			u -= m.Weights[s]
		}
		y[i] = m.Mean[s*n+i] + math.Sqrt(m.Var[s*n+i]+m.Noise[s])*rng.NormFloat64()
	}
	pit := make([]float64, n)
	m.PIT(pit, y)
	slices.Sort(pit)
	farthest := 0.0 // Kolmogorov-Smirnov distance; it exceeds 1.63 for one in 100 seeds
	for i, u := range pit {
		farthest = max(farthest, math.Abs(u-(float64(i)+0.5)/n))
	}
	if farthest > 1.63/math.Sqrt(n) {
		t.Errorf("the transform is %v from uniform", farthest)
	}
	var tally Tally
	tally.Add(m, y, y, Units{})
	for i, share := range tally.Scores().Coverage {
		if sd := math.Sqrt(Levels[i] * (1 - Levels[i]) / n); math.Abs(share-Levels[i]) > 3*sd {
			t.Errorf("coverage %v of the interval of %v", share, Levels[i])
		}
	}
}

// The transform of a far target must be a probability, however the weights are rounded.
func TestPITOfFarTargets(t *testing.T) {
	const samples = 100
	m := &Gaussians{
		S:     samples,
		N:     2,
		P:     1,
		Mean:  make([]float64, 2*samples),
		Var:   make([]float64, 2*samples),
		Noise: SharedNoise(1, samples, 1),
	}
	for range samples {
		m.Weights = append(m.Weights, 1.0/samples)
	}
	pit := make([]float64, 2)
	m.PIT(pit, []float64{1e6, -1e6})
	if pit[0] != 1 || pit[1] != 0 {
		t.Errorf("%v, want 1 and 0", pit)
	}
}

// For several outputs, the density must equal the density of the joint mixture.
func TestLogDensityOfSeveralOutputs(t *testing.T) {
	m, y := random(3, 2, 2)
	got := make([]float64, 2)
	m.LogDensity(got, y)
	for n := range got {
		var density float64
		for s, w := range m.Weights {
			for p := range 2 {
				k := (s*2+n)*2 + p
				v := m.Var[k] + m.Noise[s*2+p]
				d := y[n*2+p] - m.Mean[k]
				w *= math.Exp(-0.5*d*d/v) / math.Sqrt(2*math.Pi*v)
			}
			density += w
		}
		if math.Abs(got[n]-math.Log(density)) > 1e-12 {
			t.Errorf("point %d: %v, want %v", n, got[n], math.Log(density))
		}
	}
}

func TestScoresInOriginalUnits(t *testing.T) {
	m, y := random(5, 40, 2)
	standard := Score(m, y, nil)
	original := Score(m, y, []float64{2, 8})
	if d := standard.LogLik - original.LogLik; math.Abs(d-math.Log(16)) > 1e-12 {
		t.Errorf("log-likelihoods differ by %v, want log 16", d)
	}
	if standard.Coverage != original.Coverage {
		t.Errorf("coverage %v and %v", standard.Coverage, original.Coverage)
	}
	mean := make([]float64, 80)
	vr := make([]float64, 80)
	m.Moments(mean, vr)
	var squares float64
	for k, v := range mean {
		d := []float64{2, 8}[k%2] * (v - y[k])
		squares += d * d
	}
	if want := math.Sqrt(squares / 80); math.Abs(original.RMSE-want) > 1e-12 {
		t.Errorf("RMSE %v, want %v", original.RMSE, want)
	}
	for _, s := range []Scores{standard, original} { // these scores must not depend on the units
		if s.StdLogLik != standard.LogLik || s.StdNLL != -s.StdLogLik || s.StdRMSE != standard.RMSE ||
			s.StdCRPS != standard.CRPS {
			t.Errorf("standardised scores %+v, want those of %+v", s, standard)
		}
	}
	if !math.IsNaN(original.ErrorRate) || !math.IsNaN(original.LogLoss) {
		t.Error("regression has scores of classes")
	}
}

// part returns points [first, last) of m.
func part(m *Gaussians, first, last int) *Gaussians {
	out := &Gaussians{S: m.S, N: last - first, P: m.P, Weights: m.Weights, Noise: m.Noise}
	for s := range m.S {
		a, b := (s*m.N+first)*m.P, (s*m.N+last)*m.P
		out.Mean = append(out.Mean, m.Mean[a:b]...)
		out.Var = append(out.Var, m.Var[a:b]...)
	}
	return out
}

func TestTallyInParts(t *testing.T) {
	m, y := random(5, 40, 2)
	sd := []float64{2, 8}
	var tally Tally
	for _, r := range [][2]int{{0, 1}, {1, 17}, {17, 40}} {
		targets, u := y[r[0]*2:r[1]*2], Units{SD: sd}
		tally.Add(part(m, r[0], r[1]), targets, u.targets(targets), u)
	}
	got := tally.Scores()
	want := Score(m, y, sd)
	list := func(s Scores) []float64 {
		return append([]float64{float64(s.N), s.LogLik, s.RMSE, s.MAE, s.SMSE, s.CRPS, s.Outputs[1].LogLik,
			s.Outputs[1].SMSE, s.StdLogLik, s.StdNLL, s.StdRMSE, s.StdCRPS}, s.Coverage[:]...)
	}
	oracletest.Close(t, "scores", list(got), list(want), oracletest.ValueTolerance)
}

func TestEdges(t *testing.T) {
	if s := (&Tally{}).Scores(); !math.IsNaN(s.LogLik) || !math.IsNaN(s.RMSE) || s.N != 0 {
		t.Errorf("no points: %+v", s)
	}
	if got := logSumExp([]float64{math.Inf(-1), math.Inf(-1)}); !math.IsInf(got, -1) {
		t.Errorf("log of nothing: %v", got)
	}
	if got := logSumExp([]float64{0, math.NaN()}); !math.IsNaN(got) {
		t.Errorf("NaN was hidden: %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong number of targets was accepted")
		}
	}()
	m, y := random(2, 3, 2)
	Score(m, y[:5], nil)
}

// Score returns the scores of the targets y [N][P], in standardised units like the prediction.
// targetSD [P] converts the scores to original units and has no effect on classes; nil stands for
// ones. Score panics unless m is a Regression or a Classification.
func Score(m Predictive, y, targetSD []float64) Scores {
	var t Tally
	u := Units{SD: targetSD}
	t.Add(m, y, u.targets(y), u)
	return t.Scores()
}

// targets returns the targets y [N][P] in original units.
func (u Units) targets(y []float64) []float64 {
	out := make([]float64, len(y))
	for k, v := range y {
		out[k] = u.Target(k, v)
	}
	return out
}

// The log density of a mixture follows from the log densities of its components. Missing targets have none.
func TestComponentLogDensities(t *testing.T) {
	const s, n = 3, 4
	real, y := random(s, n, 2)
	single, labels := random(s, n, 1)
	for i := range labels {
		labels[i] = math.Copysign(1, labels[i])
	}
	y[2] = math.NaN()
	y[3] = math.NaN()
	for name, c := range map[string]struct {
		m Mixture
		y []float64
	}{
		"Gaussians": {real, y},
		"Probit": {&Probit{S: s, N: n, Weights: single.Weights, Mean: single.Mean, Var: single.Var},
			labels},
	} {
		want := make([]float64, n)
		c.m.LogDensity(want, c.y)
		components := make([]float64, s*n)
		c.m.ComponentLogDensity(components, c.y)
		for i := range n {
			sum := 0.0
			for k, w := range real.Weights {
				sum += w * math.Exp(components[k*n+i])
			}
			if got := math.Log(sum); math.Abs(got-want[i]) > 1e-12*(1+math.Abs(want[i])) {
				t.Errorf("%s, point %d: %v, want %v", name, i, got, want[i])
			}
		}
	}
}
