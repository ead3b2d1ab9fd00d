package kernel

import (
	"math"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// Grad holds the slices to which gradients are added. A nil field is skipped.
type Grad struct {
	// Z is [M][D], like Z.
	Z []float64
	// X is [D][P], like X.
	X []float64
	// Lengthscales is [D].
	Lengthscales []float64
	// Variance is a single number.
	Variance *float64
}

// KufBackward adds to g the gradient of a scalar, given its gradient dK [M][P] with respect to K
// [M][P]. K is the result of Kuf for Z, X, lengthscales and variance. scratch holds D +
// 4*Tile + 8 numbers and is overwritten. Gradients are finite even if a point coincides with an inducing
// input, also for the Matern kernels.
func (k Stationary) KufBackward(
	g Grad, Z, X, lengthscales []float64, variance float64, K, dK, scratch []float64, M, D, P int,
) {
	scales := reciprocals(scratch, lengthscales)
	for start := 0; start < P; start += Tile {
		end := min(start+Tile, P)
		k.kufTileBackward(g, Z, X, lengthscales, scales, variance, K, dK,
			scratch[D:], M, D, P, start, end)
	}
}

// backwardScratch returns the numbers of scratch memory for the gradient of the given number of points: the
// weights of four inducing inputs and eight sums.
func backwardScratch(points int) int { return 4*points + 8 }

// kufTileBackward adds the gradient of the points [start, end). scratch holds backwardScratch(end-start)
// numbers and is overwritten; scales [D] holds the reciprocals of the lengthscales.
func (k Stationary) kufTileBackward(
	g Grad, Z, X, lengthscales, scales []float64, variance float64, K, dK, scratch []float64,
	M, D, P, start, end int,
) {
	n := end - start
	w, sums := scratch[:4*n], scratch[4*n:4*n+8]
	var dVariance float64
	for m := 0; m < M; m += 4 {
		rows := min(4, M-m)
		for r := m; r < m+rows; r++ {
			row := w[(r-m)*n : (r-m+1)*n]
			if k != RBF {
				vec.Distance.KernelRow(row, X[start:], P, Z[r*D:(r+1)*D], scales, 1)
			}
			dVariance += k.weights(row, K[r*P+start:r*P+end], dK[r*P+start:r*P+end])
		}
		g.addRows(w[:rows*n], Z, X, lengthscales, sums, m, rows, P, start, end)
	}
	if g.Variance != nil {
		*g.Variance += dVariance / variance
	}
}

// weights replaces the squared scaled distances r2 in w by the weights -2 dK dk/dr2 and returns the
// sum of dK*K. The RBF kernel ignores the contents of w. With s = sqrt(3 r2) or sqrt(5 r2), the
// factors -2 dk/dr2 are
//
//	rbf       k
//	matern32  3 v exp(-s)             = k 3/(1 + s)
//	matern52  5/3 v (1 + s) exp(-s)   = k 5/3 (1 + s)/(1 + s + s^2/3)
//
// They do not divide by r, so they are equally accurate at r = 0.
func (k Stationary) weights(w, K, dK []float64) (sum float64) {
	K = K[:len(w)]
	dK = dK[:len(w)]
	switch k {
	case RBF:
		sum = vec.MulSum(w, dK, K)
	case Matern32:
		for i, r2 := range w {
			gk := dK[i] * K[i]
			sum += gk
			w[i] = 3 * gk / (1 + math.Sqrt(3*r2))
		}
	case Matern52:
		for i, r2 := range w {
			gk := dK[i] * K[i]
			sum += gk
			s := math.Sqrt(5 * r2)
			w[i] = 5 * gk * (1 + s) / (3 + 3*s + s*s)
		}
	default:
		panic("kernel: a form without a gradient")
	}
	return sum
}

// addRows adds the contribution of the points [start, end) and at most four inducing inputs, the rows
// of Z from m, to the gradients. w [rows][end-start] holds the weights of the points. sums [8] is
// overwritten.
func (g Grad) addRows(w, Z, X, lengthscales, sums []float64, m, rows, P, start, end int) {
	D := len(lengthscales)
	n := end - start
	for d, l := range lengthscales {
		inverse := 1 / l
		c := inverse * inverse
		x := X[d*P+start : d*P+end]
		z := Z[m*D+d:]
		var dx []float64
		if g.X != nil {
			dx = g.X[d*P+start : d*P+end]
		}
		first, second := sums[:4], sums[4:]
		if rows == 4 {
			vec.WeightedDifferences4(dx, w, x, z, D, c, sums)
		} else {
			for r := range rows {
				first[r], second[r] = vec.WeightedDifferences(dx, w[r*n:(r+1)*n], x, z[r*D], c)
			}
		}
		for r := range rows {
			if g.Z != nil {
				g.Z[(m+r)*D+d] -= c * first[r]
			}
			if g.Lengthscales != nil {
				g.Lengthscales[d] += c * inverse * second[r]
			}
		}
	}
}

// KuuBackward adds to g the gradient of a scalar, given its gradient dK [M][M] with respect to each
// entry of the result of Kuu. dK need not be symmetric. K is the result of Kuu with jitter added to
// its diagonal. scratch holds 2*M*D + D +
// 4*Tile + 8 numbers and is overwritten. g.X is not used.
func (k Stationary) KuuBackward(
	g Grad, Z, lengthscales []float64, variance, jitter float64, K, dK, scratch []float64, M, D int,
) {
	columns, dColumns, tile := scratch[:M*D], scratch[M*D:2*M*D], scratch[2*M*D:]
	linalg.Transpose(columns, Z, M, D)
	clear(dColumns)
	other := g
	if g.Z != nil {
		other.X = dColumns
	}
	k.KufBackward(other, Z, columns, lengthscales, variance, K, dK, tile, M, D, M)
	for d := range D {
		for m := range M {
			if g.Z != nil {
				g.Z[m*D+d] += dColumns[d*M+m]
			}
		}
	}
	if g.Variance != nil {
		// The jitter does not scale with the variance.
		for i := range M {
			*g.Variance -= dK[i*M+i] * jitter / variance
		}
	}
}
