package linalg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomMatrix returns standard normal numbers, [rows][cols].
func randomMatrix(rng *rand.Rand, rows, cols int) []float64 {
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// randomCovariance returns x x^T + n I for a random square x, n x n.
func randomCovariance(rng *rand.Rand, n int) []float64 {
	x := randomMatrix(rng, n, n)
	a := make([]float64, n*n)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			for k := 0; k < n; k++ {
				a[i*n+j] += x[i*n+k] * x[j*n+k]
			}
		}
		a[i*n+i] += float64(n)
	}
	return a
}

func maxDiff(a, b []float64) float64 {
	var largest float64
	for i := range a {
		d := math.Abs(a[i] - b[i])
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		largest = math.Max(largest, d)
	}
	return largest
}

// testSizes include sizes on both sides of the limits of the plain loops and of gonum's block size,
// 64.
var testSizes = []int{1, 2, 3, 7, 8, 9, 16, 17, 32, 70}

func TestCholeskyAgreesWithGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range testSizes {
		a := randomCovariance(rng, n)
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(n, append([]float64(nil), a...))) {
			t.Fatalf("n=%d: gonum finds the matrix indefinite", n)
		}
		var want mat.TriDense
		chol.LTo(&want)
		for i := 0; i < n; i++ {
			for j := i + 1; j < n; j++ {
				a[i*n+j] = math.NaN() // must not be read
			}
		}
		l := randomMatrix(rng, n, n) // must be overwritten
		rescues, err := Cholesky(l, a, n, "K")
		if err != nil || rescues != 0 {
			t.Fatalf("n=%d: %d rescues, error %v", n, rescues, err)
		}
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				if d := math.Abs(l[i*n+j] - want.At(i, j)); !(d <= 1e-12*math.Sqrt(float64(n))) {
					t.Fatalf("n=%d: entry %d, %d is %g, want %g", n, i, j, l[i*n+j], want.At(i, j))
				}
			}
		}
		logDet := 2 * LogDiag(l, n)
		wantLogDet := chol.LogDet()
		if math.Abs(logDet-wantLogDet) > 1e-12*math.Max(1, math.Abs(wantLogDet)) {
			t.Errorf("n=%d: log-determinant %g, want %g", n, logDet, wantLogDet)
		}
	}
}

// choleskySlope returns the derivative of the objective sum_ij w_ij L_ij as a moves along the
// symmetric direction e, by a central difference.
func choleskySlope(t *testing.T, a, e, w []float64, n int) float64 {
	t.Helper()
	const h = 1e-5
	at := func(x float64) (sum float64) {
		moved := make([]float64, n*n)
		l := make([]float64, n*n)
		for i := range a {
			moved[i] = a[i] + x*e[i]
		}
		if _, err := Cholesky(l, moved, n, "K"); err != nil {
			t.Fatal(err)
		}
		for i := range l {
			sum += w[i] * l[i]
		}
		return sum
	}
	return (at(h) - at(-h)) / (2 * h)
}

func TestCholeskyBackward(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 2, 3, 6, 9, 17, 33} {
		a := randomCovariance(rng, n)
		l := make([]float64, n*n)
		if _, err := Cholesky(l, a, n, "K"); err != nil {
			t.Fatal(err)
		}
		w := randomMatrix(rng, n, n) // entries above the diagonal must not be read
		before := randomMatrix(rng, n, n)
		da := append([]float64(nil), before...)
		CholeskyBackward(da, l, w, randomMatrix(rng, n, n), n)
		for i := range da {
			da[i] -= before[i]
		}
		checkSymmetric(t, da, n)
		for i := 0; i < n; i++ {
			for j := 0; j <= i; j++ {
				e := make([]float64, n*n)
				e[i*n+j], e[j*n+i] = 1, 1
				want := choleskySlope(t, a, e, w, n)
				got := da[i*n+j]
				if i != j {
					got += da[j*n+i]
				}
				if math.Abs(got-want) > 1e-7*math.Max(1, math.Abs(want)) {
					t.Fatalf("n=%d: slope along %d, %d is %.9g, want %.9g", n, i, j, got, want)
				}
			}
		}
	}
}

func checkSymmetric(t *testing.T, a []float64, n int) {
	t.Helper()
	for i := 0; i < n; i++ {
		for j := 0; j < i; j++ {
			if math.Abs(a[i*n+j]-a[j*n+i]) > 1e-12 {
				t.Fatalf("n=%d: entries %d, %d and %d, %d differ: %g, %g", n, i, j, j, i, a[i*n+j], a[j*n+i])
			}
		}
	}
}

func TestCholeskyOfNonFiniteMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 4, 16, 17, 70} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, at := range [][2]int{{0, 0}, {n - 1, n - 1}, {n - 1, 0}, {n - 1, n / 2}, {n / 2, n / 2}} {
				t.Run(fmt.Sprintf("n=%d %g at %d", n, bad, at), func(t *testing.T) {
					a := randomCovariance(rng, n)
					a[at[0]*n+at[1]] = bad
					rescues, err := Cholesky(make([]float64, n*n), a, n, "K of layer 2")
					var nan *NaNError
					if !errors.As(err, &nan) || nan.Matrix != "K of layer 2" || nan.Step != -1 {
						t.Fatalf("got error %v, want a *NaNError that names the matrix", err)
					}
					if rescues != 0 {
						t.Errorf("%d rescues were tried", rescues)
					}
				})
			}
		}
	}
}

func TestCholeskyAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{5, 20} {
		a := randomCovariance(rng, n)
		l := make([]float64, n*n)
		da := make([]float64, n*n)
		scratch := make([]float64, n*n)
		allocations := testing.AllocsPerRun(10, func() {
			if _, err := Cholesky(l, a, n, "K"); err != nil {
				t.Fatal(err)
			}
			CholeskyBackward(da, l, a, scratch, n)
		})
		if allocations != 0 {
			t.Errorf("n=%d: %g allocations", n, allocations)
		}
	}
}

func TestTryCholesky(t *testing.T) {
	for _, n := range []int{2, 40} { // plain loops and LAPACK
		a := make([]float64, n*n)
		l := make([]float64, n*n)
		want := make([]float64, n*n)
		for i := range n {
			for j := range n {
				a[i*n+j] = 1 / float64(1+i+j)
			}
			a[i*n+i]++
		}
		if _, err := Cholesky(want, a, n, ""); err != nil {
			t.Fatal(err)
		}
		if !TryCholesky(l, a, n) || !slices.Equal(l, want) {
			t.Errorf("%d: no factor, or another one", n)
		}
		a[n*n-1] = -1e-9
		if TryCholesky(l, a, n) {
			t.Errorf("%d: a factor of what has none", n)
		}
	}
}
