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

// checkLower checks the lower triangle of a, [n][n], and that the entries above it are still NaN.
func checkLower(t *testing.T, a []float64, n int, want func(i, j int) float64) {
	t.Helper()
	for i := range n {
		for j, got := range a[i*n : i*n+i+1] {
			if !(math.Abs(got-want(i, j)) <= 1e-13) {
				t.Errorf("n=%d: entry %d, %d is %g, want %g", n, i, j, got, want(i, j))
			}
		}
		for j := i + 1; j < n; j++ {
			if !math.IsNaN(a[i*n+j]) {
				t.Fatalf("n=%d: entry %d, %d was overwritten", n, i, j)
			}
		}
	}
}

// inverseSizes are sizes of triangles that plain loops process alone, and larger ones.
var inverseSizes = []int{1, 2, unblocked, unblocked + 1, 100}

func TestInvertLower(t *testing.T) {
	for _, n := range inverseSizes {
		l := randomFactor(n)
		inverse := slices.Clone(l)
		InvertLower(inverse, n)
		product := slices.Clone(l)
		for i := range n {
			for j := range i + 1 {
				product[i*n+j] = 0
				for k := j; k <= i; k++ {
					product[i*n+j] += l[i*n+k] * inverse[k*n+j]
				}
			}
			copy(product[i*n+i+1:(i+1)*n], inverse[i*n+i+1:])
		}
		checkLower(t, product, n, func(i, j int) float64 {
			if i == j {
				return 1
			}
			return 0
		})
	}
}

func TestSquareLower(t *testing.T) {
	for _, n := range inverseSizes {
		l := randomFactor(n)
		square := slices.Clone(l)
		SquareLower(square, n)
		checkLower(t, square, n, func(i, j int) (want float64) {
			for k := i; k < n; k++ {
				want += l[k*n+i] * l[k*n+j]
			}
			return want
		})
	}
}
