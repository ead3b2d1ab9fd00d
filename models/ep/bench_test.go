package ep

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// benchmarkData returns a thousand points with eight inputs.
func benchmarkData() family.Data {
	r := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(1000, 8, nil), Y: mat.NewDense(1000, 1, nil)}
	for i := range 1000 {
		for d := range 8 {
			data.X.Set(i, d, r.NormFloat64())
		}
		data.Y.Set(i, 0, data.X.At(i, 0)+0.1*r.NormFloat64())
	}
	return data
}

// benchmarkModel returns a two-layer model of a family with M = 50 on benchmarkData, and its
// operations per step.
func benchmarkModel(b *testing.B, s family.Spec, set map[string]string) (*Model, float64) {
	b.Helper()
	values, err := family.Resolve(s.Hyperparameters, set)
	if err != nil {
		b.Fatal(err)
	}
	size, err := s.Size(values, 1000, 8, 1)
	if err != nil {
		b.Fatal(err)
	}
	m, err := s.New(values, benchmarkData(), 1)
	if err != nil {
		b.Fatal(err)
	}
	return m.(*Model), size.StepFLOPs
}

// BenchmarkStep measures the energy at 256 points, with and without its gradient.
func BenchmarkStep(b *testing.B) {
	m, flops := benchmarkModel(b, Families()[0], nil)
	p := m.problem
	p.Draw(0)
	for name, gradient := range map[string][]float64{
		"value": nil, "gradient": make([]float64, p.Set.Size()),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Evaluate(gradient); err != nil {
					b.Fatal(err)
				}
			}
			if gradient != nil {
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			}
		})
	}
}

// BenchmarkPass measures a step of a pass of stochastic EP.
func BenchmarkPass(b *testing.B) {
	m, flops := benchmarkModel(b, Families()[1], map[string]string{"hyper_steps": "0"})
	for b.Loop() {
		if _, err := m.Step(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N*m.method.plan.points)*1e6, "µs/point")
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
