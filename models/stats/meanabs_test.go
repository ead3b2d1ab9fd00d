package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMeanAbs(t *testing.T) {
	for _, z := range []float64{0, 1e-9, 0.3, 0.6, 0.7, 1, 3, 5.5, 7.99, 8, 12} {
		for _, sd := range []float64{1e-3, 1, 40} {
			// 2 sd phi(z) + mean (2 Phi(z) - 1)
			want := sd * (2*PDF(z) + z*math.Erf(z/math.Sqrt2))
			for _, sign := range []float64{-1, 1} {
				if e := relative(MeanAbs(sign*z*sd, sd), want); e > 2e-15 {
					t.Errorf("MeanAbs(%v, %v): relative error %.1e", sign*z*sd, sd, e)
				}
			}
		}
	}
	if got := MeanAbs(-3, 0); got != 3 {
		t.Errorf("MeanAbs(-3, 0) = %v", got)
	}
	if got := MeanAbs(0, 0); got != 0 {
		t.Errorf("MeanAbs(0, 0) = %v", got)
	}
}

// sums returns MeanAbsSum and the same sum computed with MeanAbs.
func sums(weights, mean, vr []float64, m, v float64) (got, want float64) {
	for i, w := range weights {
		want += w * MeanAbs(m-mean[i], math.Sqrt(v+vr[i]))
	}
	return MeanAbsSum(weights, mean, vr, m, v), want
}

// The sum must equal MeanAbs at every distance: in the middle and at the edges of the intervals of
// the table, and beyond the table.
func TestMeanAbsSumOfOneTerm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for k := range 20 * len(taylor) {
		z := float64(k) / 10 / perSD
		for _, z := range []float64{z, math.Nextafter(z, 0), z + rng.Float64()/10/perSD} {
			for _, vr := range []float64{1e-12, 1, 1600} {
				got, want := sums([]float64{1}, []float64{z * math.Sqrt(vr)},
					[]float64{0.75 * vr}, 0, 0.25*vr)
				if e := relative(got, want); e > 2e-15 {
					t.Fatalf("%v standard deviations of variance %v: relative error %.1e", z, vr, e)
				}
			}
		}
	}
}

func TestMeanAbsSumOfManyTerms(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(7, 7))
	weights := make([]float64, n)
	mean := make([]float64, n)
	vr := make([]float64, n)
	for i := range n {
		weights[i] = rng.Float64() / n
		mean[i] = rng.NormFloat64()
		vr[i] = math.Exp(4 * rng.NormFloat64())
	}
	for _, m := range []float64{0, -1.5, 1e6} {
		if got, want := sums(weights, mean, vr, m, 0.1); relative(got, want) > 1e-14 {
			t.Errorf("at %v: %v, want %v", m, got, want)
		}
	}
}

func TestMeanAbsSumAtTheEdges(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	for _, c := range []struct{ mean, vr, want float64 }{
		{0, 0, 0}, {-3, 0, 3}, {1e-300, 0, 1e-300}, {1, inf, inf}, {inf, 1, inf}, {nan, 1, nan},
		{1, nan, nan}, {9, -1, nan},
		{0, 1e-308, math.Sqrt(1e-308) * math.Sqrt(2/math.Pi)},
	} {
		got := MeanAbsSum([]float64{1}, []float64{c.mean}, []float64{c.vr}, 0, 0)
		if math.IsNaN(got) != math.IsNaN(c.want) || relative(got, c.want) > 1e-15 {
			t.Errorf("mean %v, variance %v: %v, want %v", c.mean, c.vr, got, c.want)
		}
	}
	if got := MeanAbsSum(nil, nil, nil, 1, 1); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func BenchmarkMeanAbsSum(b *testing.B) {
	const n = 1000
	rng := rand.New(rand.NewPCG(7, 7))
	weights := make([]float64, n)
	mean := make([]float64, n)
	vr := make([]float64, n)
	for i := range n {
		weights[i] = 1.0 / n
		mean[i] = rng.NormFloat64()
		vr[i] = rng.Float64()
	}
	var sink float64
	for b.Loop() {
		sink += MeanAbsSum(weights, mean, vr, 0.3, 0.1)
	}
	_ = sink
}
