package fastblas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// stripsCase is a matrix with some rows and points, and its packed copy.
type stripsCase struct {
	t      *testing.T
	rng    *rand.Rand
	matrix operand
	packed Strips
}

// forAllStrips runs a test for matrices of many shapes with all kernels.
func forAllStrips(t *testing.T, run func(c *stripsCase)) {
	forAllKernels(t, func(t *testing.T) {
		for _, rows := range []int{1, 5, 12, 17, 40, 400} {
			for _, cols := range []int{1, 7, 16, 33, 256} {
				if rows > 40 && cols != 33 || cols > 33 && testing.Short() {
					continue
				}
				t.Run(fmt.Sprintf("%dx%d", rows, cols), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(1, uint64(rows*cols)))
					c := &stripsCase{t: t, rng: rng}
					c.matrix, c.packed = c.random(rows, cols)
					run(c)
				})
			}
		}
	})
}

// random returns a random matrix and its packed copy, in memory that held another matrix.
func (c *stripsCase) random(rows, cols int) (operand, Strips) {
	m := newOperand(c.rng, rows, cols)
	var s Strips
	s.Resize(rows+3, cols+20)
	for i := range s.data {
		s.data[i] = math.NaN()
	}
	s.Resize(rows, cols)
	s.Pack(m.data, m.stride)
	return m, s
}

// requireRows compares a result, rows×cols with the given stride, with the expected elements. Elements that
// are expected to be NaN are undefined.
func (c *stripsCase) requireRows(
	what string, got []float64, rows, cols, stride int, want func(i, j int) float64,
) {
	c.t.Helper()
	for i := range rows {
		for j := range cols {
			w := want(i, j)
			if math.IsNaN(w) {
				continue
			}
			if g := got[i*stride+j]; !(math.Abs(g-w) <= 1e-11*(1+math.Abs(w))) {
				c.t.Fatalf("%s: element (%d, %d) is %v, want %v", what, i, j, g, w)
			}
		}
	}
}

// require compares the columns of strips with the expected elements.
func (c *stripsCase) require(what string, s *Strips, want func(i, j int) float64) {
	c.t.Helper()
	got := make([]float64, s.Rows*s.Cols)
	s.Unpack(got, s.Cols)
	c.requireRows(what, got, s.Rows, s.Cols, s.Cols, want)
}

func (c *stripsCase) at(i, j int) float64 { return c.matrix.element(blas.NoTrans, i, j) }

func TestStripsKeepTheirColumns(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		got := newOperand(c.rng, c.packed.Rows, c.packed.Cols)
		want := got.clone()
		for i := range want.rows {
			copy(want.data[i*want.stride:], c.matrix.data[i*c.matrix.stride:i*c.matrix.stride+want.cols])
		}
		var transposed Strips
		transposed.Resize(c.packed.Cols, c.packed.Rows)
		transposed.PackTransposed(c.matrix.data, c.matrix.stride)
		c.require("transposed", &transposed, func(i, j int) float64 { return c.at(j, i) })
		c.packed.Unpack(got.data, got.stride)
		compare(t, "unpacked", got, want, want.mapped(func(float64) float64 { return 0 }))
	})
}

func TestStripsElementwise(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		rows, cols := c.packed.Rows, c.packed.Cols
		const count = 3
		stacked, packed := c.random(count*rows, cols)
		dots := make([]float64, cols)
		c.packed.Dots(dots, &packed, rows)
		c.requireRows("dots", dots, 1, cols, cols, func(_, n int) (sum float64) {
			for i := range rows {
				sum += c.at(i, n) * stacked.element(blas.NoTrans, rows+i, n)
			}
			return sum
		})

		w := newOperand(c.rng, count, cols)
		scaled := func(i, n int) (sum float64) {
			for k := range count {
				sum += w.element(blas.NoTrans, k, n) * stacked.element(blas.NoTrans, k*rows+i, n)
			}
			return sum
		}
		var s Strips
		s.Resize(rows, cols)
		s.Pack(c.matrix.data, c.matrix.stride)
		s.AddScaled(&packed, count, w.data, w.stride)
		c.require("scaled", &s, func(i, n int) float64 { return c.at(i, n) + scaled(i, n) })
		s.Add(&c.packed)
		c.require("sum", &s, func(i, n int) float64 { return 2*c.at(i, n) + scaled(i, n) })

		list := NewStrips(count, rows, cols)
		for k := range list {
			list[k].Pack(stacked.data[k*rows*stacked.stride:], stacked.stride)
		}
		s.SetScaledSum(list, w.data, w.stride)
		c.require("scaled sum", &s, scaled)
	})
}

func TestMultiplier(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		inner, cols := c.packed.Rows, c.packed.Cols
		for _, rows := range []int{1, 5, 300} {
			for _, tr := range []blas.Transpose{blas.NoTrans, blas.Trans} {
				r, k := stored(tr, rows, inner)
				a := newOperand(c.rng, r, k)
				product := func(i, n int) (sum float64) {
					for p := range inner {
						sum += a.element(tr, i, p) * c.at(p, n)
					}
					return sum
				}
				var m Multiplier
				m.Set(a.data, a.stride, tr != blas.NoTrans, rows, inner)
				var s Strips
				m.Multiply(&s, &c.packed)
				c.require("product", &s, product)
				m.AddProduct(&s, &c.packed)
				c.require("sum", &s, func(i, n int) float64 { return 2 * product(i, n) })

				dst := newOperand(c.rng, rows, cols)
				m.MultiplyRows(dst.data, dst.stride, &c.packed)
				c.requireRows("rows", dst.data, rows, cols, dst.stride, product)
			}
		}
	})
}

// TestSolver multiplies solutions by the triangle.
func TestSolver(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		n := c.packed.Rows
		for _, tr := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			l := newTriangle(c.rng, blas.Left, blas.Lower, tr, blas.NonUnit, n, 1, 1)
			var v Solver
			v.Set(l.a.data, l.a.stride, tr != blas.NoTrans, n)
			s := c.packed
			s.data = append(aligned(nil), s.data...)
			v.Solve(&s, &s)
			var other Strips
			v.Solve(&other, &c.packed)
			x := make([]float64, n*s.Cols)
			s.Unpack(x, s.Cols)
			c.require("solution elsewhere", &other, func(i, j int) float64 { return x[i*s.Cols+j] })
			product := func(i, j int) (sum float64) {
				for p := range n {
					if e, in := l.element(i, p); in {
						sum += e * x[p*s.Cols+j]
					}
				}
				return sum
			}
			c.requireRows("product with the solution", c.matrix.data, n, s.Cols, c.matrix.stride, product)
		}
	})
}

func TestSumsOverColumns(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		n, cols := c.packed.Rows, c.packed.Cols
		const count = 2
		other, packed := c.random(n, cols)
		w := newOperand(c.rng, count, cols)
		var a Transposed
		a.Set(&c.packed)
		sum := func(term func(p int) float64) (sum float64) {
			for p := range cols {
				sum += term(p)
			}
			return sum
		}
		upper := func(what string, got []float64, lower bool, want func(i, j int) float64) {
			c.requireRows(what, got, n, n, n, func(i, j int) float64 {
				if i != j && (i > j) != lower {
					return math.NaN() // undefined
				}
				return want(i, j)
			})
		}

		squares := make([]float64, count*n*n)
		for i := range squares {
			squares[i] = math.NaN() // must not be read
		}
		beta := 0.0
		for _, times := range []float64{1, 2} {
			a.WeightedSquares(count, w.data, w.stride, beta, squares)
			for k := range count {
				upper("weighted square", squares[k*n*n:][:n*n], false, func(i, j int) float64 {
					return times * sum(func(p int) float64 {
						return c.at(i, p) * c.at(j, p) * w.element(blas.NoTrans, k, p)
					})
				})
			}
			beta = 1
		}

		product := make([]float64, n*n)
		a.LowerProduct(&packed, 0, product)
		upper("lower product", product, true, func(i, j int) float64 {
			return sum(func(p int) float64 { return other.element(blas.NoTrans, i, p) * c.at(j, p) })
		})

		for _, rows := range []int{1, 14, 270} {
			left, packed := c.random(rows, cols)
			got := make([]float64, rows*n)
			a.Product(&packed, 0, got)
			a.Product(&packed, 1, got)
			c.requireRows("product", got, rows, n, n, func(i, j int) float64 {
				return 2 * sum(func(p int) float64 { return left.element(blas.NoTrans, i, p) * c.at(j, p) })
			})
		}
	})
}

// TestTriangularStrips checks products with triangles, whose zeros are left out.
func TestTriangularStrips(t *testing.T) {
	forAllStrips(t, func(c *stripsCase) {
		const rows = 14
		n := c.packed.Rows
		l, lower := c.random(n, n)
		for i := range n {
			for j := i + 1; j < n; j++ {
				l.data[i*l.stride+j] = 0
			}
		}
		lower.Pack(l.data, l.stride)
		var upper Strips
		upper.Resize(n, n)
		upper.PackTransposed(l.data, l.stride)
		at := func(i, j int) float64 { return l.element(blas.NoTrans, i, j) }
		c.require("triangle", &lower, at)
		c.require("transposed triangle", &upper, func(i, j int) float64 { return at(j, i) })

		left, _ := c.random(rows, n)
		var m Multiplier
		m.Set(left.data, left.stride, false, rows, n)
		got := make([]float64, rows*n)
		m.RowsProduct(2, &lower, LowerStrips, 0, got, n)
		m.RowsProduct(1, &upper, UpperStrips, 1, got, n)
		c.requireRows("products", got, rows, n, n, func(i, j int) (sum float64) {
			for p := range n {
				sum += left.element(blas.NoTrans, i, p) * (2*at(p, j) + at(j, p))
			}
			return sum
		})
	})
}
