package dgp

import "dgplab/models/linalg/vec"

// Loops over the columns (points) of row-major matrices. A tile is contiguous,
// [rows][len(d)]; a wide matrix has rows of length stride, of which the columns
// from at on are meant.

// scaleColumns sets the tile dst to a diag(d).
func scaleColumns(dst, a, d []float64) {
	for w := len(d); len(a) > 0; a, dst = a[w:], dst[w:] {
		vec.Mul(dst[:w], a[:w], d)
	}
}

// columnDots sets dst[n] to the inner product of column n of the tile with its
// column of wide.
func columnDots(dst, wide []float64, stride, at int, tile []float64) {
	clear(dst)
	for w := len(dst); len(tile) > 0; tile, at = tile[w:], at+stride {
		vec.AddMul(dst, wide[at:at+w], tile[:w])
	}
}

// setWeighted sets the tile dst to wide diag(d).
func setWeighted(dst, wide []float64, stride, at int, d []float64) {
	for w := len(d); len(dst) > 0; dst, at = dst[w:], at+stride {
		vec.Mul(dst[:w], wide[at:at+w], d)
	}
}

// addWeighted adds wide diag(d) to the tile dst.
func addWeighted(dst, wide []float64, stride, at int, d []float64) {
	for w := len(d); len(dst) > 0; dst, at = dst[w:], at+stride {
		vec.AddMul(dst[:w], wide[at:at+w], d)
	}
}

// spread adds tile diag(d) to the wide dst.
func spread(dst []float64, stride, at int, tile, d []float64) {
	for w := len(d); len(tile) > 0; tile, at = tile[w:], at+stride {
		vec.AddMul(dst[at:at+w], tile[:w], d)
	}
}
