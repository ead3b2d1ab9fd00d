package linalg

import (
	"math"
	"runtime"
	"sync/atomic"

	"dgplab/models/linalg/vec"
)

// batchKind is an operation on a batch.
type batchKind int

const (
	batchCholesky   batchKind = iota // dst = factor of a, both m x m
	batchSolve                       // dst = a^-1 dst, m x n
	batchSolveTrans                  // dst = a^-T dst, m x n
	batchMul                         // dst = a b, m x n; a is m x k
)

const (
	// widest is the largest dimension of small matrices. Blocks of three such
	// matrices, 192 KiB with AVX-512, stay in the second-level cache.
	widest = 32
	// widestAlone is the largest dimension of matrices that one processor handles alone. Operations
	// on larger matrices use all processors.
	widestAlone = 512
	// widestMul is the largest dimension of matrices that are multiplied side by side. For larger
	// matrices, Gemm fills the registers with matrix rows and needs no interleaving.
	widestMul = 16
)

// batchLanes returns the number of matrices that are processed side by side. It returns 0 if there
// is no assembly, if the matrices are too large to benefit, or if most of the lanes would be idle.
func batchLanes(kind batchKind, batch, m, n, k int) int {
	lanes, limit := vec.Lanes(), widest
	if kind == batchMul {
		limit = widestMul
	}
	if 2*batch < lanes || min(m, n, k) == 0 || max(m, n, k) > limit {
		return 0
	}
	return lanes
}

// batchWork is one call on a batch. Its loop runs over parts of the batch.
type batchWork struct {
	loop      Loop
	kind      batchKind
	dst, a, b []float64
	batch     int
	m, n, k   int
	lanes     int // matrices processed side by side, or 0
	part      int // matrices per part
	failed    atomic.Int64
}

// batchScratch holds one block of interleaved matrices, with at most 8 lanes.
type batchScratch struct {
	dst, a, b [widest * widest * 8]float64
	inv       [widest * 8]float64
	// rest pads blocks with fewer matrices than lanes. The results for the padding are discarded.
	rest [widest * widest * 8]float64
}

// Free lists of work and scratch memory for later calls.
var (
	batchWorks     = vec.NewFreeList[batchWork](64)
	batchScratches = vec.NewFreeList[batchScratch](4 * runtime.NumCPU())
)

// partWork is the approximate work of a part: the number of multiplications plus eight times the
// number of elements.
const partWork = 1 << 18

// runBatch processes a whole batch. For batchCholesky, it marks the matrices that have no factor
// without jitter and returns their number.
func runBatch(kind batchKind, dst, a, b []float64, batch, m, n, k int) (failed int) {
	if batch <= 0 {
		return 0
	}
	w := batchWorks.Get()
	if w.loop.Body == nil {
		w.loop.Body = w.run
	}
	w.kind = kind
	w.dst = dst[:batch*m*n]
	w.a = a[:batch*m*k]
	w.b = b
	if kind == batchMul {
		w.b = b[:batch*k*n]
	}
	w.batch = batch
	w.m = m
	w.n = n
	w.k = k
	w.lanes = batchLanes(kind, batch, m, n, k)
	size := max(m, n, k)
	switch {
	case size > widestAlone:
		w.part = batch
	case size > widest:
		w.part = 1
	default:
		each := m*n*k + 8*(m*n+m*k+k*n)
		block := max(1, w.lanes)
		w.part = block * max(1, partWork/max(1, each*block))
	}
	w.failed.Store(0)
	w.loop.Run((batch + w.part - 1) / w.part)
	failed = int(w.failed.Load())
	w.dst, w.a, w.b = nil, nil, nil
	batchWorks.Put(w)
	return failed
}

// run processes one part of the batch.
func (w *batchWork) run(part int) {
	from, end := part*w.part, min((part+1)*w.part, w.batch)
	if w.lanes == 0 {
		for ; from < end; from++ {
			w.single(from)
		}
		return
	}
	s := batchScratches.Get()
	for ; from < end; from += w.lanes {
		w.block(s, from, min(from+w.lanes, end))
	}
	batchScratches.Put(s)
}

// operands returns the operands of the matrices in [from, to).
func (w *batchWork) operands(from, to int) (dst, a, b []float64) {
	m, n, k := w.m, w.n, w.k
	if w.kind == batchMul {
		b = w.b[from*k*n : to*k*n]
	}
	return w.dst[from*m*n : to*m*n], w.a[from*m*k : to*m*k], b
}

// single processes matrix i.
func (w *batchWork) single(i int) {
	dst, a, b := w.operands(i, i+1)
	switch w.kind {
	case batchCholesky:
		copyLower(dst, a, w.m)
		if !factor(dst, w.m, w.m) && w.m > 0 {
			dst[0] = math.NaN()
			w.failed.Add(1)
		}
	case batchSolve:
		SolveLower(a, dst, w.m, w.n, w.n)
	case batchSolveTrans:
		SolveLowerTrans(a, dst, w.m, w.n, w.n)
	case batchMul:
		Gemm(false, false, w.m, w.n, w.k, 1, a, b, 0, dst)
	}
}

// block processes one matrix per lane, or fewer at the end of a part.
func (w *batchWork) block(s *batchScratch, from, to int) {
	m, n, k := w.m, w.n, w.k
	dst, left, right := w.operands(from, to)
	x := s.dst[:vec.Interleaved(m*n)]
	a := s.a[:vec.Interleaved(m*k)]
	switch w.kind {
	case batchCholesky:
		s.interleave(x, left, m*m)
		vec.LanesCholesky(x, s.inv[:], m)
		clearUpper(x, m)
	case batchSolve, batchSolveTrans:
		s.interleave(a, left, m*m)
		s.interleave(x, dst, m*n)
		vec.LanesSolve(w.kind == batchSolveTrans, a, s.inv[:], x, m, n)
	case batchMul:
		b := s.b[:vec.Interleaved(k*n)]
		s.interleave(a, left, m*k)
		s.interleave(b, right, k*n)
		vec.LanesMul(x, a, b, m, n, k)
	}
	s.deinterleave(dst, x, m*n)
	if w.kind == batchCholesky && !goodPivots(s.inv[:m*w.lanes]) {
		w.markFailed(dst)
	}
}

// interleave sets x to the matrices of src, n elements each. There may be fewer matrices than
// lanes.
func (s *batchScratch) interleave(x, src []float64, n int) {
	if all := vec.Lanes() * n; len(src) < all {
		copy(s.rest[:], src)
		src = s.rest[:all]
	}
	vec.Interleave(x, src, n)
}

// deinterleave is the inverse of interleave.
func (s *batchScratch) deinterleave(dst, x []float64, n int) {
	all := vec.Lanes() * n
	if len(dst) == all {
		vec.Deinterleave(dst, x, n)
		return
	}
	vec.Deinterleave(s.rest[:all], x, n)
	copy(dst, s.rest[:all])
}

// clearUpper sets the entries above the diagonals of interleaved matrices to zero.
func clearUpper(l []float64, n int) {
	lanes := vec.Lanes()
	for i := range n {
		clear(l[(i*n+i+1)*lanes : (i+1)*n*lanes])
	}
}

// goodPivots reports whether the reciprocals of all pivots are positive and finite, including
// unused lanes.
func goodPivots(inv []float64) bool {
	for _, r := range inv {
		if !(r > 0 && r <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// markFailed counts and marks the matrices in l, [matrices][m][m], that are not valid factors.
func (w *batchWork) markFailed(l []float64) {
	size := w.m * w.m
	for ; len(l) > 0; l = l[size:] {
		for at := 0; at < size; at += w.m + 1 {
			if d := l[at]; !(d > 0) || math.IsInf(d, 1) {
				l[0] = math.NaN()
				w.failed.Add(1)
				break
			}
		}
	}
}

// isMarked reports whether l was marked as not being a factor.
func isMarked(l []float64) bool { return math.IsNaN(l[0]) }
