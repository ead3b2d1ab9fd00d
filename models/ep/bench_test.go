package ep

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// BenchmarkStep is the energy of DGP-2 with M = 50 at 256 points of 8 inputs, alone and
// with its gradient.
func BenchmarkStep(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(1000, 8, nil), Y: mat.NewDense(1000, 1, nil)}
	for i := range 1000 {
		for d := range 8 {
			data.X.Set(i, d, r.NormFloat64())
		}
		data.Y.Set(i, 0, data.X.At(i, 0)+0.1*r.NormFloat64())
	}
	values, err := family.Resolve(Families()[0].Hyperparameters, nil)
	if err != nil {
		b.Fatal(err)
	}
	size, err := Families()[0].Size(values, 1000, 8, 1)
	if err != nil {
		b.Fatal(err)
	}
	m, err := buildDirect(values, data, 1)
	if err != nil {
		b.Fatal(err)
	}
	p := m.(*Model).problem
	p.Draw(0)
	for name, gradient := range map[string][]float64{"value": nil, "gradient": make([]float64, p.Set.Size())} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Evaluate(gradient); err != nil {
					b.Fatal(err)
				}
			}
			if gradient != nil {
				b.ReportMetric(size.StepFLOPs*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			}
		})
	}
}
