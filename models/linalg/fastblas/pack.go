package fastblas

// matrix is a view of a row-major matrix in a slice, possibly transposed: element (i, j) is at
// i*stride+j, or at j*stride+i.
type matrix struct {
	data   []float64
	stride int
	trans  bool
}

// transposed returns the view of the transposed matrix.
func (m matrix) transposed() matrix {
	m.trans = !m.trans
	return m
}

// element returns element (i, j).
func (m matrix) element(i, j int) float64 {
	if m.trans {
		i, j = j, i
	}
	return m.data[i*m.stride+j]
}

// at returns the view that begins at element (i, j).
func (m matrix) at(i, j int) matrix {
	if m.trans {
		i, j = j, i
	}
	return matrix{m.data[i*m.stride+j:], m.stride, m.trans}
}

// packSlivers packs B[0:k, 0:n] into slivers of nr columns, each [k][nr]; missing columns of the
// last sliver are zero.
func (kn *kernels) packSlivers(dst []float64, b matrix, k, n int) {
	for j := 0; j < n; j += kn.nr {
		kn.packSliver(dst[:k*kn.nr], b.at(0, j), k, min(kn.nr, n-j))
		dst = dst[k*kn.nr:]
	}
}

// packSliver packs B[0:k, 0:cols] into one sliver.
func (kn *kernels) packSliver(dst []float64, b matrix, k, cols int) {
	if !b.trans {
		kn.copyRows(k, &dst[0], kn.nr, &b.data[0], b.stride, cols, kn.nr)
		return
	}
	if cols < kn.nr {
		clear(dst)
	}
	kn.transposeTo(dst, kn.nr, b.data, b.stride, cols, k)
}

// transposeTo sets dst[j*dstStride+i] = src[i*srcStride+j] for i < rows and j < cols. If the shape
// is not a multiple of the block size, the last blocks overlap the preceding ones.
func (kn *kernels) transposeTo(dst []float64, dstStride int, src []float64, srcStride, rows, cols int) {
	side := kn.lanes
	if rows < side || cols < side {
		for i := range rows {
			for j := range cols {
				dst[j*dstStride+i] = src[i*srcStride+j]
			}
		}
		return
	}
	for next := 0; next < rows; next += side {
		i := min(next, rows-side)
		kn.transpose(cols/side, &dst[i], dstStride, &src[i*srcStride], srcStride)
		if cols%side != 0 {
			j := cols - side
			kn.transpose(1, &dst[j*dstStride+i], dstStride, &src[i*srcStride+j], srcStride)
		}
	}
}

// panel is the layout of a packed panel of rows of A: element (i, p) is at i*row+p*col, and the
// next panel begins size elements later.
type panel struct{ row, col, size int }

// packPanels packs A[0:rows, 0:k] into panels of height rows each. Missing rows of the last panel
// keep the old contents of dst and are never stored in a result. A is copied row by row, whatever
// its storage order, because the kernels broadcast its elements individually.
func (kn *kernels) packPanels(dst []float64, a matrix, rows, k, height int) panel {
	if a.trans {
		p := panel{row: 1, col: height, size: height * k}
		for i := 0; i < rows; i += height {
			cols := min(height, rows-i)
			kn.copyRows(k, &dst[i*k], height, &a.data[i], a.stride, cols, height)
		}
		return p
	}
	p := panel{row: k, col: 1, size: height * k}
	for i := range rows {
		copy(dst[i*k:(i+1)*k], a.data[i*a.stride:i*a.stride+k])
	}
	return p
}
