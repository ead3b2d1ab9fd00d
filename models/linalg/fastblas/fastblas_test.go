package fastblas

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// TestIndependentOfProcessors checks that results are the same, bit for bit, for every number of
// processors.
func TestIndependentOfProcessors(t *testing.T) {
	kept := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(kept)
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(17, 18))
		for _, s := range [][3]int{{128, 128, 2100}, {130, 700, 128}, {500, 300, 90}} {
			g := randomGemm(rng, s[0], s[1], s[2])
			g.alpha, g.beta = 1, 0.5
			tri := randomTriangle(rng, s[0], s[1])
			tri.alpha = 1
			var product, solution operand
			for _, procs := range []int{1, 2, 5} {
				runtime.GOMAXPROCS(procs)
				c := g.run()
				x := tri.b.clone()
				solve(tri, x)
				if procs == 1 {
					product, solution = c, x
				}
				none := c.mapped(func(float64) float64 { return 0 })
				compare(t, fmt.Sprint(procs, " processors ", g), c, product, none)
				compare(t, fmt.Sprint(procs, " processors ", tri), x, solution,
					tri.b.mapped(func(float64) float64 { return 0 }))
			}
		}
	})
}

// TestConcurrentCalls runs products from many goroutines at once.
func TestConcurrentCalls(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(19, 20))
		g := randomGemm(rng, 200, 180, 150)
		g.alpha, g.beta = 1, -1
		want := g.run()
		none := want.mapped(func(float64) float64 { return 0 })
		got := make([]operand, 40)
		var all sync.WaitGroup
		for i := range got {
			all.Go(func() { got[i] = g.run() })
		}
		all.Wait()
		for i := range got {
			compare(t, "concurrent "+g.String(), got[i], want, none)
		}
	})
}

// TestAllocations checks that the steady state does not allocate.
func TestAllocations(t *testing.T) {
	if active == nil {
		t.Skip("gonum allocates")
	}
	const m, n = 128, 640
	a := filled(m * m)
	b := filled(m * n)
	c := filled(m * n)
	impl := Implementation{}
	var strips, solved, products Strips
	var transposed Transposed
	var solver Solver
	var multiplier Multiplier
	calls := map[string]func(){
		"Dgemm": func() { impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, m, 1, a, m, b, n, 0, c, n) },
		"Dsyrk": func() { impl.Dsyrk(blas.Lower, blas.NoTrans, m, n, 1, b, n, 0, c, m) },
		"Dsymm": func() { impl.Dsymm(blas.Left, blas.Lower, m, n, 1, a, m, b, n, 0, c, n) },
		"Dtrmm": func() {
			impl.Dtrmm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, m, n, 1e-9, a, m, c, n)
		},
		"Dtrsm": func() {
			impl.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, m, n, 1e-9, a, m, c, n)
		},
		"SolveLower": func() { SolveLower(blas.NoTrans, m, n, a, m, b, n, c, n) },
		"strips": func() {
			strips.Resize(m, n-3)
			strips.Pack(b, n)
			solver.Set(a, m, false, m)
			solver.Solve(&solved, &strips)
			multiplier.Set(a, m, true, m, m)
			multiplier.Multiply(&products, &solved)
			solved.Dots(c[:n], &products, 0)
			solved.AddScaled(&products, 1, b, n)
			transposed.Set(&solved)
			transposed.WeightedSquares(1, b, n, 0, c)
			transposed.Product(&products, 1, c)
		},
	}
	for name, call := range calls {
		if allocs := testing.AllocsPerRun(50, call); allocs > 0 {
			t.Errorf("%s allocates %v times a call", name, allocs)
		}
	}
}

// TestPanics checks that bad arguments cause the same panics as in gonum.
func TestPanics(t *testing.T) {
	x := make([]float64, 100)
	calls := []func(impl blas.Float64){
		func(impl blas.Float64) { impl.Dgemm('X', blas.NoTrans, 3, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(impl blas.Float64) { impl.Dgemm(blas.NoTrans, 'X', 3, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(impl blas.Float64) { impl.Dgemm(blas.NoTrans, blas.NoTrans, -1, 3, 3, 1, x, 3, x, 3, 0, x, 3) },
		func(impl blas.Float64) { impl.Dgemm(blas.NoTrans, blas.NoTrans, 3, 3, 4, 1, x, 3, x, 3, 0, x, 3) },
		func(impl blas.Float64) { impl.Dgemm(blas.NoTrans, blas.Trans, 3, 3, 3, 1, x, 3, x, 3, 0, x[:5], 3) },
		func(impl blas.Float64) { impl.Dsyrk('X', blas.Trans, 3, 3, 1, x, 3, 0, x, 3) },
		func(impl blas.Float64) { impl.Dsyrk(blas.Upper, blas.Trans, 3, 4, 1, x, 2, 0, x, 3) },
		func(impl blas.Float64) { impl.Dsymm(blas.Left, blas.Upper, 3, 4, 1, x, 2, x, 4, 0, x, 4) },
		func(impl blas.Float64) { impl.Dsymm('X', blas.Upper, 3, 4, 1, x, 3, x, 4, 0, x, 4) },
		func(impl blas.Float64) { impl.Dtrmm(blas.Left, blas.Upper, blas.Trans, 'X', 3, 4, 1, x, 3, x, 4) },
		func(impl blas.Float64) {
			impl.Dtrmm(blas.Right, blas.Upper, blas.Trans, blas.Unit, 3, 4, 1, x, 3, x, 4)
		},
		func(impl blas.Float64) { impl.Dtrsm('X', blas.Upper, blas.Trans, blas.Unit, 3, 4, 1, x, 3, x, 4) },
		func(impl blas.Float64) {
			impl.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.Unit, 3, 4, 1, x[:6], 3, x, 4)
		},
		func(impl blas.Float64) {
			impl.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.Unit, 3, -4, 1, x, 3, x, 4)
		},
	}
	message := func(call func(blas.Float64), impl blas.Float64) (got any) {
		defer func() { got = recover() }()
		call(impl)
		return nil
	}
	for i, call := range calls {
		want := message(call, gonum.Implementation{})
		if got := message(call, Implementation{}); want == nil || got != want {
			t.Errorf("call %d panics with %v, want %v", i, got, want)
		}
	}
}
