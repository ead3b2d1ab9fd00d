package vec

// Between sets dst[p] to variance times the form evaluated at
//
//	r2 = sum over d of ((a[d*aStride+p] - b[d*bStride+p]) * scale[d])²
//
// for len(dst) pairs of points: a and b are [D][n] with a stride. scale, [D], holds the reciprocals
// of the lengthscales; D is at least 1. The form Distance ignores the variance. Between panics if a
// slice is too short.
func (f Form) Between(
	dst, a []float64, aStride int, b []float64, bStride int, scale []float64, variance float64,
) {
	n := len(dst)
	last := len(scale) - 1
	if n == 0 {
		return
	}
	_, _ = a[last*aStride+n-1], b[last*bStride+n-1]
	if active != nil {
		active.between(n, len(scale), &dst[0], &a[0], aStride, &b[0], bStride, &scale[0])
	} else {
		clear(dst)
		for d, c := range scale {
			other := b[d*bStride:]
			for p, x := range a[d*aStride : d*aStride+n] {
				t := (x - other[p]) * c
				dst[p] += t * t
			}
		}
	}
	f.Covariance(dst, variance)
}

// CovarianceSlope sets k to the covariances, as in Covariance, of the squared scaled distances r2,
// and r2 to the slopes, as in Slope. It panics if the lengths differ, and for the form Distance.
func (f Form) CovarianceSlope(k, r2 []float64, variance float64) {
	sameLength(len(k), len(r2))
	switch {
	case f == Distance:
		panic("vec: Distance has no slope")
	case len(k) == 0:
	case active != nil:
		active.both[f](len(k), &k[0], &r2[0], variance)
	default:
		copy(k, r2)
		f.Covariance(k, variance)
		f.Slope(r2, variance)
	}
}

// Pull propagates weights w of the differences t = a[p]-b[p] to both points: it subtracts c*w[p]*t
// from da[p], adds it to db[p] and returns the sum of w[p]*t², in an order that depends on the
// length only. It panics if the lengths differ.
func Pull(w, a, b, da, db []float64, c float64) (sum float64) {
	sameLength(len(w), len(a), len(b), len(da), len(db))
	if active != nil && len(w) > 0 {
		return active.pull(len(w), &w[0], &a[0], &b[0], &da[0], &db[0], c)
	}
	for p, x := range a {
		t := x - b[p]
		u := w[p] * t
		sum += u * t
		da[p] -= c * u
		db[p] += c * u
	}
	return sum
}
