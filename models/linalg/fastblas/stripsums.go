package fastblas

// Dots sets dst to the inner products of the columns of s with the columns of other, of which the rows
// begin at row from.
func (s *Strips) Dots(dst []float64, other *Strips, from int) {
	require(len(dst) >= s.Cols && s.Cols == other.Cols && from+s.Rows <= other.Rows)
	if active == nil {
		plainDots(dst[:s.Cols], s.data, other.data[from*s.Cols:], s.Rows)
		return
	}
	whole := s.Cols / s.width
	if whole > 0 {
		active.dotStrips(whole, s.Rows, &dst[0], s.width, &s.data[0], s.height*s.width,
			&other.data[from*s.width], other.height*s.width)
	}
	if s.Cols%s.width > 0 {
		s.dotsOfStrip(dst[whole*s.width:], whole, other, from)
	}
}

// dotsOfStrip is Dots for strip j, which may be incomplete.
func (s *Strips) dotsOfStrip(dst []float64, j int, other *Strips, from int) {
	memory := scratches.Get()
	padded := memory.tile.resize(s.width)
	active.dotStrips(1, s.Rows, &padded[0], 0, &s.strip(j)[0], 0, &other.strip(j)[from*s.width], 0)
	copy(dst, padded[:s.columns(j)])
	scratches.Put(memory)
}

// plainDots is Dots without assembly.
func plainDots(dst, a, b []float64, rows int) {
	width := len(dst)
	clear(dst)
	for i := range rows {
		for n := range dst {
			dst[n] += a[i*width+n] * b[i*width+n]
		}
	}
}

// AddScaled adds to s the matrices that are stacked in a, count times Rows rows, with each column of
// matrix k multiplied by its entry of row k of w, [count][Cols] with the given stride.
func (s *Strips) AddScaled(a *Strips, count int, w []float64, stride int) {
	require(fits(w, stride, count, s.Cols) && s.Cols == a.Cols && count*s.Rows <= a.Rows)
	if active == nil {
		for k := range count {
			plainAddScaled(s.data, a.data[k*s.Rows*s.Cols:], w[k*stride:], s.Rows, s.Cols)
		}
		return
	}
	whole, apart := s.Cols/s.width, s.Rows*s.width
	if whole > 0 {
		active.addScaledStrips(whole, s.Rows, count, &s.data[0], s.height*s.width,
			&a.data[0], a.height*s.width, apart, &w[0], s.width, stride)
	}
	if s.Cols%s.width > 0 {
		s.addScaledStrip(whole, a, apart, count, w[whole*s.width:], stride)
	}
}

// SetScaledSum sets s to the sum of matrices of the same shape, with each column of list[k] multiplied by its
// entry of row k of w, [len(list)][Cols] with the given stride. The matrices are adjacent in a list from
// [NewStrips].
func (s *Strips) SetScaledSum(list []Strips, w []float64, stride int) {
	require(fits(w, stride, len(list), s.Cols))
	if active == nil {
		s.Clear()
		for k := range list {
			plainAddScaled(s.data, list[k].data, w[k*stride:], s.Rows, s.Cols)
		}
		return
	}
	for j := range s.Count() {
		strip, first := s.strip(j), j*s.width
		clear(strip) // It stays in the first-level cache.
		if s.columns(j) < s.width {
			s.addScaledStrip(j, &list[0], apart(list), len(list), w[first:], stride)
			continue
		}
		active.addScaledStrips(1, s.Rows, len(list), &strip[0], 0, &list[0].strip(j)[0], 0, apart(list),
			&w[first], 0, stride)
	}
}

// apart returns the distance in memory between adjacent matrices of a list.
func apart(list []Strips) int {
	if len(list) == 1 {
		return 0
	}
	return list[1].offset - list[0].offset
}

// addScaledStrip adds to strip j, which may be incomplete, matrices that are apart elements apart, with their
// columns multiplied by w, [count][columns] with the given stride.
func (s *Strips) addScaledStrip(j int, a *Strips, apart, count int, w []float64, stride int) {
	memory := scratches.Get()
	padded := memory.weights.resize(count * s.width)
	copyMatrix(padded, s.width, w, stride, count, s.columns(j), s.width)
	active.addScaledStrips(1, s.Rows, count, &s.strip(j)[0], 0, &a.strip(j)[0], 0, apart,
		&padded[0], 0, s.width)
	scratches.Put(memory)
}

// plainAddScaled adds one matrix without assembly.
func plainAddScaled(dst, src, w []float64, rows, columns int) {
	for i := range rows {
		for n := range columns {
			dst[i*columns+n] += src[i*columns+n] * w[n]
		}
	}
}

// reusedStrips is the number of values of strips that are used several times while they are in the
// first-level cache.
const reusedStrips = 4096

// AddScaledToEach is AddScaled for several matrices, which are adjacent in a list from [NewStrips]. The
// weights of each are next apart.
func AddScaledToEach(list []Strips, a *Strips, count int, w []float64, next, stride int) {
	s, repeats := &list[0], len(list)
	if active == nil || s.Cols%s.width > 0 || repeats == 1 {
		for r := range list {
			list[r].AddScaled(a, count, w[r*next:], stride)
		}
		return
	}
	require(fits(w[(repeats-1)*next:], stride, count, s.Cols) && s.Cols == a.Cols && count*s.Rows <= a.Rows)
	size := s.Rows * s.width
	group := max(1, reusedStrips/size)
	for j := range s.Count() {
		strip, from := s.strip(j), a.strip(j)
		for k := 0; k < count; k += group {
			active.addScaledStrips(repeats, s.Rows, min(group, count-k),
				&strip[0], apart(list), &from[k*size], 0, size,
				&w[k*stride+j*s.width], next, stride)
		}
	}
}
