package layer

import "dgplab/models/linalg/vec"

// lanes is a matrix of vectors: row r holds one number for each column of a tile, so operations on
// a row process all columns at once.
type lanes struct {
	data          []float64
	stride, width int
}

// newLanes returns zero lanes with rows of the given width.
func newLanes(rows, width int) lanes {
	return lanes{data: make([]float64, rows*width), stride: width, width: width}
}

// row returns row r.
func (v lanes) row(r int) []float64 { return v.data[r*v.stride:][:v.width] }

// from returns the rows from row r on.
func (v lanes) from(r int) lanes {
	v.data = v.data[r*v.stride:]
	return v
}

// narrow returns contiguous lanes with rows of the given width, in the same memory.
func (v lanes) narrow(width int) lanes { return lanes{data: v.data, stride: width, width: width} }

// block returns the first rows, which must be contiguous, as one slice.
func (v lanes) block(rows int) []float64 { return v.data[:rows*v.width] }

// packed returns the index of row i, column j of a lower triangle that is packed row by row.
func packed(i, j int) int { return i*(i+1)/2 + j }

// pair returns the index of row i, column j < i of a strictly lower triangle that is packed row by
// row.
func pair(i, j int) int { return i*(i-1)/2 + j }

// triangle returns the number of entries of a lower triangle of n rows.
func triangle(n int) int { return n * (n + 1) / 2 }

// square is an m x m matrix for each column of a tile, row by row. In a lower triangle the entries
// above the diagonal are unused.
type square struct {
	lanes
	m int
}

func newSquare(m, width int) square { return square{newLanes(m*m, width), m} }

// at returns row i, column j.
func (s square) at(i, j int) []float64 { return s.row(i*s.m + j) }

// rest returns the data starting at row i, column j. The next column begins stride numbers later,
// and the next row begins down() numbers later.
func (s square) rest(i, j int) []float64 { return s.data[(i*s.m+j)*s.stride:] }

func (s square) down() int { return s.m * s.stride }

// narrow returns a square with fewer columns, in the same memory.
func (s square) narrow(width int) square { return square{s.lanes.narrow(width), s.m} }

// clear sets all entries of a contiguous square to 0.
func (s square) clear() { clear(s.block(s.m * s.m)) }

// multiply sets dst to the product of a lower triangle and x.
func multiply(dst lanes, p square, x lanes) {
	vec.LowerProducts(dst.data, dst.stride, p.data, p.down(), p.stride, x.data, x.stride, dst.width, p.m)
}

// multiplyTrans sets dst to the product of the transpose of a lower triangle and x.
func multiplyTrans(dst lanes, p square, x lanes) {
	vec.LowerTransProducts(dst.data, dst.stride, p.data, p.down(), p.stride, x.data, x.stride, dst.width, p.m)
}

// addOuter adds x_i y_j to dst_ij, a lower triangle.
func addOuter(dst square, x, y lanes) {
	for i := range dst.m {
		vec.AddOuter(dst.rest(i, 0), dst.stride, x.row(i), y.data, y.stride, i+1)
	}
}

// addTimes adds the product of a vector and m rows of x to the rows of dst.
func addTimes(dst lanes, by []float64, x lanes, m int) {
	vec.AddOuter(dst.data, dst.stride, by, x.data, x.stride, m)
}

// fill sets all entries of v to c.
func fill(v []float64, c float64) {
	for i := range v {
		v[i] = c
	}
}
