package dgp

import "dgplab/models/linalg/vec"

// The functions of this file process the columns (points) of row-major matrices.

// columnDots sets dst[n] to the inner product of column n of a and column n of tile. The rows of a
// are stride apart; tile is contiguous.
func columnDots(dst, a []float64, stride int, tile []float64) {
	w := len(dst)
	vec.SumProducts(dst, a, stride, tile, w, len(tile)/w)
}

// columnSquares sets dst[n] to the squared norm of column n of a, whose rows are stride apart.
func columnSquares(dst, a []float64, stride, rows int) {
	vec.SumProducts(dst, a, stride, a, stride, rows)
}

// sumColumns sets dst[n] to the sum of a[n]*b[n] over k rows of a and b, or adds it to dst[n] if
// add is set. The rows of a and b are strideA and strideB apart.
func sumColumns(dst, a []float64, strideA int, b []float64, strideB, k int, add bool) {
	if add {
		vec.AddProducts(dst, a, strideA, b, strideB, k)
	} else {
		vec.SumProducts(dst, a, strideA, b, strideB, k)
	}
}
