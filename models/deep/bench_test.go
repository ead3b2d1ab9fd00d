package deep

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// BenchmarkDefaults measures training steps with the defaults on 2,048 points of nine inputs.
func BenchmarkDefaults(b *testing.B) {
	const n, d = 2048, 9
	r := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(n, d, nil), Y: mat.NewDense(n, 1, nil)}
	for i := range n {
		for k := range d {
			data.X.Set(i, k, r.NormFloat64())
		}
		data.Y.Set(i, 0, data.X.At(i, 0)+0.1*r.NormFloat64())
	}
	for _, s := range Families() {
		b.Run(s.Name, func(b *testing.B) {
			values, err := family.Resolve(s.Hyperparameters, nil)
			if err != nil {
				b.Fatal(err)
			}
			m, err := s.New(values, data, 1)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := m.Step(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
