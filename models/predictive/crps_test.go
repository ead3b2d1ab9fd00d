package predictive

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
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

// The integrals on a lattice must equal the sums over all pairs of components.
func TestSpreadEqualsSumOverPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct {
		components   int
		noise, wide  float64 // the least variance, and the spread of the logarithms of the variances
		scale, shift float64 // of the means
	}{
		{100, 0.1, 0, 1, 0}, {100, 0.1, 0.5, 1, 50}, {1000, 1e-3, 1, 1, 0}, {3000, 1e-5, 0.1, 2, -3},
		{3000, 0.1, 0.1, 0.01, 3}, {20000, 0.01, 0.3, 1, 0},
	} {
		m, _ := random(c.components, 1, 1)
		target := newNormals(m.Weights)
		center := make([]float64, c.components)
		for s := range target.mean {
			target.mean[s] = c.scale*rng.NormFloat64() + c.shift
			target.vr[s] = c.noise * (1 + math.Exp(c.wide*rng.NormFloat64()))
			center[s] = math.Exp(target.mean[s] + target.vr[s]/2)
		}
		target.standardise()
		got, ok := new(lattice).spread(target)
		want := pairs(target.mean, target.vr, m.Weights)
		if !ok || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%+v: %v, want %v, relative difference %v", c, got, want, got/want-1)
		}
		if c.components > 3000 {
			continue
		}
		got, ok = (&lattice{raised: true}).spread(target)
		want = logNormalPairs(target.mean, target.vr, center, m.Weights)
		if !ok || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%+v: of exponentials %v, want %v, relative difference %v", c, got, want, got/want-1)
		}
	}
}

// Few components, components without variance and components far apart need the sum over all pairs.
func TestLatticeRefuses(t *testing.T) {
	for _, change := range []func(t *normals){
		func(t *normals) { t.vr[3] = 0 },
		func(t *normals) { t.vr[3] = 1e-9 },
		func(t *normals) { t.mean[3] = 1e9 },
		func(t *normals) { t.mean[3] = math.NaN() },
		func(t *normals) { t.vr[3] = math.Inf(1) },
	} {
		m, _ := random(200, 1, 1)
		target := newNormals(m.Weights)
		target.load(m, 0)
		change(target)
		target.standardise()
		for _, raised := range []bool{false, true} {
			if sum, ok := (&lattice{raised: raised}).spread(target); ok {
				t.Errorf("a lattice gives %v", sum)
			}
		}
	}
	m, _ := random(10, 1, 1)
	target := newNormals(m.Weights)
	target.load(m, 0)
	if _, ok := new(lattice).spread(target); ok {
		t.Error("ten components use a lattice")
	}
}

func BenchmarkCRPS(b *testing.B) {
	for _, components := range []int{100, 1000, 20000} {
		b.Run(strconv.Itoa(components), func(b *testing.B) {
			m, y := random(components, 4, 1)
			dst := make([]float64, 4)
			for b.Loop() {
				m.CRPS(dst, y)
			}
		})
	}
}
