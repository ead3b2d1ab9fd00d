package predictive

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"dgplab/models/stats"
)

// The CRPS is the integral of (F(x) - [x >= y])^2.
func TestCRPSByIntegration(t *testing.T) {
	m, y := random(4, 3, 2)
	const step = 1e-3
	score := make([]float64, 6)
	at := make([]float64, 6)
	below := make([]float64, 6)
	integral := make([]float64, 6)
	m.CRPS(score, y)
	// Integrate on both sides of each target with the midpoint rule.
	for k := range 12000 {
		for _, side := range []float64{-1, 1} {
			for i := range at {
				at[i] = y[i] + side*(float64(k)+0.5)*step
			}
			m.PIT(below, at)
			for i, f := range below {
				if side > 0 {
					f = 1 - f
				}
				integral[i] += step * f * f
			}
		}
	}
	for i, want := range integral {
		if math.Abs(score[i]-want) > 1e-6 {
			t.Errorf("CRPS %d is %v, integral %v", i, score[i], want)
		}
	}
}

// scalarCRPS evaluates the closed form pair by pair.
func scalarCRPS(m *Gaussians, k int, y float64) float64 {
	var toTarget, within float64
	for s, w := range m.Weights {
		mean, vr := m.component(s, k)
		toTarget += w * stats.MeanAbs(y-mean, math.Sqrt(vr))
		var others float64
		for t, v := range m.Weights[:s] {
			other, also := m.component(t, k)
			others += v * stats.MeanAbs(mean-other, math.Sqrt(vr+also))
		}
		within += w * (others + 0.5*w*stats.MeanAbs(0, math.Sqrt(2*vr)))
	}
	return toTarget - within
}

func TestCRPSEqualsScalarForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ s, n, p int }{{1, 1, 1}, {2, 9, 1}, {7, 5, 3}, {300, 10, 2}} {
		m, y := random(c.s, c.n, c.p)
		for k := range m.Var {
			m.Var[k] = math.Exp(3 * rng.NormFloat64())
		}
		for k := range m.Noise {
			m.Noise[k] = []float64{0, 1e-6, 0.1, 3}[k%4]
		}
		y[0] = 40
		got := make([]float64, len(y))
		m.CRPS(got, y)
		for k, target := range y {
			if want := scalarCRPS(m, k, target); math.Abs(got[k]-want) > 1e-13*want {
				t.Errorf("%d components, target %d: %v, want %v", c.s, k, got[k], want)
			}
		}
	}
}

// The score of a target must be bit-identical on any number of processors and independent of other
// targets.
func TestCRPSIsDeterministic(t *testing.T) {
	m, y := random(50, 23, 2)
	alone := make([]float64, 46)
	together := make([]float64, 46)
	parts := make([]float64, 46)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m.CRPS(alone, y)
	runtime.GOMAXPROCS(4)
	m.CRPS(together, y)
	for _, r := range [][2]int{{0, 1}, {1, 14}, {14, 23}} {
		part(m, r[0], r[1]).CRPS(parts[2*r[0]:2*r[1]], y[2*r[0]:2*r[1]])
	}
	if !slices.Equal(alone, together) || !slices.Equal(alone, parts) {
		t.Error("scores differ")
	}
}

func BenchmarkCRPS(b *testing.B) {
	m, y := random(1000, 20, 1)
	dst := make([]float64, 20)
	for b.Loop() {
		m.CRPS(dst, y)
	}
}
