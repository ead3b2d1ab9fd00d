package fastblas

// Strips is a matrix with a column for each of some points, in the layout that the kernels read: strips of
// adjacent columns, each [rows][columns of a strip]. A strip of a hundred rows fits in the first-level cache.
//
// Operations on strips run on the calling goroutine and do not allocate in the steady state. They panic if
// shapes do not match or a slice is too short. Without assembly, all columns are one strip.
type Strips struct {
	Rows, Cols int
	width      int // columns of a strip
	height     int // rows of a strip; a Solver expects zeros in those beyond Rows
	data       aligned
	offset     int // in the memory of a list of strips
}

// NewStrips returns a list of matrices with room for the given shape, in one piece of memory.
func NewStrips(count, rows, cols int) []Strips {
	list := make([]Strips, count)
	var shape Strips
	shape.shape(rows, cols)
	size := roundUp(shape.size(), line)
	var all aligned
	all.grow(count*size, 0)
	for i := range list {
		list[i].shape(rows, cols)
		list[i].data = all[i*size : (i+1)*size : (i+1)*size]
		list[i].offset = i * size
	}
	return list
}

// Resize sets the shape. The contents are undefined.
func (s *Strips) Resize(rows, cols int) {
	s.shape(rows, cols)
	s.data.grow(s.size(), 0)
}

// shape sets the shape without providing memory.
func (s *Strips) shape(rows, cols int) {
	s.Rows, s.Cols = rows, cols
	s.width, s.height = cols, rows
	if active != nil {
		s.width, s.height = active.nr, roundUp(rows, active.mr)
	}
}

// size returns the number of values in all strips.
func (s *Strips) size() int { return s.Count() * s.height * s.width }

// Count returns the number of strips.
func (s *Strips) Count() int { return ceil(s.Cols, s.width) }

// strip returns strip j, [height][width].
func (s *Strips) strip(j int) []float64 {
	size := s.height * s.width
	return s.data[j*size : (j+1)*size]
}

// columns returns the number of columns of strip j.
func (s *Strips) columns(j int) int { return min(s.width, s.Cols-j*s.width) }

// Elements returns the elements of strip j, [Rows][width], of which the first columns belong to s and the
// others are undefined.
func (s *Strips) Elements(j int) (elements []float64, width, columns int) {
	return s.strip(j)[:s.Rows*s.width], s.width, s.columns(j)
}

// part returns strip j as a matrix that shares its elements, and its first column.
func (s *Strips) part(j int) (part Strips, first int) {
	part = *s
	part.Cols, part.data = s.columns(j), s.strip(j)
	return part, j * s.width
}

// Clear sets all elements to zero.
func (s *Strips) Clear() { clear(s.data[:s.size()]) }

// ClearPadding sets the elements of the last strip beyond the last column to zero.
func (s *Strips) ClearPadding() {
	elements, width, columns := s.Elements(s.Count() - 1)
	for at := 0; columns < width && at < len(elements); at += width {
		clear(elements[at+columns : at+width])
	}
}

// Copy sets s to other.
func (s *Strips) Copy(other *Strips) {
	s.Resize(other.Rows, other.Cols)
	copy(s.data[:s.size()], other.data)
}

// Pack copies the columns from the row-major matrix src with the given stride.
func (s *Strips) Pack(src []float64, stride int) {
	require(fits(src, stride, s.Rows, s.Cols))
	for j := range s.Count() {
		strip := s.strip(j)
		copyMatrix(strip, s.width, src[j*s.width:], stride, s.Rows, s.columns(j), s.width)
		clear(strip[s.Rows*s.width:])
	}
}

// PackTransposed copies the transpose of the row-major matrix src, [Cols][Rows] with the given stride.
func (s *Strips) PackTransposed(src []float64, stride int) {
	require(fits(src, stride, s.Cols, s.Rows))
	for j := range s.Count() {
		strip, from, columns := s.strip(j), src[j*s.width*stride:], s.columns(j)
		if active == nil {
			for n := range columns {
				for i := range s.Rows {
					strip[i*s.width+n] = from[n*stride+i]
				}
			}
			continue
		}
		if columns < s.width {
			clear(strip)
		}
		active.transposeTo(strip, s.width, from, stride, columns, s.Rows)
		clear(strip[s.Rows*s.width:])
	}
}

// Unpack copies the columns to the row-major matrix dst with the given stride.
func (s *Strips) Unpack(dst []float64, stride int) {
	require(fits(dst, stride, s.Rows, s.Cols))
	for j := range s.Count() {
		columns := s.columns(j)
		copyMatrix(dst[j*s.width:], stride, s.strip(j), s.width, s.Rows, columns, columns)
	}
}

// copyMatrix copies rows of cols numbers, which it pads with zeros to padded numbers.
func copyMatrix(dst []float64, dstStride int, src []float64, srcStride, rows, cols, padded int) {
	if active != nil {
		active.copyRows(rows, &dst[0], dstStride, &src[0], srcStride, cols, padded)
		return
	}
	for i := range rows {
		copy(dst[i*dstStride:i*dstStride+cols], src[i*srcStride:i*srcStride+cols])
	}
}

// Add adds other, which has the same shape.
func (s *Strips) Add(other *Strips) {
	require(s.Rows == other.Rows && s.Cols == other.Cols)
	reference.Daxpy(s.size(), 1, other.data, 1, s.data, 1)
}

// require panics unless the arguments of an operation on strips are valid.
func require(valid bool) {
	if !valid {
		panic("fastblas: bad shape")
	}
}
