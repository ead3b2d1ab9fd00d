package sampling

import (
	"context"
	"math"
	"slices"
	"testing"

	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// TestFitPareto fits quantiles of known distributions.
func TestFitPareto(t *testing.T) {
	for _, k := range []float64{-0.3, 0, 0.4, 0.9} {
		const n, scale = 2000, 2.5
		x := make([]float64, n)
		for i := range x {
			x[i] = paretoQuantile((float64(i)+0.5)/n, k, scale)
		}
		got, gotScale := fitPareto(x)
		want := (n*k + 10*0.5) / (n + 10) // The shape is shrunk.
		if math.Abs(got-want) > 0.02 || math.Abs(gotScale/scale-1) > 0.03 {
			t.Errorf("shape %v: fitted %v and scale %v", k, got, gotScale)
		}
	}
}

// TestSmooth checks that smoothing preserves the order and the bulk of the weights and bounds the
// largest weight.
func TestSmooth(t *testing.T) {
	const n = 1000
	stream := stats.Stream(1, "weights", 0)
	for _, shape := range []float64{0.2, 1.5} {
		raw := make([]float64, n)
		for i := range raw {
			raw[i] = -shape * math.Log(stream.Float64())
		}
		logs := slices.Clone(raw)
		k := Smooth(logs)
		if math.Abs(k-shape) > 0.3 {
			t.Errorf("weights with a tail of shape %v: %v", shape, k)
		}
		var sum float64
		order := make([]int, n)
		for i, v := range logs {
			sum += math.Exp(v)
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			if raw[a] < raw[b] {
				return -1
			}
			return 1
		})
		ordered := slices.IsSortedFunc(order, func(a, b int) int {
			if logs[a] < logs[b]-1e-12 {
				return -1
			}
			if logs[a] > logs[b]+1e-12 {
				return 1
			}
			return 0
		})
		shift := raw[order[0]] - logs[order[0]]
		if math.Abs(sum-1) > 1e-12 || !ordered || math.Abs(raw[order[n/2]]-logs[order[n/2]]-shift) > 1e-12 ||
			logs[order[n-1]] > raw[order[n-1]]-shift+1e-12 {
			t.Errorf("shape %v: sum %v, ordered %v", shape, sum, ordered)
		}
	}
	if k := Smooth([]float64{0, 1, 2}); !math.IsInf(k, 1) {
		t.Errorf("of three weights: %v", k)
	}
	equal := make([]float64, 40)
	if k := Smooth(equal); !math.IsInf(k, -1) || math.Abs(equal[7]+math.Log(40)) > 1e-12 {
		t.Errorf("of equal weights: %v and %v", k, equal[7])
	}
	if reliableK(1) > 0 || math.Abs(reliableK(100)-0.5) > 1e-12 || reliableK(1e6) != 0.7 {
		t.Errorf("reliable: %v, %v, %v", reliableK(1), reliableK(100), reliableK(1e6))
	}
}

// TestLeaveOneOut compares importance sampling with the closed form: normal targets with a flat prior on
// their mean, whose posterior without a target is N(mean of the others, 1/(n-1)). One target is an outlier.
func TestLeaveOneOut(t *testing.T) {
	y := []float64{0.3, -1.1, 0.8, 2.9, -0.4, 0.1, -0.6, 1.2, math.NaN()}
	const targets, draws = 8, 30000
	var sum float64
	for _, v := range y[:targets] {
		sum += v
	}
	m := predictive.NewGaussians(slices.Repeat([]float64{1. / draws}, draws), len(y), 1)
	m.Noise = predictive.SharedNoise(1, draws, 1)
	stream := stats.Stream(2, "posterior", 0)
	for s := range draws {
		mean := sum/targets + stream.NormFloat64()/math.Sqrt(targets)
		for i := range y {
			m.Mean[s*len(y)+i] = mean
		}
	}
	densities := make([]float64, draws*len(y))
	m.ComponentLogDensity(densities, y)
	out, err := LeaveOneOut(context.Background(), m, draws, densities)
	if err != nil || out.Draws != draws || len(out.Parts) != len(y) {
		t.Fatalf("%+v, %v", out, err)
	}
	for i, v := range y[:targets] {
		var got [1]float64
		out.Parts[i].LogDensity(got[:], []float64{v})
		want := stats.LogPDF(v, (sum-v)/(targets-1), 1+1./(targets-1))
		if math.Abs(got[0]-want) > 0.02 || out.K[i] > reliableK(draws) {
			t.Errorf("target %d: %v with shape %v, want %v", i, got[0], out.K[i], want)
		}
	}
	if !math.IsInf(out.K[targets], -1) {
		t.Errorf("a missing target has the shape %v", out.K[targets])
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LeaveOneOut(ctx, m, draws, densities); err == nil {
		t.Error("it ignores the context")
	}
	if _, err := LeaveOneOut(t.Context(), nil, draws, densities); err == nil {
		t.Error("predictions that are not a mixture have been reweighted")
	}
}
