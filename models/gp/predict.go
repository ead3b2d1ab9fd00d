package gp

import (
	"dgplab/models/kernel"
	"dgplab/models/linalg"
)

// tile is the number of points predicted per block.
const tile = 256

// predict computes the moments of f at x [n][D], without noise, from the factors of the last
// forward sweep. It writes the means to mean [n][P] and the variances, which all outputs share, to
// variance [n]:
//
//	mean      w^T c
//	variance  k(x, x) - |a|^2 + |c|^2
//
// Here a is the kernel column solved by the factor of K_MM and c = L_B^-1 a. For the exact GP, a is
// the kernel column solved by the factor of K + noise, the mean uses c = a, and the variance has no
// term |c|^2.
func (g *graph) predict(mean, variance, x []float64) { g.predictTerm(g.kernel, mean, variance, x) }

// predictTerm is like predict, for the part of f whose prior covariance is k, a term of the kernel.
// Its covariance with the inducing outputs, or the targets, is k as well, since terms are independent
// (Duvenaud, Nickisch, Rasmussen, "Additive Gaussian Processes", NIPS 2011, arXiv:1112.4394).
func (g *graph) predictTerm(k *kernel.Covariance, mean, variance, x []float64) {
	m, d, p := g.z.Rows, g.z.Cols, g.y.Rows
	n := len(x) / d
	width := min(tile, n)
	columns := make([]float64, d*width)
	solved := make([]float64, m*width)
	for start := 0; start < n; start += width {
		points := min(width, n-start)
		linalg.Transpose(columns, x[start*d:(start+points)*d], points, d)
		k.Kuf(solved, 0, g.z.Value, columns[:d*points])
		out := variance[start : start+points]
		k.Diagonal(out, 0, columns[:d*points])
		linalg.SolveLower(g.root, solved, m, points, points)
		addSquares(out, -1, solved[:m*points])
		if g.inner != nil {
			linalg.SolveLower(g.inner, solved, m, points, points)
			addSquares(out, 1, solved[:m*points])
		}
		linalg.Gemm(true, false, points, p, m, 1, solved, g.solution, 0, mean[start*p:])
	}
	// Rounding can make a variance negative.
	for i, v := range variance {
		variance[i] = max(v, 0)
	}
}

// addSquares adds c times the squared norm of each column of a to dst, [points].
func addSquares(dst []float64, c float64, a []float64) {
	for ; len(a) > 0; a = a[len(dst):] {
		for i := range dst {
			dst[i] += c * a[i] * a[i]
		}
	}
}
