package autodiff

import "fmt"

// view returns a node that shares the values of a, starting at offset.
func (t *Tape) view(a *Node, offset, batch, rows, cols int) *Node {
	out := &Node{Batch: batch, Rows: rows, Cols: cols, wanted: a.wanted, stale: true}
	out.Value = a.Value[offset : offset+out.Len() : offset+out.Len()]
	t.nodes = append(t.nodes, out)
	return t.Record(out, func() error { return nil }, func() {
		g := out.Grad()
		if len(g) == a.Len() {
			da, beta := a.GradBeta()
			accumulate(da, g, beta)
			return
		}
		accumulate(a.Grad()[offset:offset+len(g)], g, 1)
	})
}

// Reshape returns the entries of a, in the same order, as batch matrices of rows x cols. It shares
// the values with a. It panics if the number of entries differs.
func (t *Tape) Reshape(a *Node, batch, rows, cols int) *Node {
	if batch < 1 || rows < 1 || cols < 1 || batch*rows*cols != a.Len() {
		panic(fmt.Sprintf("autodiff: cannot reshape %s to %d x %d x %d", a.shape(), batch, rows, cols))
	}
	return t.view(a, 0, batch, rows, cols)
}

// Transpose returns the transposes of the matrices of a.
func (t *Tape) Transpose(a *Node) *Node {
	if a.Rows == 1 || a.Cols == 1 {
		return t.Reshape(a, a.Batch, a.Cols, a.Rows)
	}
	out := t.Output(a.Batch, a.Cols, a.Rows, a)
	size := a.Rows * a.Cols
	return t.Record(out, func() error {
		for at := 0; at < len(out.Value); at += size {
			transpose(out.Value[at:at+size], a.Value[at:at+size], a.Rows, a.Cols, 0)
		}
		return nil
	}, func() {
		g := out.Grad()
		da, beta := a.GradBeta()
		for at := 0; at < len(g); at += size {
			transpose(da[at:at+size], g[at:at+size], out.Rows, out.Cols, beta)
		}
	})
}

// transpose computes dst = src^T + beta dst, with beta 0 or 1; src is rows x cols.
func transpose(dst, src []float64, rows, cols int, beta float64) {
	if beta == 0 {
		for i := 0; i < rows; i++ {
			for j, v := range src[i*cols : (i+1)*cols] {
				dst[j*rows+i] = v
			}
		}
		return
	}
	for i := 0; i < rows; i++ {
		for j, v := range src[i*cols : (i+1)*cols] {
			dst[j*rows+i] += v
		}
	}
}

// SliceBatch returns the matrices from <= b < to of a, and shares their values with a. All slices
// panic if the range is empty or not within a.
func (t *Tape) SliceBatch(a *Node, from, to int) *Node {
	return t.slice("SliceBatch", batchAxis, a, from, to)
}

// SliceRows returns the rows from <= r < to of every matrix.
func (t *Tape) SliceRows(a *Node, from, to int) *Node {
	return t.slice("SliceRows", rowAxis, a, from, to)
}

// SliceCols returns the columns from <= c < to of every matrix.
func (t *Tape) SliceCols(a *Node, from, to int) *Node {
	return t.slice("SliceCols", colAxis, a, from, to)
}

func (t *Tape) slice(name string, x axis, a *Node, from, to int) *Node {
	outer, size, inner := x.split(a)
	if from < 0 || to > size || from >= to {
		panic(fmt.Sprintf("autodiff: %s: range [%d, %d) is not within %s", name, from, to, a.shape()))
	}
	batch, rows, cols := x.resized(a, to-from)
	if outer == 1 {
		return t.view(a, from*inner, batch, rows, cols)
	}
	out := t.Output(batch, rows, cols, a)
	offset, stride, width := from*inner, size*inner, (to-from)*inner
	return t.Record(out, func() error {
		for o := 0; o < outer; o++ {
			copy(out.Value[o*width:(o+1)*width], a.Value[o*stride+offset:])
		}
		return nil
	}, func() {
		g := out.Grad()
		da := a.Grad()
		for o := 0; o < outer; o++ {
			accumulate(da[o*stride+offset:o*stride+offset+width], g[o*width:(o+1)*width], 1)
		}
	})
}
