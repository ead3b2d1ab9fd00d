package kernel

import "math"

// These are the inner loops over points, where the time goes. A vectorised
// build replaces their bodies and nothing else.

// expInto sets dst[i] to exp(src[i]); dst and src may be the same.
func expInto(dst, src []float64) {
	for i, v := range src[:len(dst)] {
		dst[i] = math.Exp(v)
	}
}

// squaredDistances sets dst[p] to the squared scaled distance between z [D] and
// point start+p of X [D][P], for as many points as dst holds. Dimensions are
// taken in pairs to halve the traffic on dst.
func squaredDistances(dst, z, X, lengthscales []float64, P, start int) {
	n := len(dst)
	clear(dst)
	d := 0
	for ; d+1 < len(z); d += 2 {
		x0 := X[d*P+start:][:n]
		x1 := X[(d+1)*P+start:][:n]
		z0, z1 := z[d], z[d+1]
		c0, c1 := 1/lengthscales[d], 1/lengthscales[d+1]
		for p := range dst {
			t0 := (z0 - x0[p]) * c0
			t1 := (z1 - x1[p]) * c1
			dst[p] += t0*t0 + t1*t1
		}
	}
	if d < len(z) {
		x0 := X[d*P+start:][:n]
		z0, c0 := z[d], 1/lengthscales[d]
		for p := range dst {
			t0 := (z0 - x0[p]) * c0
			dst[p] += t0 * t0
		}
	}
}

// weightedDifferences returns sum_p g[p] (z - x[p]) and sum_p g[p] (z - x[p])^2.
// Two partial sums of each hide the latency of the additions.
func weightedDifferences(g, x []float64, z float64) (first, second float64) {
	var a0, a1, b0, b1 float64
	x = x[:len(g)]
	p := 0
	for ; p+1 < len(g); p += 2 {
		t0, t1 := z-x[p], z-x[p+1]
		u0, u1 := g[p]*t0, g[p+1]*t1
		a0 += u0
		a1 += u1
		b0 += u0 * t0
		b1 += u1 * t1
	}
	if p < len(g) {
		t0 := z - x[p]
		u0 := g[p] * t0
		a0 += u0
		b0 += u0 * t0
	}
	return a0 + a1, b0 + b1
}

// weightedDifferencesInto is weightedDifferences and also adds
// c g[p] (z - x[p]) to dx[p].
func weightedDifferencesInto(dx, g, x []float64, z, c float64) (first, second float64) {
	var a0, a1, b0, b1 float64
	x = x[:len(g)]
	dx = dx[:len(g)]
	p := 0
	for ; p+1 < len(g); p += 2 {
		t0, t1 := z-x[p], z-x[p+1]
		u0, u1 := g[p]*t0, g[p+1]*t1
		dx[p] += c * u0
		dx[p+1] += c * u1
		a0 += u0
		a1 += u1
		b0 += u0 * t0
		b1 += u1 * t1
	}
	if p < len(g) {
		t0 := z - x[p]
		u0 := g[p] * t0
		dx[p] += c * u0
		a0 += u0
		b0 += u0 * t0
	}
	return a0 + a1, b0 + b1
}
