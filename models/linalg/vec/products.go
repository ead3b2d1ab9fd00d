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

// ScaleCols multiplies column p of A [M][P] by c[p]; P is the length of c. It
// panics if A does not consist of whole rows.
func ScaleCols(A, c []float64) {
	for len(A) > 0 {
		Mul(A[:len(c)], A[:len(c)], c)
		A = A[len(c):]
	}
}

// ColDots sets c[p] to the sum over m of A[m*P+p]*B[m*P+p], for A and B [M][P];
// P is the length of c. It panics if A and B are not M whole rows.
func ColDots(c, A, B []float64, M int) {
	P := len(c)
	sameLength(M*P, len(A), len(B))
	if P == 0 {
		return
	}
	if M > 0 && active != nil {
		active.colDots(P, M, P, &c[0], &A[0], &B[0])
		return
	}
	clear(c)
	for m := range M {
		AddMul(c, A[m*P:(m+1)*P], B[m*P:(m+1)*P])
	}
}
