package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"dgplab/models/stats"
)

// logCDF evaluates log Phi and its derivative at every z, as sums over one point of weight 1/2 on
// either side.
func logCDF(z []float64) (value, slope []float64) {
	value = make([]float64, len(z))
	slope = make([]float64, len(z))
	ProbitSums(value, slope, make([]float64, len(z)), z, make([]float64, len(z)),
		[]float64{0}, []float64{0.5})
	return value, slope
}

// exactLogCDF computes the density from an exact square and exponential. The scalar form is
// inaccurate far above 0 because z² is rounded.
func exactLogCDF(z float64) (value, slope float64) {
	if z < 1 {
		return stats.LogCDFGrad(z)
	}
	density := exactDensity(z)
	above := density * stats.Mills(z)
	return math.Log1p(-above), density / (1 - above)
}

func TestLogCDF(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	var z []float64
	for range 3000 {
		z = append(z, 3*rng.NormFloat64(), -36+74*rng.Float64(), -math.Exp(350*rng.Float64()),
			rng.NormFloat64()*math.Pow(2, -float64(rng.IntN(60))))
	}
	z = append(z, 0, math.Copysign(0, -1), 37.5, 37.6, -37.6, -1e150, -1e153, -1e300)
	forAll(t, func(t *testing.T) {
		limit := 1e-14
		if active == nil {
			limit = 2e-13
		}
		value, slope := logCDF(z)
		worst := 0.0
		for i, z := range z {
			v, s := exactLogCDF(z)
			for _, pair := range [2][2]float64{{value[i], v}, {slope[i], s}} {
				e := math.Abs(pair[0]-pair[1]) / math.Abs(pair[1])
				if pair[0] == pair[1] || math.Abs(pair[0]-pair[1]) < 2e-306 { // may be replaced by 0
					continue
				}
				worst = max(worst, e)
				if !(e <= limit) {
					t.Errorf("at %v: log Phi and its derivative %v, want %v", z, pair[0], pair[1])
				}
			}
		}
		t.Logf("largest relative error %.1e", worst)
	})
}

func TestNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	inf := math.Inf(1)
	nan := math.NaN()
	z := []float64{0, math.Copysign(0, -1), 37.4, -37.4, 38, -38, 1e300, -1e300, inf, -inf, nan, -nan}
	for range 3000 {
		z = append(z, 3*rng.NormFloat64(), -36+74*rng.Float64(),
			rng.NormFloat64()*math.Pow(2, -float64(rng.IntN(60))))
	}
	forAll(t, func(t *testing.T) {
		limit := 1e-14
		if active == nil {
			limit = 2e-13
		}
		cdf := make([]float64, len(z))
		pdf := make([]float64, len(z))
		Normal(cdf, pdf, z)
		for i, z := range z {
			if math.IsNaN(z) {
				if !math.IsNaN(cdf[i]) || !math.IsNaN(pdf[i]) {
					t.Errorf("at NaN: %v, %v", cdf[i], pdf[i])
				}
				continue
			}
			density := exactDensity(z)
			below := density * stats.Mills(math.Abs(z))
			if z >= 0 {
				below = 1 - below
			}
			for k, pair := range [2][2]float64{{cdf[i], below}, {pdf[i], density}} {
				if e := math.Abs(pair[0] - pair[1]); !(e <= max(limit*pair[1], 2e-306)) {
					t.Errorf("value %d at %v is %v, want %v", k, z, pair[0], pair[1])
				}
			}
		}
		copy(cdf, z)
		Normal(cdf, pdf, cdf)
		if cdf[0] != 0.5 || cdf[6] != 1 {
			t.Errorf("in place %v", cdf[:12])
		}
	})
}

// exactDensity returns the normal density, computed from an exact square and exponential.
func exactDensity(z float64) float64 {
	if math.Abs(z) > 40 {
		return 0
	}
	square := new(big.Float).SetPrec(precision).SetFloat64(z)
	square.Mul(square, square)
	exp, _ := bigExp(square.Mul(square, big.NewFloat(-0.5))).Float64()
	return exp / math.Sqrt(2*math.Pi)
}

func TestLogCDFSpecialValues(t *testing.T) {
	inf := math.Inf(1)
	forAll(t, func(t *testing.T) {
		value, slope := logCDF([]float64{inf, -inf, math.NaN(), 1e3, math.MaxFloat64, -math.NaN()})
		for i, want := range [][2]float64{{0, 0}, {-inf, inf}, {math.NaN(), math.NaN()}, {0, 0}, {0, 0},
			{math.NaN(), math.NaN()}} {
			for k, got := range [2]float64{value[i], slope[i]} {
				if got != want[k] && !(math.IsNaN(got) && math.IsNaN(want[k])) {
					t.Errorf("value %d of case %d is %v, want %v", k, i, got, want[k])
				}
			}
		}
	})
}

func TestProbitSums(t *testing.T) {
	const points = 13
	rng := rand.New(rand.NewPCG(21, 2))
	x := normals(rng, points)
	w := normals(rng, points)
	forAll(t, func(t *testing.T) {
		for n := range 40 {
			mean := normals(rng, n)
			scale := normals(rng, n)
			value := normals(rng, n)
			first := normals(rng, n)
			second := normals(rng, n)
			ProbitSums(value, first, second, mean, scale, x, w)
			inPlace := [2][]float64{append([]float64{}, mean...), append([]float64{}, scale...)}
			ProbitSums(make([]float64, n), inPlace[0], inPlace[1], inPlace[0], inPlace[1], x, w)
			for i := range n {
				if inPlace[0][i] != first[i] || inPlace[1][i] != second[i] {
					t.Fatalf("row %d written over its operands: %v and %v, want %v and %v",
						i, inPlace[0][i], inPlace[1][i], first[i], second[i])
				}
				var sums, sizes [3]float64
				for k := range x {
					for _, node := range [2]float64{x[k], -x[k]} {
						v, s := stats.LogCDFGrad(mean[i] + scale[i]*node)
						for j, term := range [3]float64{w[k] * v, w[k] * s, w[k] * node * s} {
							sums[j] += term
							sizes[j] += math.Abs(term)
						}
					}
				}
				checkClose(t, "value", value[i], sums[0], sizes[0])
				checkClose(t, "derivative with respect to the mean", first[i], sums[1], sizes[1])
				checkClose(t, "derivative with respect to the scale", second[i], sums[2], sizes[2])
			}
		}
	})
}

// A row must not depend on its position or on neighbouring rows, nothing outside the results may be
// written, and both assembly versions must give the same bits.
func TestProbitSumsRowByRow(t *testing.T) {
	const rows, points = 60, 9
	rng := rand.New(rand.NewPCG(21, 3))
	mean := normals(rng, rows)
	scale := normals(rng, rows)
	x := normals(rng, points)
	w := normals(rng, points)
	var whole [3][]float64
	forAll(t, func(t *testing.T) {
		if whole[0] == nil || active == nil {
			whole = [3][]float64{make([]float64, rows), make([]float64, rows), make([]float64, rows)}
			ProbitSums(whole[0], whole[1], whole[2], mean, scale, x, w)
		}
		for n := range 20 {
			at := 2 * n
			var got [3][]float64
			for k := range got {
				got[k] = make([]float64, rows)
			}
			ProbitSums(got[0][at:at+n], got[1][at:at+n], got[2][at:at+n], mean[at:at+n], scale[at:at+n], x, w)
			for k, row := range got {
				for i, v := range row {
					want := 0.0
					if i >= at && i < at+n {
						want = whole[k][i]
					}
					if v != want {
						t.Fatalf("%d rows at %d: sum %d of row %d is %v, want %v", n, at, k, i, v, want)
					}
				}
			}
		}
	})
}

func BenchmarkProbitSums(b *testing.B) {
	const rows, points = 100, 31
	rng := rand.New(rand.NewPCG(21, 4))
	mean := normals(rng, rows)
	scale := normals(rng, rows)
	x := normals(rng, points)
	w := normals(rng, points)
	value := make([]float64, rows)
	first := make([]float64, rows)
	second := make([]float64, rows)
	for b.Loop() {
		ProbitSums(value, first, second, mean, scale, x, w)
	}
}
