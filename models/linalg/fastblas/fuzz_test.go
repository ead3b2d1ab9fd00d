package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"

	"dgplab/models/linalg/vec"
)

// largest is the largest dimension of the fuzz targets.
const largest = 300

// options encodes choices as the digits of a number.
type options uint32

// choose decodes the next choice from a list.
func choose[T any](o *options, list []T) T {
	n := options(len(list))
	digit := *o % n
	*o /= n
	return list[digit]
}

// eachKernel runs check with every set of kernels that this machine supports.
func eachKernel(t *testing.T, check func(t *testing.T)) {
	t.Helper()
	kept := active
	defer func() { active = kept }()
	for _, set := range vec.SupportedSets() {
		active = kernelsOf(set)
		if active != nil {
			check(t)
		}
	}
}

// magnitude returns the absolute values of o, and infinity for NaN.
func (o operand) magnitude() operand {
	return o.mapped(func(x float64) float64 {
		if math.IsNaN(x) {
			return math.Inf(1)
		}
		return math.Abs(x)
	})
}

// roundings bounds the difference between two results that are sums of the given number of terms,
// given the sums of their absolute values.
func roundings(terms int, size operand) operand {
	return size.mapped(func(x float64) float64 { return 2 * float64(terms+4) * eps * x })
}

// poisons are the numbers of elements that are set to NaN or an infinity.
var poisons = []int{0, 0, 1, 3}

// FuzzDgemm compares Dgemm with gonum for all shapes up to 300, transpositions, strides and
// factors, with NaN and infinities anywhere. The digits of choices are the transpositions, alpha,
// beta, and the poisons of A, B and C.
func FuzzDgemm(f *testing.F) {
	shapes := [][3]uint16{{5, 9, 3}, {0, 4, 4}, {17, 1, 40}, {12, 33, 0},
		{64, 48, 31}, {7, 0, 2}, {100, 13, 70}}
	for i := range uint32(108) {
		s := shapes[i%7]
		f.Add(uint64(i), s[0], s[1], s[2], i*7919)
	}
	f.Add(uint64(1), uint16(300), uint16(299), uint16(257), uint32(9))
	f.Fuzz(func(t *testing.T, seed uint64, m, n, k uint16, choices uint32) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := options(choices)
		tA := choose(&o, transposes)
		tB := choose(&o, transposes)
		alpha := choose(&o, factors)
		beta := choose(&o, factors)
		g := newGemm(rng, tA, tB, int(m%(largest+1)), int(n%(largest+1)), int(k%(largest+1)), alpha, beta)
		g.c.poison(rng, choose(&o, poisons))
		if alpha != 0 { // gonum multiplies even if alpha is zero
			g.a.poison(rng, choose(&o, poisons))
			g.b.poison(rng, choose(&o, poisons))
		}
		want := g.c.clone()
		size := g.c.magnitude()
		reference.Dgemm(tA, tB, g.m, g.n, g.k, alpha, g.a.data, g.a.stride, g.b.data, g.b.stride,
			beta, want.data, want.stride)
		x := g.a.magnitude()
		y := g.b.magnitude()
		reference.Dgemm(tA, tB, g.m, g.n, g.k, math.Abs(alpha), x.data, x.stride, y.data, y.stride,
			math.Abs(beta), size.data, size.stride)
		eachKernel(t, func(t *testing.T) {
			compare(t, Kernels()+" "+g.String(), g.run(), want, roundings(g.k, size))
		})
	})
}

// triangleCall is one call of a routine with a triangle. It writes c; b is nil if the routine has
// no third operand.
type triangleCall struct {
	what string
	a, c operand
	// run makes the call on c with the given factors; terms is the length of its sums.
	run         func(impl blas.Float64, a, b, c operand, alpha, beta float64)
	b           operand
	alpha, beta float64
	terms       int
	solves      bool
}

// newTriangleCall decodes the routine, side, triangle, transposition, diagonal, alpha, beta and the
// poisons of A, B and the result from o.
func newTriangleCall(rng *rand.Rand, o *options, m, n int) triangleCall {
	routine := choose(o, []string{"Dtrmm", "Dtrsm", "Dsyrk", "Dsymm"})
	c := newTriangle(rng, choose(o, sides), choose(o, triangles), choose(o, transposes),
		choose(o, diagonals), m, n, choose(o, factors))
	call := triangleCall{
		what:  routine + " " + c.String(),
		a:     c.a,
		b:     c.b,
		c:     c.b,
		alpha: c.alpha,
		beta:  choose(o, factors),
		terms: c.order(),
	}
	switch routine {
	case "Dtrmm":
		call.run = func(impl blas.Float64, a, _, x operand, alpha, _ float64) {
			impl.Dtrmm(c.side, c.ul, c.tA, c.diag, m, n, alpha, a.data, a.stride, x.data, x.stride)
		}
	case "Dtrsm":
		call.solves = true
		call.run = func(impl blas.Float64, a, _, x operand, alpha, _ float64) {
			impl.Dtrsm(c.side, c.ul, c.tA, c.diag, m, n, alpha, a.data, a.stride, x.data, x.stride)
		}
	case "Dsyrk":
		rows, cols := stored(c.tA, m, n)
		call.a = newOperand(rng, rows, cols)
		call.c = newOperand(rng, m, m)
		call.terms = n
		if n == 0 { // gonum requires space for a whole matrix
			call.a.data = make([]float64, m*call.a.stride)
		}
		call.run = func(impl blas.Float64, a, _, x operand, alpha, beta float64) {
			impl.Dsyrk(c.ul, c.tA, m, n, alpha, a.data, a.stride, beta, x.data, x.stride)
		}
	case "Dsymm":
		call.a = newTriangle(rng, c.side, c.ul, blas.NoTrans, blas.NonUnit, m, n, 1).a
		call.c = newOperand(rng, m, n)
		call.run = func(impl blas.Float64, a, b, x operand, alpha, beta float64) {
			impl.Dsymm(c.side, c.ul, m, n, alpha, a.data, a.stride, b.data, b.stride, beta, x.data, x.stride)
		}
	}
	if call.alpha != 0 {
		call.a.poison(rng, choose(o, poisons))
		call.b.poison(rng, choose(o, poisons))
		if routine != "Dsyrk" || call.beta != 0 { // gonum's Dsyrk reads C even so
			call.c.poison(rng, choose(o, poisons))
		}
	}
	return call
}

// expected returns gonum's result and a bound on the difference from it.
func (c triangleCall) expected() (want, bound operand) {
	want = c.c.clone()
	c.run(reference, c.a, c.b, want, c.alpha, c.beta)
	if !c.solves {
		size := c.c.magnitude()
		c.run(reference, c.a.magnitude(), c.b.magnitude(), size, math.Abs(c.alpha), math.Abs(c.beta))
		return want, roundings(c.terms, size)
	}
	// The triangles are well-conditioned, so no error exceeds the rounding error of the largest
	// element by more than a small factor.
	var top float64
	for _, x := range want.data {
		if x != guard && !math.IsNaN(x) && !math.IsInf(x, 0) {
			top = max(top, math.Abs(x))
		}
	}
	return want, roundings(c.terms, want.mapped(func(float64) float64 { return 32 * top }))
}

// FuzzTriangles compares Dtrmm, Dtrsm, Dsyrk and Dsymm with gonum for all shapes up to 300, sides,
// triangles, transpositions, diagonals, strides and factors. Elements that must not be read are
// NaN; others may be NaN or infinite.
func FuzzTriangles(f *testing.F) {
	shapes := [][2]uint16{{5, 9}, {33, 20}, {0, 4}, {17, 1}, {64, 48}, {7, 0}, {26, 90}}
	for i := range uint32(192) { // routines, sides, triangles, transpositions, diagonals: 96
		s := shapes[i%7]
		f.Add(uint64(i), s[0], s[1], i%96+96*(i*7919))
	}
	f.Add(uint64(1), uint16(300), uint16(290), uint32(96))
	f.Add(uint64(2), uint16(270), uint16(300), uint32(97))
	f.Fuzz(func(t *testing.T, seed uint64, m, n uint16, choices uint32) {
		rng := rand.New(rand.NewPCG(seed, 2))
		o := options(choices)
		call := newTriangleCall(rng, &o, int(m%(largest+1)), int(n%(largest+1)))
		want, bound := call.expected()
		eachKernel(t, func(t *testing.T) {
			got := call.c.clone()
			call.run(Implementation{}, call.a, call.b, got, call.alpha, call.beta)
			compare(t, Kernels()+" "+call.what, got, want, bound)
		})
	})
}
