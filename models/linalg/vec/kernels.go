package vec

import "math"

// Form is a function of the squared scaled distance r2 between two points.
type Form int

// The stationary kernels of Rasmussen and Williams, "Gaussian Processes for
// Machine Learning", 2006, chapter 4, and the distance itself.
const (
	// Distance is r2.
	Distance Form = iota
	// RBF is exp(-r2/2).
	RBF
	// Matern32 is (1+s) exp(-s) with s = sqrt(3 r2).
	Matern32
	// Matern52 is (1+s+s²/3) exp(-s) with s = sqrt(5 r2).
	Matern52
)

// KernelRow sets dst[p] to variance times the function of
//
//	r2 = sum over d of ((z[d] - x[d*stride+p]) * scale[d])²
//
// for the points p < len(dst). scale holds the reciprocals of the lengthscales,
// one for each dimension, as z does. It panics if z and scale differ in length
// or x is too short.
func (f Form) KernelRow(dst, x []float64, stride int, z, scale []float64, variance float64) {
	n, dims := len(dst), len(z)
	sameLength(dims, len(scale))
	if n == 0 {
		return
	}
	if dims > 0 {
		_ = x[(dims-1)*stride+n-1]
	}
	if active != nil && dims > 0 {
		active.rows[f](n, dims, stride, &dst[0], &x[0], &z[0], &scale[0], variance)
		return
	}
	clear(dst)
	for d, zd := range z {
		for p, xp := range x[d*stride : d*stride+n] {
			t := (zd - xp) * scale[d]
			dst[p] += t * t
		}
	}
	for p, r2 := range dst {
		dst[p] = variance * f.of(r2)
	}
}

// of returns the function of one squared distance.
func (f Form) of(r2 float64) float64 {
	switch f {
	case RBF:
		return math.Exp(-0.5 * r2)
	case Matern32:
		s := math.Sqrt(3 * r2)
		return (1 + s) * math.Exp(-s)
	case Matern52:
		s := math.Sqrt(5 * r2)
		return (1 + s + s*s/3) * math.Exp(-s)
	}
	return r2
}

// WeightedDifferences returns the sums over p of w[p]*(z-x[p]) and
// w[p]*(z-x[p])², and adds c*w[p]*(z-x[p]) to dx[p] unless dx is nil. The order
// of the sums depends on the length alone. It panics if the lengths differ.
func WeightedDifferences(dx, w, x []float64, z, c float64) (first, second float64) {
	sameLength(len(w), len(x))
	if dx != nil {
		sameLength(len(w), len(dx))
	}
	switch {
	case len(w) == 0:
		return 0, 0
	case active != nil && dx != nil:
		return active.weightedInto(len(w), &w[0], &x[0], &dx[0], z, c)
	case active != nil:
		return active.weighted(len(w), &w[0], &x[0], z)
	}
	for p, xp := range x {
		t := z - xp
		u := w[p] * t
		first += u
		second += u * t
		if dx != nil {
			dx[p] += c * u
		}
	}
	return first, second
}
