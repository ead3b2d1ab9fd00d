package linalg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// withSmallestEigenvalue returns a random symmetric n x n matrix, H diag H with a Householder
// reflection H. Its mean diagonal and all eigenvalues are about scale, except the smallest
// eigenvalue, which is smallest.
func withSmallestEigenvalue(rng *rand.Rand, n int, scale, smallest float64) []float64 {
	v := randomMatrix(rng, n, 1)
	var norm float64
	for _, x := range v {
		norm += x * x
	}
	a := make([]float64, n*n)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			a[i*n+j] = (smallest - scale) * v[i] * v[j] / norm
		}
		a[i*n+i] += scale
	}
	return a
}

func TestLadderRescues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	cases := []struct {
		name     string
		smallest float64 // relative to the scale
		rescues  int
	}{
		{"definite", 1e-3, 0},
		{"indefinite by rounding", -1e-8, 1},
		{"indefinite by 3e-6", -3e-6, 2},
		{"indefinite by 3e-5", -3e-5, 3},
		{"indefinite by 3e-4", -3e-4, 4},
		{"indefinite by 3e-3", -3e-3, 5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{4, 16, 17, 70} {
				for _, scale := range []float64{1e-9, 1, 1e9} {
					a := withSmallestEigenvalue(rng, n, scale, c.smallest*scale)
					l := make([]float64, n*n)
					rescues, err := Cholesky(l, a, n, "K")
					if err != nil || rescues != c.rescues {
						t.Fatalf("n=%d, scale %g: %d rescues, error %v; want %d rescues",
							n, scale, rescues, err, c.rescues)
					}
					checkRescued(t, l, a, n, c.rescues)
				}
			}
		})
	}
}

// checkRescued checks that l l^T is a with the jitter of the last rung added to its diagonal.
func checkRescued(t *testing.T, l, a []float64, n, rescues int) {
	t.Helper()
	var mean float64
	for i := 0; i < n; i++ {
		mean += a[i*n+i] / float64(n)
	}
	var jitter float64
	if rescues > 0 {
		jitter = 1e-6 * math.Pow(10, float64(rescues-1))
	}
	product := make([]float64, n*n)
	Gemm(false, true, n, n, n, 1, l, l, 0, product)
	for i := 0; i < n; i++ {
		product[i*n+i] -= jitter * mean
	}
	if d := maxDiff(product, a); d > 1e-12*mean {
		t.Fatalf("n=%d: the factor belongs to a matrix that differs by %g from the jittered one", n, d)
	}
}

func TestLadderEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{3, 30} {
		a := withSmallestEigenvalue(rng, n, 1, -0.5)
		rescues, err := Cholesky(make([]float64, n*n), a, n, "K_MM of layer 2")
		var failure *NotPositiveDefiniteError
		if !errors.As(err, &failure) {
			t.Fatalf("n=%d: got error %v, want a *NotPositiveDefiniteError", n, err)
		}
		if failure.Matrix != "K_MM of layer 2" || failure.Step != -1 || math.Abs(failure.Jitter-1e-2) > 1e-9 {
			t.Errorf("n=%d: got %+v, want the matrix and jitter 1e-2", n, *failure)
		}
		if rescues != 5 {
			t.Errorf("n=%d: %d rungs were climbed, want all 5", n, rescues)
		}
	}
}

// For a matrix with a zero diagonal, the ladder is empty because jitter is relative to the
// diagonal.
func TestLadderOfZeros(t *testing.T) {
	rescues, err := Cholesky(make([]float64, 4), make([]float64, 4), 2, "K")
	var failure *NotPositiveDefiniteError
	if !errors.As(err, &failure) || rescues != 0 {
		t.Fatalf("got %d rescues and error %v, want a *NotPositiveDefiniteError at once", rescues, err)
	}
}

func TestErrorMessages(t *testing.T) {
	cases := []struct {
		err  error
		want []string
	}{
		{&NotPositiveDefiniteError{Matrix: "K_MM of layer 2", Step: -1, Jitter: 1e-2},
			[]string{"K_MM of layer 2", "1e-02"}},
		{&NotPositiveDefiniteError{Matrix: "K", Step: 17, Jitter: 1e-2}, []string{"step 17: K"}},
		{&NaNError{Matrix: "S of layer 1", Step: -1}, []string{"S of layer 1", "NaN"}},
		{&NaNError{Matrix: "S", Step: 0}, []string{"step 0: S"}},
	}
	for _, c := range cases {
		message := c.err.Error()
		for _, want := range c.want {
			if !strings.Contains(message, want) {
				t.Errorf("message %q lacks %q", message, want)
			}
		}
		if strings.Contains(message, "step -1") || strings.Contains(message, "\n") {
			t.Errorf("bad message %q", message)
		}
	}
}
