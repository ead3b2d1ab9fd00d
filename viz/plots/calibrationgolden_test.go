package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

func TestCalibrationGolden(t *testing.T) {
	tilted := NewPITHistogram(append(demoPIT(400, 0.6), math.NaN(), 1.5), 12)
	tilted.Label, tilted.Run = "mean-field", 1
	skewed := NewHistogram(demoDraws(1000), 24, 1.13, 0.6)
	skewed.XName = "likelihood.variance"
	charts := map[string]golden.Picture{
		"pit_uniform": NewPITHistogram(demoPIT(400, 1), 20), "pit_tilted": tilted,
		"pit_empty":        NewPITHistogram(nil, 10),
		"histogram_skewed": skewed, "histogram_empty": NewHistogram(nil, 10, 0, 1),
		"ranks":        NewRankHistogram([]int{20, 24, 31, 22, 28, 60, 25, 19, 23, 2}),
		"ranks_empty":  NewRankHistogram(nil),
		"coverage_one": demoCoverage(1), "coverage_three": demoCoverage(3), "coverage_empty": Coverage{},
		"reliability_one": demoReliability(1), "reliability_two": demoReliability(2),
		"reliability_empty": Reliability{},
	}
	for name, c := range charts {
		t.Run(name, func(t *testing.T) {
			golden.CheckSizes(t, name, c, canvas.Style{}, golden.Sizes)
			golden.CheckSizes(t, name+"_ascii", c, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	golden.CheckSizes(t, "pit_colour", tilted, canvas.Style{Mode: canvas.TrueColor, Dark: true},
		golden.Sizes[1:2])
}

// demoPIT returns the transform of n targets. It is uniform for a tilt of 1; a smaller tilt means
// an overconfident model.
func demoPIT(n int, tilt float64) []float64 {
	r := rand.New(rand.NewPCG(41, uint64(n)))
	var out []float64
	for range n {
		v := 2*r.Float64() - 1
		out = append(out, 0.5+0.5*math.Copysign(math.Pow(math.Abs(v), tilt), v))
	}
	return out
}

// demoDraws returns n draws of a log-normal variable.
func demoDraws(n int) (out []float64) {
	r := rand.New(rand.NewPCG(47, 1))
	for range n {
		out = append(out, math.Exp(r.NormFloat64()/2))
	}
	return out
}

// demoCoverage returns n lines.
func demoCoverage(n int) (c Coverage) {
	for run, label := range []string{"star", "mean-field", "svgp"}[:n] {
		l := NewCoverageLine(demoPIT(400, 1-0.25*float64(run)), 101)
		l.Label, l.Run = label, run
		c.Lines = append(c.Lines, l)
	}
	return c
}

// demoReliability returns n lines. The second model is overconfident.
func demoReliability(n int) (r Reliability) {
	rng := rand.New(rand.NewPCG(43, 1))
	for run, label := range []string{"star", "mean-field"}[:n] {
		var confidence []float64
		var right []bool
		for range 400 {
			v := 0.35 + 0.65*math.Sqrt(rng.Float64())
			confidence = append(confidence, v)
			right = append(right, rng.Float64() < v-0.2*float64(run))
		}
		l := NewReliabilityLine(confidence, right, 15)
		l.Label, l.Run = label, run
		r.Lines = append(r.Lines, l)
	}
	return r
}
