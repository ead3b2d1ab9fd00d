package pointwise

import "dgplab/models/linalg/vec"

// lanes is a matrix of vectors: row r holds one number for each column of a tile, so
// that what is done to one number is done to all columns at once.
type lanes struct {
	data          []float64
	stride, width int
}

// newLanes returns rows of the given width.
func newLanes(rows, width int) lanes {
	return lanes{data: make([]float64, rows*width), stride: width, width: width}
}

// row returns row r.
func (v lanes) row(r int) []float64 { return v.data[r*v.stride:][:v.width] }

// from returns the rows from r on.
func (v lanes) from(r int) lanes {
	v.data = v.data[r*v.stride:]
	return v
}

// narrow returns lanes without gaps whose rows have another width, in the same memory.
func (v lanes) narrow(width int) lanes { return lanes{data: v.data, stride: width, width: width} }

// block returns rows that lie without gaps as one slice.
func (v lanes) block(rows int) []float64 { return v.data[:rows*v.width] }

// Packed is where row i, column j of a lower triangle is, packed row by row.
func Packed(i, j int) int { return i*(i+1)/2 + j }

// pair is where row i, column j < i of what is below a diagonal is, packed row by row.
func pair(i, j int) int { return i*(i-1)/2 + j }

// Triangle returns the number of entries of a lower triangle of n rows.
func Triangle(n int) int { return n * (n + 1) / 2 }

// multiply sets dst_i, i < m, to sum over j <= i of p_ij x_j, p a packed lower triangle.
func multiply(dst, p, x lanes, m int) {
	for i := range m {
		row := dst.row(i)
		vec.Mul(row, p.row(Packed(i, 0)), x.row(0))
		for j := 1; j <= i; j++ {
			vec.AddMul(row, p.row(Packed(i, j)), x.row(j))
		}
	}
}

// columnProduct sets dst to sum over i >= j of p_ij x_i, the product with column j
// of a packed lower triangle p of m rows.
func columnProduct(dst []float64, p, x lanes, j, m int) {
	vec.Mul(dst, p.row(Packed(j, j)), x.row(j))
	for i := j + 1; i < m; i++ {
		vec.AddMul(dst, p.row(Packed(i, j)), x.row(i))
	}
}

// addOuter adds x_i y_j to dst_ij, a packed lower triangle of m rows.
func addOuter(dst, x, y lanes, m int) {
	for i := range m {
		for j := range i + 1 {
			vec.AddMul(dst.row(Packed(i, j)), x.row(i), y.row(j))
		}
	}
}

// fill sets every number of v to c.
func fill(v []float64, c float64) {
	for i := range v {
		v[i] = c
	}
}
