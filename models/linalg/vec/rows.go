package vec

// The functions of this file process k rows, which have the length of dst or x and are a stride
// apart. They panic if a slice is too short.

// SumProducts sets dst[p] to the sum over r of a[r*aStride+p]*b[r*bStride+p].
func SumProducts(dst, a []float64, aStride int, b []float64, bStride, k int) {
	if k == 0 || len(dst) == 0 {
		clear(dst)
		return
	}
	n := reach(len(dst), k, len(a), aStride, len(b), bStride)
	if active != nil {
		active.sumProducts(n, k, &dst[0], &a[0], aStride, &b[0], bStride)
		return
	}
	clear(dst)
	plainProducts(dst, a, aStride, b, bStride, k)
}

// AddProducts adds the sum over r of a[r*aStride+p]*b[r*bStride+p] to dst[p].
func AddProducts(dst, a []float64, aStride int, b []float64, bStride, k int) {
	if k == 0 || len(dst) == 0 {
		return
	}
	n := reach(len(dst), k, len(a), aStride, len(b), bStride)
	if active != nil {
		active.addProducts(n, k, &dst[0], &a[0], aStride, &b[0], bStride)
		return
	}
	plainProducts(dst, a, aStride, b, bStride, k)
}

// LowerProducts multiplies lower triangular m x m matrices by vectors, one of each for n positions p: it sets
// dst[i*dstStride+p] to the sum over j <= i of a[i*aRow+j*aCol+p]*x[j*xStride+p]. Entries above the diagonal
// are not read.
func LowerProducts(
	dst []float64, dstStride int, a []float64, aRow, aCol int, x []float64, xStride, n, m int,
) {
	if n == 0 || m == 0 {
		return
	}
	reach(n, m, len(dst), dstStride, len(x), xStride)
	reach(n, m, len(a), aRow+aCol, len(a), 0)
	if active != nil {
		active.triangularProducts(n, m, &dst[0], 8*dstStride, &a[0], 8*aRow, 8*aCol,
			&x[0], 0, 8*xStride, 1, 1)
		return
	}
	for i := range m {
		SumProducts(dst[i*dstStride:][:n], a[i*aRow:], aCol, x, xStride, i+1)
	}
}

// LowerTransProducts is like LowerProducts for the transposed matrices: it sets dst[j*dstStride+p] to the sum
// over i >= j of a[i*aRow+j*aCol+p]*x[i*xStride+p].
func LowerTransProducts(
	dst []float64, dstStride int, a []float64, aRow, aCol int, x []float64, xStride, n, m int,
) {
	if n == 0 || m == 0 {
		return
	}
	reach(n, m, len(dst), dstStride, len(x), xStride)
	reach(n, m, len(a), aRow+aCol, len(a), 0)
	if active != nil {
		active.triangularProducts(n, m, &dst[0], 8*dstStride, &a[0], 8*(aRow+aCol), 8*aRow,
			&x[0], 8*xStride, 8*xStride, m, -1)
		return
	}
	for j := range m {
		SumProducts(dst[j*dstStride:][:n], a[j*(aRow+aCol):], aRow, x[j*xStride:], xStride, m-j)
	}
}

// plainProducts is AddProducts in plain Go.
func plainProducts(dst, a []float64, aStride int, b []float64, bStride, k int) {
	for r := range k {
		other := b[r*bStride:]
		for p, x := range a[r*aStride:][:len(dst)] {
			dst[p] += x * other[p]
		}
	}
}

// AddOuter adds x[p]*y[r*yStride+p] to dst[r*dstStride+p].
func AddOuter(dst []float64, dstStride int, x, y []float64, yStride, k int) {
	if k == 0 || len(x) == 0 {
		return
	}
	n := reach(len(x), k, len(dst), dstStride, len(y), yStride)
	if active != nil {
		active.addOuter(n, k, &dst[0], dstStride, &x[0], &y[0], yStride)
		return
	}
	for r := range k {
		row, other := dst[r*dstStride:], y[r*yStride:]
		for p, v := range x {
			row[p] += v * other[p]
		}
	}
}

// reach returns n. It panics unless two slices have space for k rows of n numbers.
func reach(n, k, a, aStride, b, bStride int) int {
	if k < 0 || (k-1)*aStride+n > a || (k-1)*bStride+n > b {
		panic("vec: slice too short for its rows")
	}
	return n
}
