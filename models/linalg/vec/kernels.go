package vec

import "math"

// Form is a function of the squared scaled distance r2 between two points.
type Form int

// The stationary kernels of Rasmussen and Williams, "Gaussian Processes for Machine Learning",
// 2006, chapter 4, and the distance itself.
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

// strip is the number of points processed at a time. Points of a dozen dimensions then fit in the
// first-level cache.
const strip = 256

// Rows sets dst[m*dstStride+p] to variance times the form evaluated at
//
//	r2 = sum over d of ((z[m*D+d] - x[d*xStride+p]) * scale[d])²
//
// for all rows m of z, [M][D], and the points p < n of x, [D][n] with a stride. scale, [D], holds
// the reciprocals of the lengthscales; D is at least 1. The form Distance ignores the variance.
// Rows panics if a slice is too short or z does not consist of whole rows.
func (f Form) Rows(
	dst []float64, dstStride int, x []float64, xStride, n int, z, scale []float64, variance float64,
) {
	dims := len(scale)
	if dims == 0 {
		panic("vec: points without dimensions")
	}
	m := len(z) / dims
	sameLength(m*dims, len(z))
	if n <= 0 || m == 0 {
		return
	}
	_, _ = x[(dims-1)*xStride+n-1], dst[(m-1)*dstStride+n-1]
	for start := 0; start < n; start += strip {
		size := min(strip, n-start)
		// Rows without gaps are processed together as long as they fit in the first-level cache.
		together := 4
		if dstStride == size {
			together = max(4, cached/size/4*4)
		}
		for i := 0; i < m; i += together {
			rows := min(together, m-i)
			out := dst[i*dstStride+start:]
			squaredDistances(out, dstStride, x[start:], xStride, size, z[i*dims:(i+rows)*dims], scale)
			if dstStride == size {
				f.Covariance(out[:rows*size], variance)
				continue
			}
			for r := range rows {
				f.Covariance(out[r*dstStride:r*dstStride+size], variance)
			}
		}
	}
}

// cached is the number of values that are processed together.
const cached = 4 * strip

// squaredDistances is Rows for the form Distance and not too many points.
func squaredDistances(dst []float64, dstStride int, x []float64, xStride, n int, z, scale []float64) {
	dims := len(scale)
	m := len(z) / dims
	if active == nil {
		for i := range m {
			plainDistances(dst[i*dstStride:i*dstStride+n], x, xStride, z[i*dims:(i+1)*dims], scale)
		}
		return
	}
	four := m / 4
	if four > 0 {
		active.distances4(four, n, dims, &dst[0], dstStride, &x[0], xStride, &z[0], &scale[0])
	}
	if rest := m % 4; rest > 0 {
		i := 4 * four
		active.distances1(rest, n, dims, &dst[i*dstStride], dstStride, &x[0], xStride, &z[i*dims], &scale[0])
	}
}

// KernelRow is like [Form.Rows], for one row z and len(dst) points.
func (f Form) KernelRow(dst, x []float64, stride int, z, scale []float64, variance float64) {
	sameLength(len(z), len(scale))
	f.Rows(dst, len(dst), x, stride, len(dst), z, scale, variance)
}

// plainDistances computes the distances of one row in plain Go.
func plainDistances(dst, x []float64, stride int, z, scale []float64) {
	clear(dst)
	for d, zd := range z {
		for p, xp := range x[d*stride : d*stride+len(dst)] {
			t := (zd - xp) * scale[d]
			dst[p] += t * t
		}
	}
}

// Covariance replaces squared scaled distances by variance times the form. The form Distance does
// not change dst.
func (f Form) Covariance(dst []float64, variance float64) {
	if f != Distance {
		f.Scaled(dst, dst, 1, variance)
	}
}

// Scaled sets dst[p] to variance times the form at scale*distance[p], or to scale*distance[p] for the form
// Distance. It panics if the lengths differ.
func (f Form) Scaled(dst, distance []float64, scale, variance float64) {
	sameLength(len(dst), len(distance))
	switch {
	case f == Distance:
		Scaled(dst, distance, scale)
	case len(dst) == 0:
	case active != nil:
		active.covariance[f](len(dst), &dst[0], &distance[0], scale, variance)
	default:
		for p, r2 := range distance {
			dst[p] = variance * f.of(scale*r2)
		}
	}
}

// of returns the form at one squared distance.
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

// Slope replaces squared scaled distances r2 by -2 dk/dr2, where k is variance times the form at
// r2. It is finite at 0; for RBF it equals k. It panics for the form Distance.
func (f Form) Slope(dst []float64, variance float64) {
	switch {
	case f == Distance:
		panic("vec: Distance has no slope")
	case len(dst) == 0:
	case active != nil:
		active.slope[f](len(dst), &dst[0], &dst[0], 1, variance)
	default:
		for p, r2 := range dst {
			dst[p] = variance * f.slopeAt(r2)
		}
	}
}

// PullScaled is the backward pass of Scaled for the distances, up to a factor: with w[p] the product of dk[p]
// and the slope at scale*distance[p], as in Slope, it adds c*w[p] to dst[p] and returns the sum of
// w[p]*distance[p], in an order that depends on the length only. It panics if the lengths differ, and for
// the form Distance.
func (f Form) PullScaled(dst, distance, dk []float64, scale, variance, c float64) (sum float64) {
	sameLength(len(dst), len(distance), len(dk))
	switch {
	case f == Distance:
		panic("vec: Distance has no slope")
	case len(dst) == 0:
	case active != nil:
		return active.pullSlope[f](len(dst), &dst[0], &distance[0], &dk[0], scale, variance, c)
	}
	for p, r2 := range distance {
		w := variance * f.slopeAt(scale*r2) * dk[p]
		dst[p] += c * w
		sum += w * r2
	}
	return sum
}

// slopeAt returns -2 times the derivative of the form at one squared distance.
func (f Form) slopeAt(r2 float64) float64 {
	switch f {
	case Matern32:
		return 3 * math.Exp(-math.Sqrt(3*r2))
	case Matern52:
		s := math.Sqrt(5 * r2)
		return 5.0 / 3 * (1 + s) * math.Exp(-s)
	}
	return f.of(r2)
}

// WeightedDifferences returns the sums over p of w[p]*(z-x[p]) and w[p]*(z-x[p])², and adds
// c*w[p]*(z-x[p]) to dx[p] unless dx is nil. The order of the sums depends on the length only. It
// panics if the lengths differ.
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

// WeightedDifferences4 calls WeightedDifferences for four rows of w, [4][len(x)], and four numbers z,
// which are stride apart, and stores the results in sums: the four first ones and then the four
// second ones. It gives the same bits, but takes about half the time.
func WeightedDifferences4(dx, w, x, z []float64, stride int, c float64, sums []float64) {
	n := len(x)
	sameLength(4*n, len(w))
	sameLength(8, len(sums))
	if active != nil && dx != nil && n > 0 {
		sameLength(n, len(dx))
		_ = z[3*stride]
		active.weightedInto4(n, &w[0], n, &x[0], &dx[0], &z[0], stride, c, &sums[0])
		return
	}
	for m := range 4 {
		sums[m], sums[4+m] = WeightedDifferences(dx, w[m*n:(m+1)*n], x, z[m*stride], c)
	}
}
