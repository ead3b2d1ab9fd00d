// Package vec provides vectorised functions of arrays: exp and log, elementwise products, the inner
// loops of stationary kernels and their gradients, quadrature of the probit likelihood, and
// factorisations, solves and products of many small matrices side by side.
//
// The functions are assembly for AVX-512 or for AVX2 with FMA, selected once at run time, or for NEON
// on 64-bit Arm. On all other machines, and with the build tag noasm, they are plain Go. The program
// internal/gen generates the assembly. An element of a result depends only on its operands, not on its
// position in the array or on the length or alignment of the array. All assembly versions give the same
// bits, while plain Go rounds differently.
//
// Results may overwrite operands at the same position; other overlaps are not allowed. Functions
// panic if a slice is too short.
package vec

//go:generate go run ../internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg vec
//go:generate go run ../internal/gen -arch arm64 -out kernels_arm64.s -stubs kernels_arm64.go -pkg vec

// routines holds the assembly routines of one instruction set. Pointers refer to the first of n > 0
// elements.
type routines struct {
	exp, log       func(n int, dst, src *float64)
	softplus       func(n int, dst, src *float64)
	root           func(n int, dst, src *float64)
	inverseRoot    func(n int, dst, src *float64)
	addMul, subMul func(n int, dst, a, b *float64)
	mul, div       func(n int, dst, a, b *float64)
	// addScaled and scaled multiply by one number.
	addScaled, scaled func(n int, dst, a *float64, c float64)
	// addDescend and descendSum are parts of rectifiers.
	addDescend func(n int, dst *float64, b, c float64)
	descendSum func(n int, dst, x *float64, c float64) (first float64)
	mulSum     func(n int, dst, a, b *float64) (first float64)
	dot        func(n int, a, b *float64) float64
	// distances1 processes groups of one row of z, distances4 of four rows.
	distances1, distances4 func(groups, n, dims int, dst *float64, dstStride int, x *float64,
		xStride int, z, scale *float64)
	// covariance computes a [Form] at scaled distances, slope computes [Form.Slope], and pullSlope
	// [Form.PullScaled]; the entries for Distance are nil.
	covariance   [4]func(n int, dst, distance *float64, scale, variance float64)
	slope        [4]func(n int, dst, distance *float64, scale, variance float64)
	pullSlope    [4]func(n int, dst, distance, dk *float64, scale, variance, c float64) (first float64)
	weighted     func(n int, w, x *float64, z float64) (first, second float64)
	weightedInto func(n int, w, x, dx *float64, z, c float64) (first, second float64)
	// weightedInto4 processes four rows of w.
	weightedInto4 func(n int, w *float64, wStride int, x, dx, z *float64, zStride int, c float64,
		sums *float64)
	addMoments  func(n int, mean, variance, a *float64, m, e float64)
	pullMoments func(n int, da, a, dMean, dVariance *float64, m, e float64) (first, second float64)
	// productMoments and updateMoments are the loops of probabilistic backpropagation.
	productMoments func(n int, mean, variance, a, aVariance, aSquare *float64) (first, second float64)
	updateMoments  func(n int, mean, variance, a, aVariance, aSquare, da, daVariance *float64,
		slope, half float64) (first float64)
	between func(n, dims int, dst, a *float64, aStride int, b *float64, bStride int, scale *float64)
	// both replaces squared distances by slopes and sets k to covariances.
	both [4]func(n int, k, r2 *float64, variance float64)
	// sumProducts, addProducts and addOuter process rows of the same length.
	sumProducts, addProducts func(n, k int, dst, a *float64, aStride int, b *float64, bStride int)
	addOuter                 func(n, k int, dst *float64, dstStride int, x, y *float64, yStride int)
	triangularProducts       func(n, m int, dst *float64, dstNext int, a *float64, aNext, aStep int,
		x *float64, xNext, xStep, first, more int)
	normal     func(n int, cdf, pdf, z *float64)
	probitSums func(n, nodes int, value, first, second, mean, scale, x, w *float64)
	pull       func(n int, w, a, b, da, db *float64, c float64) float64
	adam       func(n int, x, first, second, gradient, c *float64)
	// prefetch and prefetchWrite fetch cache lines.
	prefetch, prefetchWrite func(n int, x *float64)
	lanes                   laneRoutines
}

// active holds the routines in use; nil selects plain Go. Only tests change it.
var active = routinesOf(BestSet())

// sameLength panics unless all lengths are n.
func sameLength(n int, lengths ...int) {
	for _, l := range lengths {
		if l != n {
			panic("vec: slices of different lengths")
		}
	}
}
