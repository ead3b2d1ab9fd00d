package linalg

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// few returns n random points in d dimensions; the last one repeats the first.
func few(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	x.SetRow(n-1, x.RawRowView(0))
	return x
}

// singular returns the right singular vectors of x as columns.
func singular(t *testing.T, x *mat.Dense) *mat.Dense {
	t.Helper()
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDFullV) {
		t.Fatal("no singular values")
	}
	v := new(mat.Dense)
	svd.VTo(v)
	return v
}

// For fewer and for more points than dimensions, the directions must be the right singular vectors
// up to the rank, and orthonormal beyond it.
func TestDirectionsAreSingularVectors(t *testing.T) {
	for _, c := range []struct{ n, d, t, rank int }{{6, 9, 8, 5}, {8, 9, 9, 7}, {9, 9, 9, 8},
		{10, 9, 5, 9}, {2, 30, 12, 1}} {
		x := few(c.n, c.d)
		got, err := Directions(x, c.t)
		if err != nil {
			t.Fatal(err)
		}
		want := singular(t, x)
		for k := range min(c.t, c.rank) {
			if dot := mat.Dot(got.RowView(k), want.ColView(k)); math.Abs(math.Abs(dot)-1) > 1e-12 {
				t.Errorf("%+v: direction %d is off: its product with the singular vector is %v", c, k, dot)
			}
		}
		var products mat.Dense
		products.Mul(got, got.T())
		for i := range c.t {
			for j := range c.t {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(products.At(i, j)-want) > 1e-12 {
					t.Errorf("%+v: the product of directions %d and %d is %v", c, i, j, products.At(i, j))
				}
			}
			row := got.RawRowView(i)
			if mat.Max(got.RowView(i)) < -mat.Min(got.RowView(i)) {
				t.Errorf("%+v: the largest entry of direction %d is negative: %v", c, i, row)
			}
		}
	}
	if w, err := Directions(mat.NewDense(2, 5, nil), 3); err != nil || w.At(0, 0) != 1 || w.At(2, 2) != 1 {
		t.Errorf("of zeros: %v, %v", w, err)
	}
	for _, n := range []int{2, 9} {
		x := few(n, 5)
		x.Set(1, 1, math.NaN())
		if _, err := Directions(x, 2); !errors.Is(err, ErrNotFinite) {
			t.Errorf("of %d points with a NaN: %v", n, err)
		}
	}
}

// The axes of few points must equal the axes of the same points repeated many times, up to the
// scale of the variances.
func TestAxesOfFewPoints(t *testing.T) {
	const n, d, times = 4, 7, 3
	x := few(n, d)
	many := mat.NewDense(n*times, d, nil)
	for i := range n * times {
		many.SetRow(i, x.RawRowView(i%n))
	}
	got, err := NewPrincipalAxes(x)
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewPrincipalAxes(many)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Variances) != n || len(got.Directions) != n {
		t.Fatalf("%d variances, %d directions", len(got.Variances), len(got.Directions))
	}
	for k := range got.Variances {
		scaled := want.Variances[k] * (n*times - 1) / times / (n - 1)
		if math.Abs(got.Variances[k]-scaled) > 1e-12 {
			t.Errorf("variance %d is %v, want %v", k, got.Variances[k], scaled)
		}
		if k < n-2 { // the last point repeats the first, and centring removes one dimension
			for j, v := range got.Directions[k] {
				if math.Abs(v-want.Directions[k][j]) > 1e-12 {
					t.Errorf("direction %d: %v, want %v", k, got.Directions[k], want.Directions[k])
					break
				}
			}
		}
	}
	one, err := NewPrincipalAxes(few(1, 5))
	if err != nil || len(one.Directions) != 2 || one.Variances[0] != 0 {
		t.Errorf("of one point: %+v, %v", one, err)
	}
}

// For few points in many dimensions, the functions must not allocate a D x D matrix.
func TestFewPointsNeedLittleMemory(t *testing.T) {
	const n, d = 3, 20000
	x := few(n, d)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Directions(x, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := NewPrincipalAxes(x); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*d*40 {
		t.Errorf("%d bytes were allocated", got)
	}
}
