package dgp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// benchmarkModels runs do on a model of each family after one step: D=9, L=3, tau=5, batch 512, 5
// samples, Adam.
func benchmarkModels(b *testing.B, inducing []int, do func(b *testing.B, m family.Model, size family.Size)) {
	const n, d = 2048, 9
	r := rand.New(rand.NewPCG(1, 1))
	data := family.Data{X: mat.NewDense(n, d, normals(r, n*d)), Y: mat.NewDense(n, 1, normals(r, n))}
	for _, spec := range Families() {
		for _, inducing := range inducing {
			b.Run(fmt.Sprintf("%s/M=%d", spec.Name, inducing), func(b *testing.B) {
				values, err := family.Resolve(spec.Hyperparameters, map[string]string{
					"inducing": fmt.Sprint(inducing),
				})
				if err != nil {
					b.Fatal(err)
				}
				m, err := spec.New(values, data, 1)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := m.Step(context.Background()); err != nil {
					b.Fatal(err)
				}
				size, _ := spec.Size(values, n, d, 1)
				b.ReportAllocs()
				do(b, m, size)
			})
		}
	}
}

// BenchmarkStep measures a training step.
func BenchmarkStep(b *testing.B) {
	benchmarkModels(b, []int{32, 64, 128, 256}, func(b *testing.B, m family.Model, size family.Size) {
		for b.Loop() {
			if _, err := m.Step(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(size.StepFLOPs*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}

// BenchmarkHealth measures the report on matrix conditioning.
func BenchmarkHealth(b *testing.B) {
	benchmarkModels(b, []int{128}, func(b *testing.B, m family.Model, _ family.Size) {
		for b.Loop() {
			if m, ok := m.(*Model); ok {
				if _, err := m.health(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
