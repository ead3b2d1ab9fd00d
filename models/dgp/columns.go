package dgp

import "dgplab/models/linalg/vec"

// The functions of this file loop over the columns (points) of row-major matrices.

// columnDots sets dst[n] to the inner product of column n of a and column n of tile. The rows of a
// are stride apart; tile is contiguous.
func columnDots(dst, a []float64, stride int, tile []float64) {
	w := len(dst)
	vec.Mul(dst, a[:w], tile[:w])
	for r := 1; r*w < len(tile); r++ {
		vec.AddMul(dst, a[r*stride:r*stride+w], tile[r*w:(r+1)*w])
	}
}

// columnSquares sets dst[n] to the squared norm of column n of a, whose rows are stride apart.
func columnSquares(dst, a []float64, stride, rows int) {
	clear(dst)
	for r := 0; r < rows; r++ {
		row := a[r*stride : r*stride+len(dst)]
		vec.AddMul(dst, row, row)
	}
}

// scaleColumns multiplies the first len(d) columns of a by the entries of d and writes the result
// to dst, or adds it to dst if add is set. ldDst and ldA are the row strides.
func scaleColumns(dst []float64, ldDst int, a []float64, ldA int, d []float64, rows int, add bool) {
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
