package linalg

import (
	"math"
	"runtime"
	"sync/atomic"

	"dgplab/models/linalg/vec"
)

// widest is the largest dimension of matrices that are interleaved. Blocks of
// three such matrices, 192 KiB with AVX-512, stay in the second-level cache.
const widest = 32

// inLanes says whether matrices of these dimensions are interleaved.
func inLanes(m, n, k int) bool {
	return vec.Lanes() > 0 && min(m, n, k) > 0 && max(m, n, k) <= widest
}

// batchKind is one of the things that can be done with a batch.
type batchKind int

const (
	batchCholesky   batchKind = iota // dst = factor of a, both m x m
	batchSolve                       // dst = a^-1 dst, m x n
	batchSolveTrans                  // dst = a^-T dst, m x n
	batchMul                         // dst = a b, m x n; a is m x k
)

// batchWork is one call on a batch. Its loop goes over parts of the batch.
type batchWork struct {
	loop      Loop
	kind      batchKind
	dst, a, b []float64
	batch     int
	m, n, k   int
	part      int // matrices of a part
	failed    atomic.Int64
}

// batchScratch holds one block of interleaved matrices.
type batchScratch struct {
	dst, a, b [widest * widest * 8]float64
	inv       [widest * 8]float64
}

// Free lists keep what was in use for the next call. Unlike a sync.Pool they are
// not emptied by the garbage collector, so that the steady state does not
// allocate.
var (
	batchWorks     = make(chan *batchWork, 64)
	batchScratches = make(chan *batchScratch, 4*runtime.NumCPU())
)

func newBatchWork() *batchWork {
	select {
	case w := <-batchWorks:
		return w
	default:
		w := new(batchWork)
		w.loop.Body = w.run
		return w
	}
}

func newBatchScratch() *batchScratch {
	select {
	case s := <-batchScratches:
		return s
	default:
		return new(batchScratch)
	}
}

// partWork is about how many elements and multiplications a part consists of.
const partWork = 1 << 18

// runBatch works on a whole batch and returns the number of matrices that have
// no Cholesky factor without jitter; those are marked.
func runBatch(kind batchKind, dst, a, b []float64, batch, m, n, k int) (failed int) {
	if batch <= 0 {
		return 0
	}
	w := newBatchWork()
	w.kind, w.dst, w.a, w.b = kind, dst[:batch*m*n], a[:batch*m*k], b
	if kind == batchMul {
		w.b = b[:batch*k*n]
	}
	w.batch, w.m, w.n, w.k = batch, m, n, k
	lanes := vec.Lanes()
	each := m*n*k + 8*(m*n+m*k+k*n)
	w.part = lanes * max(1, partWork/each/lanes)
	w.failed.Store(0)
	w.loop.Run((batch + w.part - 1) / w.part)
	failed = int(w.failed.Load())
	w.dst, w.a, w.b = nil, nil, nil
	select {
	case batchWorks <- w:
	default:
	}
	return failed
}

// run works on one part of the batch, block by block.
func (w *batchWork) run(part int) {
	s := newBatchScratch()
	end := min((part+1)*w.part, w.batch)
	for from := part * w.part; from < end; from += vec.Lanes() {
		w.block(s, from, min(from+vec.Lanes(), end))
	}
	select {
	case batchScratches <- s:
	default:
	}
}

// block works on the matrices from and up to, but without, to.
func (w *batchWork) block(s *batchScratch, from, to int) {
	m, n, k := w.m, w.n, w.k
	x, a := s.dst[:vec.Interleaved(m*n)], s.a[:vec.Interleaved(m*k)]
	dst, left := w.dst[from*m*n:to*m*n], w.a[from*m*k:to*m*k]
	switch w.kind {
	case batchCholesky:
		vec.Interleave(x, left, m*m)
		vec.LanesCholesky(x, s.inv[:], m)
		clearUpper(x, m)
	case batchSolve, batchSolveTrans:
		vec.Interleave(a, left, m*m)
		vec.Interleave(x, dst, m*n)
		vec.LanesSolve(w.kind == batchSolveTrans, a, s.inv[:], x, m, n)
	case batchMul:
		b := s.b[:vec.Interleaved(k*n)]
		vec.Interleave(a, left, m*k)
		vec.Interleave(b, w.b[from*k*n:to*k*n], k*n)
		vec.LanesMul(x, a, b, m, n, k)
	}
	vec.Deinterleave(dst, x, m*n)
	if w.kind == batchCholesky {
		w.markFailed(dst)
	}
}

// clearUpper sets what is above the diagonals of interleaved matrices to zero.
func clearUpper(l []float64, n int) {
	lanes := vec.Lanes()
	for i := range n {
		clear(l[(i*n+i+1)*lanes : (i+1)*n*lanes])
	}
}

// markFailed counts and marks what is not a factor in l, [matrices][m][m].
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

// isMarked says whether markFailed found that l is not a factor.
func isMarked(l []float64) bool { return math.IsNaN(l[0]) }
