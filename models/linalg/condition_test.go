package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// kernelMatrix returns the RBF covariances of n points on a line with jitter on the diagonal. The
// matrix becomes ill-conditioned as the distance decreases.
func kernelMatrix(n int, distance, jitter float64) *mat.SymDense {
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			d := distance * float64(i-j)
			k.SetSym(i, j, math.Exp(-d*d/2))
		}
		k.SetSym(i, i, 1+jitter)
	}
	return k
}

func TestConditionEqualsGonum(t *testing.T) {
	for _, c := range []struct {
		n                int
		distance, jitter float64
	}{{1, 1, 0}, {2, 0.1, 0}, {20, 1, 0}, {20, 0.3, 1e-6}, {64, 0.1, 1e-8}, {130, 0.05, 1e-6}} {
		k := kernelMatrix(c.n, c.distance, c.jitter)
		l := make([]float64, c.n*c.n)
		if _, err := Cholesky(l, mat.DenseCopyOf(k).RawMatrix().Data, c.n, "K"); err != nil {
			t.Fatal(err)
		}
		got := CholeskyCondition(l, c.n)
		want := mat.Cond(k, 1)
		// The estimate of gonum uses LU, and its rounding errors grow with the condition number.
		if tolerance := 1e-10 + 1e-14*want; !(math.Abs(got/want-1) < tolerance) {
			t.Errorf("%d points %g apart: condition %g, want %g", c.n, c.distance, got, want)
		}
	}
}

func TestConditionBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := 1 + r.IntN(40)
		l := make([]float64, n*n)
		// Larger elements would make some triangles so ill-conditioned, up to 1e15, that their computed
		// inverses would not be exact to the tolerance below.
		scale := 1 / math.Sqrt(float64(n))
		for i := range n {
			for j := range i {
				l[i*n+j] = scale * r.NormFloat64()
			}
			l[i*n+i] = 0.1 + r.Float64()
		}
		dense := mat.NewDense(n, n, l)
		var a, inverse mat.Dense
		a.Mul(dense, dense.T())
		if err := inverse.Inverse(dense); err != nil {
			if _, ok := err.(mat.Condition); !ok {
				t.Fatal(err)
			}
		}
		inverse.Mul(inverse.T(), &inverse)
		exact := mat.Norm(&a, 1) * mat.Norm(&inverse, 1)
		if got := CholeskyCondition(l, n); !(got <= exact*(1+1e-6) && got >= exact/3) {
			t.Errorf("size %d: condition %g, exactly %g", n, got, exact)
		}
		norm := Norm1(n, func(x []float64) {
			v := mat.NewVecDense(n, x)
			v.MulVec(&a, mat.VecDenseCopyOf(v))
		})
		if want := mat.Norm(&a, 1); !(norm <= want*(1+1e-12) && norm >= want/3) {
			t.Errorf("size %d: norm %g, exactly %g", n, norm, want)
		}
	}
}

func TestConditionOfSingularAndNonFinite(t *testing.T) {
	for what, l := range map[string][]float64{
		"a zero pivot": {1, 0, 1, 0},
		"NaN":          {1, 0, math.NaN(), 1},
		"overflow":     {1e200, 0, 0, 1e-200},
		"zero":         {0},
	} {
		if got := CholeskyCondition(l, int(math.Sqrt(float64(len(l))))); !math.IsInf(got, 1) {
			t.Errorf("%s: condition %g, want +Inf", what, got)
		}
	}
}
