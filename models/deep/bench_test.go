package deep

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/likelihood"
)

// stepped returns a model of local layers of the paper's sizes on random data.
func stepped(t testing.TB, c Config, widths, inducing []int, n int) *Model {
	t.Helper()
	tape := autodiff.NewTape()
	var layers []layer.Layer
	for l, m := range inducing {
		layers = append(layers, layer.NewLocal(tape, layer.LocalConfig{
			Inputs: widths[l], Outputs: widths[l+1], Inducing: m, Kernel: kernel.Matern52, Hidden: 2, Jitter: 1e-6, Index: l,
		}, layer.Start{Variance: 1, Lengthscale: 2, Spread: 0.5, Noise: 1, Seed: 1}))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(n, widths[0], nil), Y: mat.NewDense(n, widths[len(widths)-1], nil)}
	for i := range n {
		for d := range widths[0] {
			data.X.Set(i, d, rng.NormFloat64())
		}
		for p := range widths[len(widths)-1] {
			data.Y.Set(i, p, rng.NormFloat64())
		}
	}
	c.Objective = family.Objective{Name: "test", Gauges: []infer.Reading{infer.LearningRate, infer.GradientNorm}}
	c.Noise, c.Beta, c.Schedule = 0.1, 1, infer.Staircase{Rate: 0.005}
	m, err := New(tape, layers, c, data, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkStep is a step of the deep GP of Meng, Zhang, 2024, on eight inputs.
func BenchmarkStep(b *testing.B) {
	m := stepped(b, Config{Samples: 32, Batch: 100, Rule: OfMeans, Quadrature: true, Form: likelihood.ExpectedLog}, []int{8, 16, 4, 1}, []int{8, 4, 4}, 1000)
	ctx := context.Background()
	for b.Loop() {
		if _, err := m.Step(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
