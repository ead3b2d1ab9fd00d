package fastblas

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// shapes are the matrix products of a deep Gaussian process with 128 inducing points and 2560
// points (512 times 5 samples), for one GP and for the five GPs of a layer.
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
			a := filled(s.m * s.k)
			x := filled(s.k * s.n)
			c := filled(s.m * s.n)
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

// benchmarkTriangles multiplies triangles of 128 inducing points with 2560 points, and with each
// other. It counts useful operations only.
func benchmarkTriangles(b *testing.B, impl blas.Float64) {
	const m = 128
	for _, n := range []int{2560, 128} {
		a := filled(m * m)
		x := filled(m * n)
		c := filled(m * m)
		big := filled(m * n)
		flops := float64(m) * float64(m) * float64(n)
		b.Run(fmt.Sprintf("Dsyrk/%dx%d", m, n), func(b *testing.B) {
			for b.Loop() {
				impl.Dsyrk(blas.Lower, blas.NoTrans, m, n, 1, x, n, 0, c, m)
			}
			report(b, flops)
		})
		b.Run(fmt.Sprintf("Dsymm/%dx%d", m, n), func(b *testing.B) {
			for b.Loop() {
				impl.Dsymm(blas.Left, blas.Lower, m, n, 1, a, m, x, n, 0, big, n)
			}
			report(b, 2*flops)
		})
		for _, tr := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			b.Run(fmt.Sprintf("Dtrmm%c/%dx%d", tr, m, n), func(b *testing.B) {
				for b.Loop() {
					clear(big)
					impl.Dtrmm(blas.Left, blas.Lower, tr, blas.NonUnit, m, n, 1, a, m, big, n)
				}
				report(b, flops)
			})
			b.Run(fmt.Sprintf("Dtrsm%c/%dx%d", tr, m, n), func(b *testing.B) {
				for b.Loop() {
					clear(big)
					impl.Dtrsm(blas.Left, blas.Lower, tr, blas.NonUnit, m, n, 1, a, m, big, n)
				}
				report(b, flops)
			})
		}
		b.Run(fmt.Sprintf("DtrsmRight/%dx%d", n, m), func(b *testing.B) {
			for b.Loop() {
				clear(big)
				impl.Dtrsm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, n, m, 1, a, m, big, m)
			}
			report(b, flops)
		})
	}
}

func BenchmarkTriangles(b *testing.B)      { benchmarkTriangles(b, Implementation{}) }
func BenchmarkGonumTriangles(b *testing.B) { benchmarkTriangles(b, gonum.Implementation{}) }

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

// BenchmarkLoop measures the distribution of parts that do nothing.
func BenchmarkLoop(b *testing.B) {
	for _, parts := range []int{2, 4, 16} {
		b.Run(fmt.Sprint(parts), func(b *testing.B) {
			l := Loop{Body: func(int) {}}
			for b.Loop() {
				l.Run(parts)
			}
		})
	}
}
