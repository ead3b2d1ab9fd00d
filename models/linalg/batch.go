package linalg

// The routines of this file process many contiguous matrices: [batch][rows][cols]. If the matrices
// are small (1 to 32 rows) and numerous and the machine has the instructions, a vector register
// holds the same element of several matrices (see batchwork.go). Otherwise, matrices are processed
// individually, several in parallel. The result for a matrix does not depend on its place in the
// batch, on the other matrices, or on the number of processors.

// BatchCholesky factorises batch symmetric n x n matrices like Cholesky, each with its own jitter
// ladder: l and a are [batch][n][n] and do not overlap. rescues is the total number of jitter
// increases, and err is the error of the first matrix without a factor.
//
// If ok is nil, BatchCholesky stops at that matrix, and the contents of l from there on are
// undefined. If ok, [batch], is not nil, BatchCholesky continues: ok[i] reports whether matrix i
// has a factor, and the factors of matrices without one are zero.
func BatchCholesky(l, a []float64, batch, n int, matrix string, ok []bool) (rescues int, err error) {
	if ok != nil {
		ok = ok[:batch]
	}
	for i := range ok {
		ok[i] = true
	}
	if err := Failure(matrix); err != nil && ok == nil {
		return 0, err
	}
	if runBatch(batchCholesky, l, a, nil, batch, n, n, n) == 0 {
		return 0, nil
	}
	size := n * n
	for i := 0; i < batch; i++ {
		factor := l[i*size : (i+1)*size]
		if !isMarked(factor) {
			continue
		}
		climbed, failure := Cholesky(factor, a[i*size:(i+1)*size], n, matrix)
		rescues += climbed
		if failure == nil {
			continue
		}
		if err == nil {
			err = failure
		}
		if ok == nil {
			return rescues, err
		}
		ok[i] = false
		clear(factor)
	}
	return rescues, err
}

// BatchSolveLower replaces every b_i by l_i^-1 b_i: l is [batch][n][n], lower triangular, and b is
// [batch][n][m].
func BatchSolveLower(l, b []float64, batch, n, m int) {
	runBatch(batchSolve, b, l, nil, batch, n, m, n)
}

// BatchSolveLowerTrans replaces every b_i by l_i^-T b_i: l is [batch][n][n], lower triangular, and
// b is [batch][n][m].
func BatchSolveLowerTrans(l, b []float64, batch, n, m int) {
	runBatch(batchSolveTrans, b, l, nil, batch, n, m, n)
}

// BatchMul computes c_i = a_i b_i: a is [batch][m][k], b is [batch][k][n], and c is [batch][m][n]
// and must not overlap the others.
func BatchMul(c, a, b []float64, batch, m, n, k int) {
	runBatch(batchMul, c, a, b, batch, m, n, k)
}
