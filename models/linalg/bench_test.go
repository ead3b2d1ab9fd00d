package linalg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkBatch measures calls of the batch routines on 1000 small matrices.
func BenchmarkBatch(b *testing.B) {
	const batch = 1000
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{2, 8, 16, 32} {
		a := concat(batch, func() []float64 { return randomCovariance(rng, n) })
		l := make([]float64, len(a))
		if _, err := BatchCholesky(l, a, batch, n, "K", nil); err != nil {
			b.Fatal(err)
		}
		factor := slices.Clone(l)
		x := randomMatrix(rng, batch*n, n)
		da := make([]float64, n*n)
		scratch := make([]float64, n*n)
		routines := []struct {
			name string
			run  func()
		}{
			{"Cholesky", func() { _, _ = BatchCholesky(l, a, batch, n, "K", nil) }},
			{"CholeskyBackward", func() {
				for i := 0; i < batch; i++ {
					CholeskyBackward(da, factor[i*n*n:(i+1)*n*n], a[:n*n], scratch, n)
				}
			}},
			{"SolveLower", func() { copy(l, x); BatchSolveLower(factor, l, batch, n, n) }},
			{"Mul", func() { BatchMul(l, a, x, batch, n, n, n) }},
		}
		for _, r := range routines {
			b.Run(fmt.Sprintf("%s/n=%d", r.name, n), func(b *testing.B) {
				for b.Loop() {
					r.run()
				}
			})
		}
	}
}

// BenchmarkCholesky measures the factorisation of one K_MM.
func BenchmarkCholesky(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{32, 64, 128, 256, 512} {
		a := randomCovariance(rng, n)
		l := make([]float64, n*n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Cholesky(l, a, n, "K"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCholeskyBackward measures the gradient of the factorisation of one K_MM, also if it is known up to
// solves on both sides.
func BenchmarkCholeskyBackward(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{16, 32, 64, 128, 256, 512} {
		a := randomCovariance(rng, n)
		l := make([]float64, n*n)
		if _, err := Cholesky(l, a, n, "K"); err != nil {
			b.Fatal(err)
		}
		da := make([]float64, n*n)
		scratch := make([]float64, n*n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				CholeskyBackward(da, l, a, scratch, n)
			}
		})
		b.Run(fmt.Sprintf("both sides, n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(da, a)
				SolveBothSides(da, l, scratch, n)
			}
		})
	}
}
