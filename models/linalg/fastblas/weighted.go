package fastblas

import "gonum.org/v1/gonum/blas"

// WeightedSquares computes the upper triangles of the n×n matrices
//
//	C_i = A * diag(w_i) * Aᵀ + beta * C_i
//
// for the rows w_i of the count×k matrix w, where A is n×k. The C_i are contiguous and follow each
// other; their other triangles are not accessed. If beta is zero, C is written without being read.
// It runs on the calling goroutine and panics if a slice is too short.
func WeightedSquares(
	n, k, count int, a []float64, lda int, w []float64, ldw int, beta float64, c []float64,
) {
	if n <= 0 || k <= 0 || count <= 0 ||
		!fits(a, lda, n, k) || !fits(w, ldw, count, k) || len(c) < count*n*n {
		panic("fastblas: WeightedSquares: bad shape")
	}
	s := scratches.Get()
	defer scratches.Put(s)
	for from := 0; from < k; from += maxDepth {
		kc := min(maxDepth, k-from)
		if active == nil {
			plainSquares(n, kc, count, a[from:], lda, w[from:], ldw, beta, c, s)
		} else {
			active.weightedSquares(n, kc, count, a[from:], lda, w[from:], ldw, beta, c, s)
		}
		beta = 1
	}
}

// weightedSquares is WeightedSquares for sums of at most maxDepth terms. It packs A once, and
// multiplies one sliver at a time by the weights, which keeps it in the first-level cache.
func (kn *kernels) weightedSquares(
	n, k, count int, a []float64, lda int, w []float64, ldw int, beta float64, c []float64, s *scratch,
) {
	nr := kn.nr
	slivers := s.right(roundUp(n, nr) * k)
	kn.packSlivers(slivers, matrix{a, lda, true}, k, n)
	weighted := s.weighted.resize(k * nr)
	divided := kn.divide(matrix{a, lda, false}, n, k, s)
	p := products.Get()
	defer products.Put(p)
	p.kn = kn
	p.alpha = 1
	p.region = upperTriangle
	for i := range count {
		t := tile{product: p, rows: n, cols: n, c: c[i*n*n:], ldc: n, beta: beta}
		for j := 0; j < n; j += nr {
			kn.scaleRows(k, &weighted[0], &slivers[j*k], &w[i*ldw])
			for r := range divided {
				t.multiply(&divided[r], j, &weighted[0], k, s)
			}
		}
	}
}

// plainSquares is WeightedSquares without assembly.
func plainSquares(
	n, k, count int, a []float64, lda int, w []float64, ldw int, beta float64, c []float64, s *scratch,
) {
	scaled := s.right(n * k)
	for i := range count {
		weights := w[i*ldw : i*ldw+k]
		for r := range n {
			row := scaled[r*k : (r+1)*k]
			for p, v := range a[r*lda : r*lda+k] {
				row[p] = v * weights[p]
			}
		}
		Implementation{}.gemmtByRows(blas.Upper, n, k, 1, a, lda, scaled, k, beta, c[i*n*n:(i+1)*n*n], n)
	}
}
