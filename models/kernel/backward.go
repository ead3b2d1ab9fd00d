package kernel

import "math"

// Grad says where gradients are added. Each field may be nil, which skips it.
type Grad struct {
	// Z is [M][D], like Z.
	Z []float64
	// X is [D][P], like X.
	X []float64
	// Lengthscales is [D].
	Lengthscales []float64
	// Variance is one number.
	Variance *float64
}

// KufBackward adds to g the gradient of a scalar whose gradient with respect to
// Kuf's result K [M][P] is dK [M][P]. Z, X, lengthscales and variance are those
// that K was made of. scratch holds at least min(P, Tile) numbers and is
// overwritten. Gradients are finite where a point and an inducing input
// coincide, for the Matern kernels too.
func (k Kernel) KufBackward(g Grad, Z, X, lengthscales []float64, variance float64, K, dK, scratch []float64, M, D, P int) {
	var dVariance float64
	for start := 0; start < P; start += Tile {
		end := min(start+Tile, P)
		w := scratch[:end-start]
		for m := range M {
			z := Z[m*D : (m+1)*D]
			if k.Kind != RBF {
				squaredDistances(w, z, X, lengthscales, P, start)
			}
			dVariance += k.weights(w, K[m*P+start:m*P+end], dK[m*P+start:m*P+end])
			g.addRow(w, z, X, lengthscales, m, P, start)
		}
	}
	if g.Variance != nil {
		*g.Variance += dVariance / variance
	}
}

// weights turns squared scaled distances r2 in w into the weights
// -2 dK dk/dr2, in place, and returns the sum of dK*K. The RBF kernel ignores
// what w holds. With s = sqrt(3 r2) or sqrt(5 r2), the factors -2 dk/dr2 are
//
//	rbf       k
//	matern32  3 v exp(-s)             = k 3/(1 + s)
//	matern52  5/3 v (1 + s) exp(-s)   = k 5/3 (1 + s)/(1 + s + s^2/3)
//
// where nothing is divided by r, so they are as good at r = 0 as elsewhere.
func (k Kernel) weights(w, K, dK []float64) (sum float64) {
	K, dK = K[:len(w)], dK[:len(w)]
	switch k.Kind {
	case RBF:
		for i := range w {
			gk := dK[i] * K[i]
			sum += gk
			w[i] = gk
		}
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
		panic("kernel: unknown " + k.Kind.String())
	}
	return sum
}

// addRow adds what inducing input m, z [D], contributes to the gradients by way
// of len(w) points from start on, given their weights.
func (g Grad) addRow(w, z, X, lengthscales []float64, m, P, start int) {
	for d, zd := range z {
		inverse := 1 / lengthscales[d]
		c := inverse * inverse
		x := X[d*P+start:][:len(w)]
		var first, second float64
		if g.X != nil {
			first, second = weightedDifferencesInto(g.X[d*P+start:][:len(w)], w, x, zd, c)
		} else {
			first, second = weightedDifferences(w, x, zd)
		}
		if g.Z != nil {
			g.Z[m*len(z)+d] -= c * first
		}
		if g.Lengthscales != nil {
			g.Lengthscales[d] += c * inverse * second
		}
	}
}

// KuuBackward adds to g the gradient of a scalar whose gradient with respect to
// each entry of Kuu's result K [M][M] is dK [M][M], which need not be
// symmetric. The diagonal of K is not read, so it may hold jitter. scratch holds
// at least M numbers and is overwritten. g.X is not used.
func (k Kernel) KuuBackward(g Grad, Z, lengthscales []float64, variance float64, K, dK, scratch []float64, M, D int) {
	var dVariance float64
	for i := range M {
		w := scratch[:i]
		if k.Kind != RBF {
			neighbourDistances(w, Z, lengthscales, i, D)
		}
		row := dK[i*M : i*M+M]
		dVariance += variance * row[i]
		for start := 0; start < i; start += Tile {
			n := min(Tile, i-start)
			var both [Tile]float64
			for j := range n {
				both[j] = row[start+j] + dK[(start+j)*M+i]
			}
			dVariance += k.weights(w[start:start+n], K[i*M+start:i*M+start+n], both[:n])
		}
		g.addNeighbours(w, Z, lengthscales, i, D)
	}
	if g.Variance != nil {
		*g.Variance += dVariance / variance
	}
}

// neighbourDistances sets dst[j] to the squared scaled distance between
// inducing inputs i and j < i, for j < len(dst).
func neighbourDistances(dst, Z, lengthscales []float64, i, D int) {
	clear(dst)
	for d := range D {
		c := 1 / lengthscales[d]
		zd := Z[i*D+d]
		for j := range dst {
			t := (zd - Z[j*D+d]) * c
			dst[j] += t * t
		}
	}
}

// addNeighbours adds what the pairs of inducing input i and each j < len(w)
// contribute to the gradients, given their weights.
func (g Grad) addNeighbours(w, Z, lengthscales []float64, i, D int) {
	for d := range D {
		inverse := 1 / lengthscales[d]
		c := inverse * inverse
		zd := Z[i*D+d]
		var first, second float64
		for j, wj := range w {
			t := zd - Z[j*D+d]
			u := wj * t
			first += u
			second += u * t
			if g.Z != nil {
				g.Z[j*D+d] += c * u
			}
		}
		if g.Z != nil {
			g.Z[i*D+d] -= c * first
		}
		if g.Lengthscales != nil {
			g.Lengthscales[d] += c * inverse * second
		}
	}
}
