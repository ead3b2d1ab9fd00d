package fastblas

// matrix is a view of a row-major matrix in a slice, perhaps transposed:
// element (i, j) is at i*stride+j, or at j*stride+i.
type matrix struct {
	data   []float64
	stride int
	trans  bool
}

// at returns the view that begins at element (i, j).
func (m matrix) at(i, j int) matrix {
	if m.trans {
		i, j = j, i
	}
	return matrix{m.data[i*m.stride+j:], m.stride, m.trans}
}

// packSlivers packs B[0:k, 0:n] into slivers of nr columns, each [k][nr]; the
// missing columns of the last are zero.
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

// transposeTo sets dst[j*dstStride+i] = src[i*srcStride+j] for i < rows and
// j < cols.
func (kn *kernels) transposeTo(dst []float64, dstStride int, src []float64, srcStride, rows, cols int) {
	step := kn.lanes
	blocks := cols / step
	i := 0
	if blocks > 0 {
		for ; i+step <= rows; i += step {
			kn.transpose(blocks, &dst[i], dstStride, &src[i*srcStride], srcStride)
		}
	}
	whole := i
	for i = 0; i < rows; i++ {
		from := 0
		if i < whole {
			from = blocks * step
		}
		for j := from; j < cols; j++ {
			dst[j*dstStride+i] = src[i*srcStride+j]
		}
	}
}

// panel is how a packed panel of rows of A is read: element (i, p) of a panel
// is at i*row+p*col, and the next panel is size further on.
type panel struct{ row, col, size int }

// packPanels packs A[0:rows, 0:k] into panels of height rows each; the missing
// rows of the last keep what dst held, and are never stored in a result. A is
// copied row by row, whichever way it is stored: the kernels broadcast its
// elements one by one and do not care about their order.
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
