package dgp

import "dgplab/models/linalg/vec"

// Loops over the columns (points) of row-major matrices.

// columnDots sets dst[n] to the inner product of columns n of a, whose rows are
// stride apart, and of the tile, which is contiguous.
func columnDots(dst, a []float64, stride int, tile []float64) {
	w := len(dst)
	vec.Mul(dst, a[:w], tile[:w])
	for r := 1; r*w < len(tile); r++ {
		vec.AddMul(dst, a[r*stride:r*stride+w], tile[r*w:(r+1)*w])
	}
}

// columnSquares sets dst[n] to the squared norm of column n of a, whose rows are
// stride apart.
func columnSquares(dst, a []float64, stride, rows int) {
	clear(dst)
	for r := 0; r < rows; r++ {
		row := a[r*stride : r*stride+len(dst)]
		vec.AddMul(dst, row, row)
	}
}

// weigh sets the first columns of dst to those of a times diag(d), or adds that
// to them: len(d) columns of rows that are ldDst and ldA apart.
func weigh(dst []float64, ldDst int, a []float64, ldA int, d []float64, rows int, add bool) {
	w := len(d)
	for r := 0; r < rows; r++ {
		to, from := dst[r*ldDst:r*ldDst+w], a[r*ldA:r*ldA+w]
		if add {
			vec.AddMul(to, from, d)
		} else {
			vec.Mul(to, from, d)
		}
	}
}
