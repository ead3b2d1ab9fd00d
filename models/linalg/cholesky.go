package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Cholesky factorises the n x n symmetric matrix a and reads only its lower triangle. It sets l to
// the lower factor, with zeros above its diagonal. If a is not positive definite, it adds jitter
// (see Jitter); rescues is the number of jitter increases. It returns a *NotPositiveDefiniteError
// that names place if jitter does not suffice, or a *NaNError if a contains NaN or Inf.
func Cholesky(l, a []float64, n int, place string) (rescues int, err error) {
	var ladder Jitter
	for {
		copyLower(l, a, n)
		if add := ladder.Amount(); add > 0 {
			for i := 0; i < n; i++ {
				l[i*n+i] += add
			}
		}
		if factor(l, n) {
			return ladder.Rescues, nil
		}
		if err := ladder.Increase(a, n, place); err != nil {
			return ladder.Rescues, err
		}
	}
}

// TryCholesky factorises a like Cholesky, but never adds jitter. It reports whether a is positive
// definite; if not, the contents of l are undefined.
func TryCholesky(l, a []float64, n int) bool {
	copyLower(l, a, n)
	return factor(l, n)
}

func copyLower(l, a []float64, n int) {
	for i := 0; i < n; i++ {
		copy(l[i*n:i*n+i+1], a[i*n:i*n+i+1])
		clear(l[i*n+i+1 : (i+1)*n])
	}
}

// unblocked is the size of the largest matrix that is factorised by plain loops.
const unblocked = 16

// factor replaces the lower triangle of l by its Cholesky factor and reports whether all pivots
// were positive and finite.
func factor(l []float64, n int) bool {
	if n > unblocked {
		_, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: l})
		return ok && finiteDiag(l, n)
	}
	for i := 0; i < n; i++ {
		row := l[i*n : i*n+i+1]
		for j := 0; j <= i; j++ {
			other := l[j*n : j*n+j+1]
			s := row[j]
			for k := 0; k < j; k++ {
				s -= row[k] * other[k]
			}
			if j < i {
				row[j] = s / other[j]
				continue
			}
			if !(s > 0) || math.IsInf(s, 1) {
				return false
			}
			row[i] = math.Sqrt(s)
		}
	}
	return true
}

// finiteDiag reports whether the diagonal is finite. Potrf does not reject an infinite pivot; it
// sets the rest of the column to zero.
func finiteDiag(l []float64, n int) bool {
	for i := 0; i < n; i++ {
		if math.IsInf(l[i*n+i], 1) {
			return false
		}
	}
	return true
}

// CholeskyBackward adds to da the gradient with respect to the factorised symmetric matrix, given
// dl, the gradient with respect to its factor l (only the lower triangle is read). da is symmetric,
// [n][n]: a change E of the matrix changes the objective by sum_ij da_ij E_ij. scratch needs n*n
// entries.
//
// Let P be the lower triangle of l^T dl with its diagonal halved. Then da is the symmetric part of
// l^-T P l^-1: Murray, "Differentiation of the Cholesky decomposition", 2016, eq. 10,
// arXiv:1602.07527.
func CholeskyBackward(da, l, dl, scratch []float64, n int) {
	p := blas64.General{Rows: n, Cols: n, Stride: n, Data: scratch[:n*n]}
	copyLower(p.Data, dl, n)
	factor := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: n, Data: l}
	blas64.Trmm(blas.Left, blas.Trans, 1, factor, p)
	for i := 0; i < n; i++ {
		p.Data[i*n+i] *= 0.5
		clear(p.Data[i*n+i+1 : (i+1)*n])
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, factor, p)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, factor, p)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			da[i*n+j] += 0.5 * (p.Data[i*n+j] + p.Data[j*n+i])
		}
	}
}

// LogDiag returns the sum of the logarithms of the diagonal of the n x n matrix l.
func LogDiag(l []float64, n int) float64 {
	var sum float64
	for i := 0; i < n; i++ {
		sum += math.Log(l[i*n+i])
	}
	return sum
}
