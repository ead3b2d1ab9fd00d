package autodiff

// axis is a dimension of a node. Sums, slices and stacks along an axis treat a node as an array
// [outer][size][inner].
type axis int

const (
	batchAxis axis = iota
	rowAxis
	colAxis
)

func (x axis) split(n *Node) (outer, size, inner int) {
	switch x {
	case batchAxis:
		return 1, n.Batch, n.Rows * n.Cols
	case rowAxis:
		return n.Batch, n.Rows, n.Cols
	default:
		return n.Batch * n.Rows, n.Cols, 1
	}
}

// resized returns the shape of n with the given size along the axis.
func (x axis) resized(n *Node, size int) (batch, rows, cols int) {
	batch, rows, cols = n.Batch, n.Rows, n.Cols
	switch x {
	case batchAxis:
		batch = size
	case rowAxis:
		rows = size
	default:
		cols = size
	}
	return batch, rows, cols
}

// accumulate computes dst = src + beta dst, with beta 0 or 1.
func accumulate(dst, src []float64, beta float64) {
	if beta == 0 {
		copy(dst, src)
		return
	}
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}
