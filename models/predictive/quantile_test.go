package predictive

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"dgplab/models/oracletest"
	"dgplab/models/stats"
)

// The probability below a quantile of a mixture must be its level.
func TestQuantile(t *testing.T) {
	for _, c := range []struct{ s, n, p int }{{1, 3, 1}, {2, 9, 2}, {100, 20, 2}} {
		m, _ := random(c.s, c.n, c.p)
		for k := range m.Mean {
			m.Mean[k] *= []float64{1, 30, 0}[k%3] // far apart, and equal
		}
		share := make([]float64, c.n*c.p)
		levels := []float64{0.001, 0.05, 0.5, 0.8, 0.999}
		size := len(share)
		at := make([]float64, len(levels)*size)
		m.Quantiles(at, levels)
		for l, level := range levels {
			m.PIT(share, at[l*size:(l+1)*size])
			for k, f := range share {
				if math.Abs(f-level) > 1e-12 {
					t.Errorf("%d components, level %v: below the quantile of target %d is %v",
						c.s, level, k, f)
				}
			}
		}
	}
}

// bisected returns the quantile of target k by bisection with the scalar distribution function.
func bisected(m *Gaussians, k int, level float64) float64 {
	lo := -1000.0
	hi := 1000.0
	for hi-lo > 1e-14 {
		at := lo + (hi-lo)/2
		if at == lo || at == hi {
			break
		}
		below := 0.0
		for s, w := range m.Weights {
			mean, vr := m.component(s, k)
			below += w * stats.CDF((at-mean)/math.Sqrt(vr))
		}
		if below < level {
			lo = at
		} else {
			hi = at
		}
	}
	return lo
}

// Quantiles of skewed mixtures with tight and wide components must equal those by bisection, whichever other
// levels are asked for.
func TestQuantilesEqualBisection(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	dense := make([]float64, 99)
	for l := range dense {
		dense[l] = float64(l+1) / 100
	}
	for _, levels := range [][]float64{{1e-8, 0.05, 0.5, 0.95, 0.9999}, {0.3}, dense} {
		for _, s := range []int{1, 2, 7, 100} {
			m, _ := random(s, 6, 2)
			for i := range m.Mean {
				m.Mean[i] = math.Abs(m.Mean[i])
				m.Var[i] = math.Exp(rng.NormFloat64())
			}
			for i := range m.Noise {
				m.Noise[i] = []float64{1e-4, 0.1}[i%2]
			}
			got := make([]float64, len(levels)*12)
			m.Quantiles(got, levels)
			for l, level := range levels {
				for k := range 12 {
					at := got[l*12+k]
					want := bisected(m, k, level)
					if math.Abs(at-want) > 1e-10*math.Max(1e-2, math.Abs(want)) {
						t.Errorf("%d components: quantile %v of target %d is %v, want %v",
							s, level, k, at, want)
					}
				}
			}
		}
	}
}

// Equal components without variance must not prevent the search from ending.
func TestQuantileOfPoints(t *testing.T) {
	m, _ := random(3, 1, 1)
	for s := range m.S {
		m.Mean[s], m.Var[s], m.Noise[s], m.Weights[s] = float64(s), 0, 0, []float64{0.2, 0.5, 0.3}[s]
	}
	got := make([]float64, 4)
	m.Quantiles(got, []float64{0.1, 0.3, 0.6, 0.9})
	for l, want := range []float64{0, 1, 1, 2} {
		if math.Abs(got[l]-want) > 1e-10 {
			t.Errorf("quantile %d is %v, want %v", l, got[l], want)
		}
	}
}

func BenchmarkQuantiles(b *testing.B) {
	m, _ := random(100, 100, 1)
	nine := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	for _, levels := range [][]float64{{0.5}, {0.05, 0.5, 0.95}, nine} {
		b.Run(strconv.Itoa(len(levels)), func(b *testing.B) {
			dst := make([]float64, 100*len(levels))
			for b.Loop() {
				m.Quantiles(dst, levels)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst)), "ns/quantile")
		})
	}
}

// TestQuantileOfOneGaussian compares quantiles with values from Python's statistics.NormalDist.
func TestQuantileOfOneGaussian(t *testing.T) {
	m := &Gaussians{
		S:       1,
		N:       1,
		P:       1,
		Weights: []float64{1},
		Mean:    []float64{3},
		Var:     []float64{3},
		Noise:   []float64{1},
	}
	got := make([]float64, 1)
	m.Quantiles(got, []float64{0.975})
	oracletest.Close(t, "quantile", got, []float64{3 + 2*1.959963984540054}, oracletest.ValueTolerance)
}
