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
// [M][P]. K is the result of Kuf for Z, X, lengthscales and variance. scratch holds Tile + D
// numbers and is overwritten. Gradients are finite even if a point coincides with an inducing
// input, also for the Matern kernels.
func (k Stationary) KufBackward(
	g Grad, Z, X, lengthscales []float64, variance float64, K, dK, scratch []float64, M, D, P int,
) {
	var dVariance float64
	scales := reciprocals(scratch[Tile:], lengthscales)
	for start := 0; start < P; start += Tile {
		end := min(start+Tile, P)
		w := scratch[:end-start]
		for m := range M {
			z := Z[m*D : (m+1)*D]
			if k != RBF {
				vec.Distance.KernelRow(w, X[start:], P, z, scales, 1)
			}
			dVariance += k.weights(w, K[m*P+start:m*P+end], dK[m*P+start:m*P+end])
			g.addRow(w, z, X, lengthscales, m, P, start)
		}
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
		vec.Mul(w, dK, K)
		return sumOf(w)
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

// sumOf returns the sum of v, accumulated in four interleaved parts.
func sumOf(v []float64) float64 {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a += v[0]
		b += v[1]
		c += v[2]
		d += v[3]
	}
	for _, x := range v {
		a += x
	}
	return (a + b) + (c + d)
}

// addRow adds the contribution of inducing input m, z [D], and the len(w) points starting at start
// to the gradients, given the weights w of these points.
func (g Grad) addRow(w, z, X, lengthscales []float64, m, P, start int) {
	for d, zd := range z {
		inverse := 1 / lengthscales[d]
		c := inverse * inverse
		x := X[d*P+start:][:len(w)]
		var dx []float64
		if g.X != nil {
			dx = g.X[d*P+start:][:len(w)]
		}
		first, second := vec.WeightedDifferences(dx, w, x, zd, c)
		if g.Z != nil {
			g.Z[m*len(z)+d] -= c * first
		}
		if g.Lengthscales != nil {
			g.Lengthscales[d] += c * inverse * second
		}
	}
}

// KuuBackward adds to g the gradient of a scalar, given its gradient dK [M][M] with respect to each
// entry of the result of Kuu. dK need not be symmetric. K is the result of Kuu with jitter added to
// its diagonal. scratch holds 2*M*D + Tile + D numbers and is overwritten. g.X is not used.
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
