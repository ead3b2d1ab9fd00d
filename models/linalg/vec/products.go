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

// MulSum sets dst[i] to a[i]*b[i] and returns the sum, in an order that depends on the length only. It panics
// if the lengths differ.
func MulSum(dst, a, b []float64) (sum float64) {
	sameLength(len(dst), len(a), len(b))
	if active != nil && len(dst) > 0 {
		return active.mulSum(len(dst), &dst[0], &a[0], &b[0])
	}
	for i, x := range a {
		dst[i] = x * b[i]
		sum += dst[i]
	}
	return sum
}

// Div sets dst[i] to a[i]/b[i]. It panics if the lengths differ.
func Div(dst, a, b []float64) {
	sameLength(len(dst), len(a), len(b))
	if active != nil && len(dst) > 0 {
		active.div(len(dst), &dst[0], &a[0], &b[0])
		return
	}
	for i, x := range a {
		dst[i] = x / b[i]
	}
}

// AddScaled adds c*a[i] to dst[i]. It panics if the lengths differ.
func AddScaled(dst, a []float64, c float64) {
	sameLength(len(dst), len(a))
	if active != nil && len(dst) > 0 {
		active.addScaled(len(dst), &dst[0], &a[0], c)
		return
	}
	for i, x := range a {
		dst[i] += c * x
	}
}

// Scaled sets dst[i] to c*a[i]. It panics if the lengths differ.
func Scaled(dst, a []float64, c float64) {
	sameLength(len(dst), len(a))
	if active != nil && len(dst) > 0 {
		active.scaled(len(dst), &dst[0], &a[0], c)
		return
	}
	for i, x := range a {
		dst[i] = c * x
	}
}

// AddAndScaleNonPositive adds b to dst[i], and then multiplies dst[i] by c if it is zero or negative.
func AddAndScaleNonPositive(dst []float64, b, c float64) {
	if active != nil && len(dst) > 0 {
		active.addDescend(len(dst), &dst[0], b, c)
		return
	}
	for i, v := range dst {
		v += b
		if v <= 0 {
			v *= c
		}
		dst[i] = v
	}
}

// ScaleNonPositiveSum multiplies dst[i] by c if x[i] is zero or negative and returns the sum of dst, in an
// order that depends on the length only. It panics if the lengths differ.
func ScaleNonPositiveSum(dst, x []float64, c float64) (sum float64) {
	sameLength(len(dst), len(x))
	if active != nil && len(dst) > 0 {
		return active.descendSum(len(dst), &dst[0], &x[0], c)
	}
	for i, v := range x {
		if v <= 0 {
			dst[i] *= c
		}
		sum += dst[i]
	}
	return sum
}

// Dot returns the sum of a[i]*b[i], in an order that depends on the length only. It panics if the
// lengths differ.
func Dot(a, b []float64) (sum float64) {
	sameLength(len(a), len(b))
	if active != nil && len(a) > 0 {
		return active.dot(len(a), &a[0], &b[0])
	}
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
