package dgp

import "gonum.org/v1/gonum/blas/blas64"

// Loops over the columns (points) of row-major matrices. Where a matrix has
// fewer columns than the other, its columns repeat: column n of the wide one
// goes with column n mod few.

// columnSquares sets dst[n] to the squared norm of column n of a.
func columnSquares(dst []float64, a blas64.General) {
	clear(dst)
	for r := 0; r < a.Rows; r++ {
		row := a.Data[r*a.Stride : r*a.Stride+a.Cols]
		for n, v := range row {
			dst[n] += v * v
		}
	}
}

// scaleColumns sets dst to alpha a diag(d), a being [rows][len(d)].
func scaleColumns(dst, a, d []float64, alpha float64, rows int) {
	points := len(d)
	for r := 0; r < rows; r++ {
		to, from := dst[r*points:(r+1)*points], a[r*points:(r+1)*points]
		for n, v := range d {
			to[n] = alpha * v * from[n]
		}
	}
}

// columnDots sets dst[n] to the inner product of column n of wide with its
// column of narrow.
func columnDots(dst, wide, narrow []float64, rows, few int) {
	clear(dst)
	points := len(dst)
	for r := 0; r < rows; r++ {
		b := narrow[r*few : (r+1)*few]
		for start := 0; start < points; start += few {
			a := wide[r*points+start : r*points+start+few]
			c := dst[start : start+few]
			for n, v := range b {
				c[n] += v * a[n]
			}
		}
	}
}

// addScaledColumns adds narrow diag(d) to the wide dst, [rows][len(d)].
func addScaledColumns(dst, narrow, d []float64, rows, few int) {
	points := len(d)
	for r := 0; r < rows; r++ {
		b := narrow[r*few : (r+1)*few]
		for start := 0; start < points; start += few {
			c := dst[r*points+start : r*points+start+few]
			w := d[start : start+few]
			for n, v := range b {
				c[n] += v * w[n]
			}
		}
	}
}

// weighColumns sets the narrow dst, [rows][few], to the sum over repeats of
// wide diag(d).
func weighColumns(dst, wide, d []float64, rows, few int) {
	points := len(d)
	for r := 0; r < rows; r++ {
		c := dst[r*few : (r+1)*few]
		a, w := wide[r*points:r*points+few], d[:few]
		for n, v := range w {
			c[n] = v * a[n]
		}
		for start := few; start < points; start += few {
			a, w := wide[r*points+start:r*points+start+few], d[start:start+few]
			for n, v := range w {
				c[n] += v * a[n]
			}
		}
	}
}
