package linalg

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// concat returns the results of batch calls of make, one after another.
func concat(batch int, make func() []float64) []float64 {
	var all []float64
	for i := 0; i < batch; i++ {
		all = append(all, make()...)
	}
	return all
}

// Batch routines must agree with the routines for single matrices at every supported size.
func TestBatchAgreesWithSingle(t *testing.T) {
	const batch, m, k = 5, 3, 4
	rng := rand.New(rand.NewPCG(9, 1))
	for n := 1; n <= 32; n++ {
		a := concat(batch, func() []float64 { return randomCovariance(rng, n) })
		x := randomMatrix(rng, batch*n, m)
		y := randomMatrix(rng, batch*m, k)
		l := make([]float64, len(a))
		product := make([]float64, batch*n*k)
		solved := slices.Clone(x)
		solvedTrans := slices.Clone(x)
		if rescues, err := BatchCholesky(l, a, batch, n, "K", nil); err != nil || rescues != 0 {
			t.Fatalf("n=%d: %d rescues, error %v", n, rescues, err)
		}
		BatchSolveLower(l, solved, batch, n, m)
		BatchSolveLowerTrans(l, solvedTrans, batch, n, m)
		BatchMul(product, x, y, batch, n, k, m)
		for i := 0; i < batch; i++ {
			li, xi, yi := l[i*n*n:(i+1)*n*n], x[i*n*m:(i+1)*n*m], y[i*m*k:(i+1)*m*k]
			wantL := make([]float64, n*n)
			wantProduct := make([]float64, n*k)
			if _, err := Cholesky(wantL, a[i*n*n:(i+1)*n*n], n, "K"); err != nil {
				t.Fatal(err)
			}
			wantSolved := slices.Clone(xi)
			wantTrans := slices.Clone(xi)
			SolveLower(li, wantSolved, n, m, m)
			SolveLowerTrans(li, wantTrans, n, m, m)
			Gemm(false, false, n, k, m, 1, xi, yi, 0, wantProduct)
			for name, d := range map[string]float64{
				"BatchCholesky":        maxDiff(li, wantL),
				"BatchSolveLower":      maxDiff(solved[i*n*m:(i+1)*n*m], wantSolved),
				"BatchSolveLowerTrans": maxDiff(solvedTrans[i*n*m:(i+1)*n*m], wantTrans),
				"BatchMul":             maxDiff(product[i*n*k:(i+1)*n*k], wantProduct),
			} {
				if d > 1e-13 {
					t.Errorf("n=%d: %s: matrix %d is off by %g", n, name, i, d)
				}
			}
		}
	}
}

func TestBatchCholeskyReportsEachMatrix(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(10, 1))
	a := slices.Concat(
		randomCovariance(rng, n),
		withSmallestEigenvalue(rng, n, 1, -3e-5), // three rungs
		withSmallestEigenvalue(rng, n, 1, -0.5),  // no factor, all five rungs
		randomCovariance(rng, n),
		withSmallestEigenvalue(rng, n, 1, -1e-9), // one rung
		slices.Repeat([]float64{math.NaN()}, n*n),
	)
	l := randomMatrix(rng, 6*n, n)
	ok := make([]bool, 6)
	rescues, err := BatchCholesky(l, a, 6, n, "K", ok) // reports the first error
	var failure *NotPositiveDefiniteError
	if !errors.As(err, &failure) || failure.Matrix != "K" {
		t.Errorf("got error %v, want a *NotPositiveDefiniteError", err)
	}
	if want := []bool{true, true, false, true, true, false}; !slices.Equal(ok, want) {
		t.Errorf("got %v, want %v", ok, want)
	}
	if rescues != 3+5+1 {
		t.Errorf("got %d rescues, want 9", rescues)
	}
	for i, good := range ok {
		if first := l[i*n*n]; good != (first > 0) {
			t.Errorf("the factor of matrix %d starts with %g", i, first)
		}
	}
	rescues, err = BatchCholesky(l, a, 6, n, "K", nil)
	if err == nil || rescues != 3+5 {
		t.Errorf("without ok: %d rescues, error %v; want a stop after 8", rescues, err)
	}
}

// plainFactor is the Cholesky factor of the n x n matrix a by the textbook algorithm. Its diagonal
// holds a NaN if there is no factor.
func plainFactor(a []float64, n int) []float64 {
	l := make([]float64, n*n)
	for i := 0; i < n; i++ {
		for j := 0; j <= i; j++ {
			s := a[i*n+j]
			for k := 0; k < j; k++ {
				s -= l[i*n+k] * l[j*n+k]
			}
			l[i*n+j] = s / l[j*n+j]
			if i == j {
				l[i*n+i] = math.Sqrt(s)
			}
		}
	}
	return l
}

// plainSolve replaces b, [n][m], by l^-1 b, or l^-T b.
func plainSolve(trans bool, l, b []float64, n, m int) {
	for step := 0; step < n; step++ {
		i, from, to := step, 0, step
		if trans {
			i = n - 1 - step
			from, to = i+1, n
		}
		for j := 0; j < m; j++ {
			for k := from; k < to; k++ {
				c := l[i*n+k]
				if trans {
					c = l[k*n+i]
				}
				b[i*m+j] -= c * b[k*m+j]
			}
			b[i*m+j] /= l[i*n+i]
		}
	}
}

// agree fails unless got equals want to within 1e-13, where NaN equals NaN.
func agree(t *testing.T, what string, n, i int, got, want []float64) {
	t.Helper()
	for at, w := range want {
		if math.IsNaN(w) != math.IsNaN(got[at]) || math.Abs(w-got[at]) > 1e-13*math.Max(1, math.Abs(w)) {
			t.Fatalf("n=%d, %s: element %d of matrix %d is %g, want %g", n, what, at, i, got[at], w)
		}
	}
}

// batchCase is a batch with inputs for every routine and a NaN in some of the matrices.
type batchCase struct {
	batch, n, m int
	bad         int // index of the matrix with a NaN, or -1
	a, x        []float64
}

func newBatchCase(rng *rand.Rand, batch, n int) batchCase {
	c := batchCase{batch: batch, n: n, m: 1 + rng.IntN(32), bad: rng.IntN(batch+1) - 1}
	c.a = concat(batch, func() []float64 { return randomCovariance(rng, n) })
	c.x = randomMatrix(rng, batch*n, c.m)
	for i := range batch * n { // must not be read
		for j := i%n + 1; j < n; j++ {
			c.a[i*n+j] = math.NaN()
		}
	}
	if c.bad >= 0 {
		row := rng.IntN(n)
		c.a[c.bad*n*n+row*n+rng.IntN(row+1)] = math.NaN()
		c.x[c.bad*n*c.m+rng.IntN(n*c.m)] = math.NaN()
	}
	return c
}

// results holds the results of all routines for a batchCase, whose factors are l.
type results struct{ l, lower, trans, product []float64 }

func (c batchCase) run(t *testing.T) (r results) {
	t.Helper()
	r = results{make([]float64, len(c.a)), slices.Clone(c.x), slices.Clone(c.x), make([]float64, len(c.x))}
	ok := make([]bool, c.batch)
	rescues, err := BatchCholesky(r.l, c.a, c.batch, c.n, "K", ok)
	if nan := new(NaNError); rescues != 0 || errors.As(err, &nan) != (c.bad >= 0) {
		t.Fatalf("n=%d: %d rescues, error %v", c.n, rescues, err)
	}
	for i, good := range ok {
		if good == (i == c.bad) {
			t.Fatalf("n=%d: matrix %d of %d has a factor: %t", c.n, i, c.batch, good)
		}
		if !good { // use a valid factor in the following solves
			for j := range c.n {
				r.l[i*c.n*c.n+j*c.n+j] = 1
			}
		}
	}
	BatchSolveLower(r.l, r.lower, c.batch, c.n, c.m)
	BatchSolveLowerTrans(r.l, r.trans, c.batch, c.n, c.m)
	BatchMul(r.product, r.l, c.x, c.batch, c.n, c.m, c.n)
	return r
}

// Batch routines must agree with plain loops at every supported size and for odd numbers of
// matrices. A NaN must not affect other matrices.
func TestBatchAgreesWithPlainLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for n := 1; n <= 32; n++ {
		for _, batch := range []int{1, 3, 4, 8, 11, 21} {
			c := newBatchCase(rng, batch, n)
			r := c.run(t)
			for i := range batch {
				l, x := r.l[i*n*n:(i+1)*n*n], c.x[i*n*c.m:(i+1)*n*c.m]
				if i != c.bad {
					agree(t, "factor", n, i, l, plainFactor(c.a[i*n*n:(i+1)*n*n], n))
				}
				lower := slices.Clone(x)
				trans := slices.Clone(x)
				product := make([]float64, len(x))
				plainSolve(false, l, lower, n, c.m)
				plainSolve(true, l, trans, n, c.m)
				for row := range n {
					for k := range n {
						for j := range c.m {
							product[row*c.m+j] += l[row*n+k] * x[k*c.m+j]
						}
					}
				}
				at, to := i*n*c.m, (i+1)*n*c.m
				if i == c.bad && Kernels() == "gonum" {
					continue // gonum skips zeros, and thus the NaN that they multiply
				}
				agree(t, "solution", n, i, r.lower[at:to], lower)
				agree(t, "solution of the transposed", n, i, r.trans[at:to], trans)
				agree(t, "product", n, i, r.product[at:to], product)
			}
		}
	}
}

// The result for a matrix must not depend on its place or on the number of processors.
func TestBatchIsIndependentOfPosition(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(12, 1))
	for _, n := range []int{1, 3, 6, 16, 23, 32} {
		runtime.GOMAXPROCS(1)
		c := newBatchCase(rng, 133, n)
		c.bad = -1
		c.a = concat(c.batch, func() []float64 { return randomCovariance(rng, n) })
		c.x = randomMatrix(rng, c.batch*n, c.m)
		want := c.run(t)
		runtime.GOMAXPROCS(3)
		moved, at, xt := c, 5*n*n, 5*n*c.m
		moved.a = slices.Concat(c.a[at:], c.a[:at])
		moved.x = slices.Concat(c.x[xt:], c.x[:xt])
		got := moved.run(t)
		for name, pair := range map[string][3][]float64{
			"factor":                {got.l, want.l[at:], want.l[:at]},
			"solution":              {got.lower, want.lower[xt:], want.lower[:xt]},
			"transposed's solution": {got.trans, want.trans[xt:], want.trans[:xt]},
			"product":               {got.product, want.product[xt:], want.product[:xt]},
		} {
			if !slices.Equal(pair[0], slices.Concat(pair[1], pair[2])) {
				t.Errorf("n=%d: the %s depends on the place in the batch", n, name)
			}
		}
	}
}

func TestBatchAllocatesNothing(t *testing.T) {
	if Kernels() == "gonum" {
		t.Skip("gonum allocates")
	}
	rng := rand.New(rand.NewPCG(13, 1))
	for _, n := range []int{3, 20} {
		const batch = 100
		a := concat(batch, func() []float64 { return randomCovariance(rng, n) })
		x := randomMatrix(rng, batch*n, n)
		l := make([]float64, len(a))
		c := make([]float64, len(x))
		if allocations := testing.AllocsPerRun(20, func() {
			if _, err := BatchCholesky(l, a, batch, n, "K", nil); err != nil {
				t.Fatal(err)
			}
			copy(c, x)
			BatchSolveLower(l, c, batch, n, n)
			BatchSolveLowerTrans(l, c, batch, n, n)
			BatchMul(c, l, x, batch, n, n, n)
		}); allocations != 0 {
			t.Errorf("n=%d: %g allocations", n, allocations)
		}
	}
}
