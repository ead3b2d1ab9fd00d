package kernel

import (
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// Stationary is a kernel that package vec evaluates as a function of scaled distances:
//
//	k(x, x') = v form(r2), r2 = sum_d (x_d - x'_d)^2 / lengthscale_d^2
//
// Its parameters are arguments. Inducing inputs Z are [M][D], row-major; inputs X are feature-major,
// [D][P]: row d holds coordinate d of all P points. All inner loops therefore run along contiguous
// points. The methods do not allocate; slices that are too short cause a panic.
type Stationary vec.Form

const (
	// RBF is the squared exponential.
	RBF = Stationary(vec.RBF)
	// Matern32 is the Matern kernel with once differentiable sample functions.
	Matern32 = Stationary(vec.Matern32)
	// Matern52 is the Matern kernel with twice differentiable sample functions.
	Matern52 = Stationary(vec.Matern52)
)

// Form returns the kernel as a function of the squared scaled distance.
func (k Stationary) Form() vec.Form { return vec.Form(k) }

// Tile is the number of points processed at a time, chosen to keep the data of the inner loops in
// the first-level cache.
const Tile = 256

// Kuf sets dst [M][P] to the covariances of inducing inputs and points, dst[m*P+p] = k(z_m, x_p). Z
// is [M][D], X is [D][P], lengthscales is [D]. scratch holds D numbers and is overwritten.
func (k Stationary) Kuf(dst, Z, X, lengthscales []float64, variance float64, scratch []float64, M, D, P int) {
	scales := reciprocals(scratch, lengthscales)
	k.kufTile(dst, Z, X, scales, variance, M, D, P, 0, P)
}

// kufTile computes the covariances of the points [start, end). scales [D] holds the reciprocals of the
// lengthscales.
func (k Stationary) kufTile(dst, Z, X, scales []float64, variance float64, M, D, P, start, end int) {
	k.Form().Rows(dst[start:], P, X[start:], P, end-start, Z[:M*D], scales, variance)
}

// Kuu sets dst [M][M] to the covariances of the inducing inputs Z [M][D]. The result is exactly
// symmetric, with the variance on its diagonal and no jitter. scratch holds M*D + D numbers and is
// overwritten.
func (k Stationary) Kuu(dst, Z, lengthscales []float64, variance float64, scratch []float64, M, D int) {
	columns := scratch[:M*D]
	linalg.Transpose(columns, Z, M, D)
	k.Kuf(dst, Z, columns, lengthscales, variance, scratch[M*D:], M, D, M)
}

// Lower sets the lower triangle of dst [M][M] to the covariances of the inputs X [D][M] with each other. It
// overwrites a part of the entries above the diagonal. scratch holds M*D + D numbers and is overwritten.
func (k Stationary) Lower(dst, X, lengthscales []float64, variance float64, scratch []float64, M, D int) {
	rows := scratch[:M*D]
	linalg.Transpose(rows, X, D, M)
	scales := reciprocals(scratch[M*D:], lengthscales)
	const block = 32 // rows with the same number of columns
	for start := 0; start < M; start += block {
		end := min(start+block, M)
		k.Form().Rows(dst[start*M:], M, X, M, end, rows[start*D:end*D], scales, variance)
	}
}

// reciprocals sets dst [D] to 1/l for each lengthscale l, and returns it.
func reciprocals(dst, lengthscales []float64) []float64 {
	dst = dst[:len(lengthscales)]
	for d, l := range lengthscales {
		dst[d] = 1 / l
	}
	return dst
}
