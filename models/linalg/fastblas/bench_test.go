package fastblas

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// shapes are those of a deep Gaussian process with 128 inducing points and
// 2560 points (512 times 5 samples), for one GP and for the five of a layer.
var shapes = []struct {
	tA, tB  blas.Transpose
	m, n, k int
}{
	{blas.NoTrans, blas.NoTrans, 128, 2560, 128},
	{blas.NoTrans, blas.NoTrans, 640, 2560, 128},
	{blas.Trans, blas.NoTrans, 128, 2560, 128},
	{blas.NoTrans, blas.Trans, 128, 2560, 128},
	{blas.NoTrans, blas.Trans, 128, 128, 2560},
	{blas.Trans, blas.NoTrans, 128, 128, 2560},
	{blas.NoTrans, blas.Trans, 640, 128, 2560},
	{blas.NoTrans, blas.NoTrans, 1024, 1024, 1024},
	{blas.NoTrans, blas.NoTrans, 128, 128, 128},
	{blas.NoTrans, blas.NoTrans, 32, 32, 32},
	{blas.NoTrans, blas.NoTrans, 8, 8, 8},
}

func benchmarkDgemm(b *testing.B, impl blas.Float64) {
	for _, s := range shapes {
		b.Run(fmt.Sprintf("%c%c/%dx%dx%d", s.tA, s.tB, s.m, s.n, s.k), func(b *testing.B) {
			a, x, c := filled(s.m*s.k), filled(s.k*s.n), filled(s.m*s.n)
			lda, ldb := s.k, s.n
			if s.tA != blas.NoTrans {
				lda = s.m
			}
			if s.tB != blas.NoTrans {
				ldb = s.k
			}
			b.ReportAllocs()
			for b.Loop() {
				impl.Dgemm(s.tA, s.tB, s.m, s.n, s.k, 1, a, lda, x, ldb, 0, c, s.n)
			}
			report(b, 2*float64(s.m)*float64(s.n)*float64(s.k))
		})
	}
}

func BenchmarkDgemm(b *testing.B)      { benchmarkDgemm(b, Implementation{}) }
func BenchmarkGonumDgemm(b *testing.B) { benchmarkDgemm(b, gonum.Implementation{}) }

// filled returns n values between 1 and 2.
func filled(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 + float64(i*7919%1000)/1000
	}
	return x
}

func report(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
