package vec

// AddMul adds a[i]*b[i] to dst[i]. It panics if the lengths differ.
func AddMul(dst, a, b []float64) {
	sameLength(len(dst), len(a), len(b))
	if active != nil && len(dst) > 0 {
		active.addMul(len(dst), &dst[0], &a[0], &b[0])
		return
	}
	for i, x := range a {
		dst[i] += x * b[i]
	}
}

// SubMul subtracts a[i]*b[i] from dst[i]. It panics if the lengths differ.
func SubMul(dst, a, b []float64) {
	sameLength(len(dst), len(a), len(b))
	if active != nil && len(dst) > 0 {
		active.subMul(len(dst), &dst[0], &a[0], &b[0])
		return
	}
	for i, x := range a {
		dst[i] -= x * b[i]
	}
}

// Mul sets dst[i] to a[i]*b[i]. It panics if the lengths differ.
func Mul(dst, a, b []float64) {
	sameLength(len(dst), len(a), len(b))
	if active != nil && len(dst) > 0 {
		active.mul(len(dst), &dst[0], &a[0], &b[0])
		return
	}
	for i, x := range a {
		dst[i] = x * b[i]
	}
}
