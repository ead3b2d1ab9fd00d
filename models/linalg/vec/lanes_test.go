package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// forAllLanes runs a test with every set of routines that has lanes.
func forAllLanes(t *testing.T, run func(t *testing.T)) {
	t.Helper()
	forAll(t, func(t *testing.T) {
		if Lanes() == 0 {
			t.Skip("no lanes")
		}
		run(t)
	})
}

// laned holds small matrices, one per lane, and their interleaved form.
type laned struct {
	size      int
	each, all []float64
}

// newLaned returns random matrices with the given number of elements.
func newLaned(rng *rand.Rand, size int) laned {
	x := laned{size, normals(rng, size*Lanes()), make([]float64, Interleaved(size))}
	Interleave(x.all, x.each, size)
	return x
}

func (x laned) of(lane int) []float64 { return x.each[lane*x.size : (lane+1)*x.size] }

// result returns the matrices that are currently interleaved.
func (x laned) result() laned {
	x.each = make([]float64, x.size*Lanes())
	Deinterleave(x.each, x.all, x.size)
	return x
}

func TestInterleave(t *testing.T) {
	forAllLanes(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 1))
		for n := range 40 {
			x := newLaned(rng, n)
			for lane := range Lanes() {
				for i, v := range x.of(lane) {
					if got := x.all[i*Lanes()+lane]; got != v {
						t.Fatalf("value %d of sequence %d of %d is %v, want %v", i, lane, n, got, v)
					}
				}
			}
			if !slices.Equal(x.result().each, x.each) {
				t.Fatalf("%d values do not come back", n)
			}
		}
	})
}

// plainMul returns a b for a, m x k, and b, k x n, and the product of absolute values.
func plainMul(a, b []float64, m, n, k int) (c, size []float64) {
	c = make([]float64, m*n)
	size = make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				x := a[i*k+l] * b[l*n+j]
				c[i*n+j] += x
				size[i*n+j] += math.Abs(x)
			}
		}
	}
	return c, size
}

func transposed(a []float64, rows, cols int) []float64 {
	b := make([]float64, len(a))
	for i := range rows {
		for j := range cols {
			b[j*rows+i] = a[i*cols+j]
		}
	}
	return b
}

// same fails unless got equals want to 1e-14 relative to size, where NaN equals NaN.
func same(t *testing.T, what string, got, want, size []float64) {
	t.Helper()
	for i, w := range want {
		if math.IsNaN(w) != math.IsNaN(got[i]) || math.Abs(got[i]-w) > 1e-14*size[i] {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], w)
		}
	}
}

func TestLanesMul(t *testing.T) {
	forAllLanes(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(12, 1))
		for trial := range 150 {
			m := trial % 33
			n := rng.IntN(33)
			k := rng.IntN(33)
			a := newLaned(rng, m*k)
			b := newLaned(rng, k*n)
			c := newLaned(rng, m*n)
			bad := rng.IntN(Lanes())
			if trial%3 == 0 && k*n > 0 {
				at := rng.IntN(k * n)
				b.each[bad*k*n+at] = math.NaN()
				b.all[at*Lanes()+bad] = math.NaN()
			}
			LanesMul(c.all, a.all, b.all, m, n, k)
			got := c.result()
			for lane := range Lanes() {
				want, size := plainMul(a.of(lane), b.of(lane), m, n, k)
				same(t, fmt.Sprintf("%dx%dx%d, lane %d", m, n, k, lane), got.of(lane), want, size)
			}
		}
	})
}

// triangular makes the matrices of x, n x n, well-conditioned lower triangles, with NaN in entries
// that must not be read.
func (x laned) triangular(n int) {
	for lane := range Lanes() {
		l := x.of(lane)
		for i := range n {
			for j := range i {
				l[i*n+j] /= float64(n)
			}
			l[i*n+i] = 1 + math.Abs(l[i*n+i])
			for j := i + 1; j < n; j++ {
				l[i*n+j] = math.NaN()
			}
		}
	}
	Interleave(x.all, x.each, n*n)
}

// lowerOf returns l with zeros above the diagonal.
func lowerOf(l []float64, n int) []float64 {
	l = slices.Clone(l)
	for i := range n {
		clear(l[i*n+i+1 : (i+1)*n])
	}
	return l
}

// The product of the triangle and the solution must equal the right-hand side, even in lanes next
// to a lane with a NaN.
func TestLanesSolve(t *testing.T) {
	forAllLanes(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 1))
		for trial := range 132 {
			n, m, trans := 1+trial/2%32, 1+rng.IntN(32), trial%2 == 1
			l := newLaned(rng, n*n)
			b := newLaned(rng, n*m)
			l.triangular(n)
			poisoned := trial%3 == 0
			if poisoned {
				at := rng.IntN(n * m)
				b.each[at] = math.NaN()
				b.all[at*Lanes()] = math.NaN()
			}
			x := laned{size: b.size, all: slices.Clone(b.all)}
			LanesSolve(trans, l.all, make([]float64, n*Lanes()), x.all, n, m)
			x = x.result()
			for lane := range Lanes() {
				factor := lowerOf(l.of(lane), n)
				if trans {
					factor = transposed(factor, n, n)
				}
				want := b.of(lane)
				back, size := plainMul(factor, x.of(lane), n, m, n)
				for i, v := range want {
					size[i] += math.Abs(v)
				}
				if lane == 0 && poisoned {
					if !slices.ContainsFunc(back, math.IsNaN) {
						t.Fatalf("n=%d, m=%d: a NaN got lost", n, m)
					}
					continue
				}
				same(t, fmt.Sprintf("n=%d, m=%d, transposed %t, lane %d", n, m, trans, lane),
					back, want, size)
			}
		}
	})
}

// The factor times its transpose must equal the matrix in all lanes except one with a negative
// pivot. All instruction sets must give the same bits.
func TestLanesCholesky(t *testing.T) {
	first := map[int][]float64{}
	forAllLanes(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(14, 1))
		for n := 1; n <= 32; n++ {
			root := laned{n * n, normals(rng, n*n*8), make([]float64, Interleaved(n*n))}
			root.each = root.each[:n*n*Lanes()]
			root.triangular(n)
			a := newLaned(rand.New(rand.NewPCG(1, 1)), n*n)
			inv := make([]float64, n*Lanes())
			for lane := range Lanes() {
				l := lowerOf(root.of(lane), n)
				product, _ := plainMul(l, transposed(l, n, n), n, n, n)
				for i := range n {
					copy(a.of(lane)[i*n:i*n+i+1], product[i*n:])
					for j := i + 1; j < n; j++ {
						a.of(lane)[i*n+j] = math.NaN()
					}
				}
			}
			a.of(1)[n*n-1] -= 1e3
			Interleave(a.all, a.each, n*n)
			LanesCholesky(a.all, inv, n)
			got := a.result()
			if last := got.of(1)[n*n-1]; last > 0 {
				t.Errorf("n=%d: the last pivot of an indefinite matrix is %v", n, last)
			}
			for lane := range Lanes() {
				for i := range n {
					if want := 1 / got.of(lane)[i*n+i]; lane != 1 && inv[i*Lanes()+lane] != want {
						t.Errorf("n=%d: reciprocal %v, want %v", n, inv[i*Lanes()+lane], want)
					}
				}
				if lane == 1 {
					continue
				}
				l := lowerOf(got.of(lane), n)
				back, size := plainMul(l, transposed(l, n, n), n, n, n)
				for i := range n {
					row := i*n + i + 1
					same(t, fmt.Sprintf("n=%d, lane %d, row %d", n, lane, i), back[i*n:row],
						a.of(lane)[i*n:row], size[i*n:row])
				}
			}
			l := lowerOf(got.of(0), n)
			if first[n] == nil {
				first[n] = l
			} else if !slices.Equal(first[n], l) {
				t.Errorf("n=%d: the factor differs from that of the other instruction set", n)
			}
		}
	})
}

func TestLanesPanic(t *testing.T) {
	forAllLanes(t, func(t *testing.T) {
		x := make([]float64, 64*Lanes())
		short := make([]float64, 15*Lanes())
		for name, call := range map[string]func(){
			"Interleave":    func() { Interleave(x, short, 16) },
			"Deinterleave":  func() { Deinterleave(short, x, 16) },
			"LanesMul":      func() { LanesMul(x[:20], short[:20], x, 4, 4, 4) },
			"LanesCholesky": func() { LanesCholesky(short[:15*Lanes():15*Lanes()], x, 4) },
			"LanesSolve":    func() { LanesSolve(true, x, x, short[:15*Lanes():15*Lanes()], 4, 4) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				call()
			})
		}
	})
}
