package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/viz/golden"
)

// TestRandomArguments compares all functions at random and extreme arguments, and the random streams, with
// recorded results.
func TestRandomArguments(t *testing.T) {
	var d golden.Digest
	r := rand.New(rand.NewPCG(1, 27))
	d.Begin("functions")
	for k := range 600 {
		x := 4 * r.NormFloat64()
		if k%20 == 0 {
			x *= 10
		}
		sd := math.Exp(2 * r.NormFloat64())
		d.AddNumbers("densities", PDF(x), LogPDF(x, 0.3, sd))
		value, gradient := LogCDFGrad(x)
		d.AddNumbers("probabilities", CDF(x), LogCDF(x), value, gradient, Mills(x), Mills(math.Abs(x)))
		p := r.Float64()
		if k%3 == 0 {
			p = math.Pow(p, 30)
		}
		d.AddNumbers("quantiles", Quantile(p), Quantile(1-p), Quantile(float64(k%3)/2))
		d.AddNumbers("errors", erfSmall(p), erfcx(math.Abs(x)))
		d.AddNumbers("mean absolute values", MeanAbs(x, sd), MeanAbs(x, 0), MeanAbs(sd, 1))
		weights := []float64{0.5, p, 0.2}
		mean := []float64{x, 0, r.NormFloat64()}
		vr := []float64{sd, 0, p}
		d.AddNumbers("mean absolute values", MeanAbsSum(weights, mean, vr, r.NormFloat64(), p*sd))
		slices.Sort(mean)
		d.AddNumbers("sample quantiles", SampleQuantile(mean, r.Float64()), SampleQuantile(mean[:1], 0.7))
	}
	d.Begin("streams")
	for k := range 20 {
		stream := Stream(r.Uint64(), string(rune('a'+k)), r.Uint64N(50))
		numbers := make([]float64, 20)
		Normals(numbers, stream)
		d.AddNumbers("normals", numbers...)
		streams := NewStreams(uint64(k), "purpose")
		d.AddNumbers("uniforms", streams.At(uint64(k)).Float64(), streams.At(1).Float64())
	}
	d.Check(t, "functions")
}
