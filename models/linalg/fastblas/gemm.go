package fastblas

import (
	"dgplab/models/linalg/vec"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
)

// product is C = alpha*A*B + beta*C, divided into parts: tiles of C and, if C is small and the sums
// are long, sections of the sums. It is a [task].
type product struct {
	serial      int64 // distinguishes products
	kn          *kernels
	m, n, k     int
	alpha, beta float64
	a, b        matrix
	c           []float64
	ldc         int
	region      region

	plan plan
	// partial holds the results of all sections except the first, which is written to C:
	// [sections-1][m][n].
	partial aligned
}

// region is the part of C to compute.
type region int8

const (
	everything region = iota
	lowerTriangle
	upperTriangle
)

var (
	products = vec.NewFreeList[product](64)
	serials  atomic.Int64
)

// Dgemm computes
//
//	C = alpha * op(A) * op(B) + beta * C
//
// where op(A) is m×k, op(B) is k×n and C is m×n, and op is the identity or the transposition,
// selected by tA and tB. If beta is zero, C is written without being read. It panics like gonum's
// Dgemm if an argument is invalid.
func (Implementation) Dgemm(
	tA, tB blas.Transpose,
	m, n, k int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
	beta float64,
	c []float64,
	ldc int,
) {
	if active == nil {
		reference.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	// With these factors, gonum's Dgemm only checks the arguments.
	reference.Dgemm(tA, tB, m, n, k, 0, a, lda, b, ldb, 1, c, ldc)
	if m == 0 || n == 0 {
		return
	}
	if k == 0 || alpha == 0 {
		// This only scales C: with k = 0, A and B are not read.
		reference.Dgemm(tA, tB, m, n, 0, 0, a, lda, b, ldb, beta, c, ldc)
		return
	}
	multiply(active, m, n, k, alpha, matrix{a, lda, tA != blas.NoTrans},
		matrix{b, ldb, tB != blas.NoTrans}, beta, c, ldc, everything)
}

// multiply computes the given region of C = alpha*A*B + beta*C, where C is m×n and k is the length
// of the sums; none of these may be zero.
func multiply(
	kn *kernels, m, n, k int, alpha float64, a, b matrix, beta float64, c []float64, ldc int, region region,
) {
	p := products.Get()
	p.kn = kn
	p.m = m
	p.n = n
	p.k = k
	p.alpha, p.a, p.b = alpha, a, b
	p.beta = beta
	p.c = c
	p.ldc = ldc
	p.region = region
	p.run()
}

// run computes the product and returns p to the free list.
func (p *product) run() {
	p.serial = serials.Add(1)
	p.plan = newPlan(p.m, p.n, p.k)
	p.partial.resize((p.plan.sections - 1) * p.m * p.n)
	parts := p.plan.parts()
	if parts == 1 {
		serial(p, 1)
	} else {
		parallel(p, parts)
		p.addSections()
	}
	p.a, p.b, p.c = matrix{}, matrix{}, nil
	products.Put(p)
}

// do computes one tile over one section of the sums.
func (p *product) do(part int, s *scratch) {
	q := &p.plan
	i0 := part / q.sections % q.tilesM * q.tileM
	j0 := part / q.sections / q.tilesM * q.tileN
	section := part % q.sections
	t := tile{
		product: p, i0: i0, j0: j0,
		rows: min(q.tileM, p.m-i0), cols: min(q.tileN, p.n-j0),
		c: p.c, ldc: p.ldc, beta: p.beta,
	}
	if section > 0 {
		t.c, t.ldc, t.beta = p.partial[(section-1)*p.m*p.n:], p.n, 0
	}
	t.compute(section*q.length, min((section+1)*q.length, p.k), s)
}

// addSections adds the results of the later sections to C, in order.
func (p *product) addSections() {
	for section := 1; section < p.plan.sections; section++ {
		from := p.partial[(section-1)*p.m*p.n:]
		for i := range p.m {
			lo, hi := p.region.columns(i, p.n)
			if lo < hi {
				reference.Daxpy(hi-lo, 1, from[i*p.n+lo:], 1, p.c[i*p.ldc+lo:], 1)
			}
		}
	}
}

// columns returns the range of the n columns of row i that belong to the region.
func (r region) columns(i, n int) (lo, hi int) {
	switch r {
	case lowerTriangle:
		return 0, min(i+1, n)
	case upperTriangle:
		return min(i, n), n
	}
	return 0, n
}
