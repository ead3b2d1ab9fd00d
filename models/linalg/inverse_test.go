package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomFactor returns a lower triangle with a dominant diagonal and NaN above it, [n][n].
func randomFactor(n int) []float64 {
	stream := rand.New(rand.NewPCG(3, uint64(n)))
	l := make([]float64, n*n)
	for i := range n {
		for j := range n {
			l[i*n+j] = stream.NormFloat64() / math.Sqrt(float64(n))
		}
		l[i*n+i] = 1 + stream.Float64()
		for j := i + 1; j < n; j++ {
			l[i*n+j] = math.NaN()
		}
	}
	return l
}

// The inverse times the factor is the identity, and entries above the diagonal are neither read nor written.
func TestInvertLower(t *testing.T) {
	for _, n := range []int{1, 2, unblocked, unblocked + 1, 100} {
		l := randomFactor(n)
		inverse := slices.Clone(l)
		InvertLower(inverse, n)
		for i := range n {
			for j := range n {
				if j > i {
					if !math.IsNaN(inverse[i*n+j]) {
						t.Fatalf("n=%d: entry %d, %d was overwritten", n, i, j)
					}
					continue
				}
				got, want := 0.0, 0.0
				for k := j; k <= i; k++ {
					got += l[i*n+k] * inverse[k*n+j]
				}
				if i == j {
					want = 1
				}
				if !(math.Abs(got-want) <= 1e-13) {
					t.Errorf("n=%d: entry %d, %d of the product is %g", n, i, j, got)
				}
			}
		}
	}
}

func TestSquareLower(t *testing.T) {
	for _, n := range []int{1, 2, unblocked, unblocked + 1, 100} {
		l := randomFactor(n)
		square := slices.Clone(l)
		SquareLower(square, n)
		for i := range n {
			for j := range n {
				if j > i {
					if !math.IsNaN(square[i*n+j]) {
						t.Fatalf("n=%d: entry %d, %d was overwritten", n, i, j)
					}
					continue
				}
				want := 0.0
				for k := i; k < n; k++ {
					want += l[k*n+i] * l[k*n+j]
				}
				if got := square[i*n+j]; !(math.Abs(got-want) <= 1e-13) {
					t.Errorf("n=%d: entry %d, %d is %g, want %g", n, i, j, got, want)
				}
			}
		}
	}
}
