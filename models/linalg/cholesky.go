package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/vec"
)

// Cholesky factorises the n x n symmetric matrix a and reads only its lower triangle. It sets l to
// the lower factor, with zeros above its diagonal. If a is not positive definite, it adds jitter
// (see Jitter); rescues is the number of jitter increases. It returns a *NotPositiveDefiniteError
// with the name of the matrix if jitter does not suffice, or a *NaNError if a contains NaN or Inf.
func Cholesky(l, a []float64, n int, matrix string) (rescues int, err error) {
	if err := Failure(matrix); err != nil {
		return 0, err
	}
	var ladder Jitter
	for {
		copyLower(l, a, n)
		if add := ladder.Amount(); add > 0 {
			for i := 0; i < n; i++ {
				l[i*n+i] += add
			}
		}
		if factor(l, n, n) {
			return ladder.Rescues, nil
		}
		if err := ladder.Increase(a, n, matrix); err != nil {
			return ladder.Rescues, err
		}
	}
}

// TryCholesky factorises a like Cholesky, but never adds jitter. It reports whether a is positive
// definite; if not, the contents of l are undefined.
func TryCholesky(l, a []float64, n int) bool {
	copyLower(l, a, n)
	return factor(l, n, n)
}

func copyLower(l, a []float64, n int) {
	for i := 0; i < n; i++ {
		copy(l[i*n:i*n+i+1], a[i*n:i*n+i+1])
		clear(l[i*n+i+1 : (i+1)*n])
	}
}

// unblocked is the size of the largest matrix that is factorised by plain loops.
const unblocked = 16

// factor replaces the lower triangle of l, n x n with the given row stride, by its Cholesky factor
// and reports whether all pivots were positive and finite. Large matrices are halved, so that most
// operations are in products and triangular solves.
func factor(l []float64, n, stride int) bool {
	if n <= unblocked {
		return factorSmall(l, n, stride)
	}
	half := firstHalf(n)
	rest := n - half
	if !factor(l, half, stride) {
		return false
	}
	below := lowerLeft(l, half, n, stride)
	blas64.Trsm(blas.Right, blas.Trans, 1, Lower(l, half, stride), below)
	corner := l[half*stride+half:]
	blas64.Syrk(blas.NoTrans, -1, below, 1,
		blas64.Symmetric{Uplo: blas.Lower, N: rest, Stride: stride, Data: corner})
	return factor(corner, rest, stride)
}

// firstHalf returns the number of rows of the first half of a matrix with n rows, a multiple of the
// vector length.
func firstHalf(n int) int {
	const vector = 8
	return (n/2 + vector - 1) / vector * vector
}

// lowerLeft returns a view of the block of l, n x n, below its first half rows and columns.
func lowerLeft(l []float64, half, n, stride int) blas64.General {
	return blas64.General{Rows: n - half, Cols: half, Stride: stride, Data: l[half*stride:]}
}

// factorSmall is factor by plain loops.
func factorSmall(l []float64, n, stride int) bool {
	for i := range n {
		row := l[i*stride : i*stride+i+1]
		for j := range i + 1 {
			other := l[j*stride : j*stride+j+1]
			s := row[j]
			for k := range j {
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

// CholeskyBackward adds to da the gradient with respect to the factorised symmetric matrix, given
// dl, the gradient with respect to its factor l (only the lower triangle is read). da is symmetric,
// [n][n]: a change E of the matrix changes the objective by sum_ij da_ij E_ij. scratch needs n*n
// entries.
//
// It reverses factor (Murray, "Differentiation of the Cholesky decomposition", 2016, section 4,
// arXiv:1602.07527).
func CholeskyBackward(da, l, dl, scratch []float64, n int) {
	g := scratch[:n*n]
	copyLower(g, dl, n)
	factorBackward(g, l, n, n)
	addTranspose(g, n, n)
	vec.AddScaled(da[:n*n], g, 0.5)
}

// factorBackward replaces the lower triangle of g, the gradient with respect to the factor l, by the
// gradient with respect to the lower triangle that factor replaced by l. The upper triangle of g is
// scratch memory. Both are n x n with the given row stride.
func factorBackward(g, l []float64, n, stride int) {
	if n <= unblocked {
		factorBackwardSmall(g, l, n, stride)
		return
	}
	half := firstHalf(n)
	rest := n - half
	below := lowerLeft(l, half, n, stride)
	gUpper := blas64.General{Rows: half, Cols: half, Stride: stride, Data: g}
	gBelow := lowerLeft(g, half, n, stride)
	gCorner := blas64.General{Rows: rest, Cols: rest, Stride: stride, Data: g[half*stride+half:]}
	factorBackward(gCorner.Data, l[half*stride+half:], rest, stride)
	// The corner loses below below^T, whose gradient is that of the corner plus its transpose.
	addTranspose(gCorner.Data, rest, stride)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, gCorner, below, 1, gBelow)
	for i := range rest {
		gCorner.Data[i*stride+i] /= 2
	}
	blas64.Trsm(blas.Right, blas.NoTrans, 1, Lower(l, half, stride), gBelow)
	blas64.Gemm(blas.Trans, blas.NoTrans, -1, gBelow, below, 1, gUpper)
	factorBackward(g, l, half, stride)
}

// addTranspose adds to the lower triangle of g its transpose.
func addTranspose(g []float64, n, stride int) {
	mirror(g, n, stride)
	for i := range n {
		g[i*stride+i] *= 2
	}
}

// factorBackwardSmall is factorBackward by plain loops.
func factorBackwardSmall(g, l []float64, n, stride int) {
	for i := n - 1; i >= 0; i-- {
		row := l[i*stride : i*stride+i+1]
		gRow := g[i*stride : i*stride+i+1]
		s := 0.5 * gRow[i] / row[i]
		gRow[i] = s
		for k := range i {
			gRow[k] -= 2 * s * row[k]
		}
		for j := i - 1; j >= 0; j-- {
			other := l[j*stride : j*stride+j+1]
			gOther := g[j*stride : j*stride+j+1]
			s := gRow[j] / other[j]
			gRow[j] = s
			gOther[j] -= s * row[j]
			for k := range j {
				gRow[k] -= s * other[k]
				gOther[k] -= s * row[k]
			}
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
