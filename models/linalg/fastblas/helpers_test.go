package fastblas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"dgplab/models/linalg/vec"
)

// eps is the distance from 1 to the next float64.
const eps = 0x1p-52

// forAllKernels runs a test with every set of kernels that this machine supports, and without
// kernels. It restores the active set afterwards.
func forAllKernels(t *testing.T, run func(t *testing.T)) {
	t.Helper()
	kept := active
	defer func() { active = kept }()
	for _, set := range vec.SupportedSets() {
		active = kernelsOf(set)
		t.Run(Kernels(), run)
	}
}

// trials returns the number of random trials of a test, a sixth with -short.
func trials(n int) int {
	if testing.Short() {
		return n / 6
	}
	return n
}

// operand is a matrix in a slice with a stride, surrounded by guards that must not be changed.
type operand struct {
	data       []float64
	rows, cols int
	stride     int
}

// guard fills the elements that do not belong to a matrix.
const guard = -7.25e77

func newOperand(rng *rand.Rand, rows, cols int) operand {
	stride := max(cols, 1) + rng.IntN(4)*rng.IntN(6)
	size := 0
	if rows > 0 && cols > 0 {
		size = (rows-1)*stride + cols
	}
	o := operand{make([]float64, size), rows, cols, stride}
	for i := range o.data {
		o.data[i] = guard
	}
	for i := range rows {
		for j := range cols {
			o.data[i*stride+j] = rng.NormFloat64()
		}
	}
	return o
}

func (o operand) clone() operand {
	o.data = append([]float64(nil), o.data...)
	return o
}

// mapped returns o with f applied to all elements.
func (o operand) mapped(f func(float64) float64) operand {
	o = o.clone()
	for i := range o.rows {
		for j := range o.cols {
			o.data[i*o.stride+j] = f(o.data[i*o.stride+j])
		}
	}
	return o
}

// poison sets count random elements to NaN or an infinity.
func (o operand) poison(rng *rand.Rand, count int) {
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	if o.rows == 0 || o.cols == 0 {
		return
	}
	for range count {
		o.data[rng.IntN(o.rows)*o.stride+rng.IntN(o.cols)] = bad[rng.IntN(3)]
	}
}

// compare fails unless got equals want to within bound, element by element. NaN, infinities and
// guards must be in the same places.
func compare(t *testing.T, what string, got, want, bound operand) {
	t.Helper()
	for i, w := range want.data {
		g := got.data[i]
		switch {
		case i%want.stride >= want.cols, math.IsInf(w, 0):
			if g != w {
				t.Fatalf("%s: element %d is %v, want %v", what, i, g, w)
			}
		case math.IsNaN(w):
			if !math.IsNaN(g) {
				t.Fatalf("%s: element %d is %v, want NaN", what, i, g)
			}
		case math.Abs(g-w) > bound.data[i] || math.IsNaN(g):
			t.Fatalf("%s: element %d is %v, want %v within %v", what, i, g, w, bound.data[i])
		}
	}
}

// dimension draws a size from 0 to 300. It prefers small sizes and sizes near the sizes of tiles.
func dimension(rng *rand.Rand) int {
	switch rng.IntN(4) {
	case 0:
		return rng.IntN(301)
	case 1:
		return 12*rng.IntN(12) + rng.IntN(3)
	case 2:
		return 16*rng.IntN(9) + rng.IntN(3)
	}
	return rng.IntN(40)
}

// factors are the values for alpha and beta.
var factors = []float64{0, 1, -1, 0.75, -2.5, math.Copysign(0, -1)}

func factor(rng *rand.Rand) float64 { return factors[rng.IntN(len(factors))] }

var transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}

// element returns element (i, j) of op(o).
func (o operand) element(tr blas.Transpose, i, j int) float64 {
	if tr != blas.NoTrans {
		i, j = j, i
	}
	return o.data[i*o.stride+j]
}

// stored returns the shape of X for op(X) of the given shape.
func stored(tr blas.Transpose, rows, cols int) (int, int) {
	if tr != blas.NoTrans {
		return cols, rows
	}
	return rows, cols
}

func label(name string, args ...any) string { return name + " " + fmt.Sprint(args...) }
