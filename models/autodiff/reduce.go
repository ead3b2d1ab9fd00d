package autodiff

// Sum returns the sum of all entries of a, [1][1][1].
func (t *Tape) Sum(a *Node) *Node {
	return t.sum(t.Output(1, 1, 1, a), a, 1, a.Len(), 1)
}

// SumBatch returns the sum of the matrices of a, [1][Rows][Cols].
func (t *Tape) SumBatch(a *Node) *Node { return t.sumAlong(batchAxis, a) }

// SumRows returns the sum of the rows of every matrix, [Batch][1][Cols].
func (t *Tape) SumRows(a *Node) *Node { return t.sumAlong(rowAxis, a) }

// SumCols returns the sum of the columns of every matrix, [Batch][Rows][1].
func (t *Tape) SumCols(a *Node) *Node { return t.sumAlong(colAxis, a) }

func (t *Tape) sumAlong(x axis, a *Node) *Node {
	outer, size, inner := x.split(a)
	batch, rows, cols := x.resized(a, 1)
	return t.sum(t.Output(batch, rows, cols, a), a, outer, size, inner)
}

// sum records the sum over the middle dimension of a, viewed as [outer][size][inner].
func (t *Tape) sum(out, a *Node, outer, size, inner int) *Node {
	return t.Record(out, func() error {
		for o := 0; o < outer; o++ {
			sumMiddle(out.Value[o*inner:(o+1)*inner], a.Value[o*size*inner:(o+1)*size*inner])
		}
		return nil
	}, func() {
		da := a.Grad()
		g := out.Grad()
		for o := 0; o < outer; o++ {
			repeatMiddle(da[o*size*inner:(o+1)*size*inner], g[o*inner:(o+1)*inner])
		}
	})
}

// sumMiddle sets dst, [inner], to the sum of the rows of src, [size][inner].
func sumMiddle(dst, src []float64) {
	if len(dst) == 1 {
		var sum float64
		for _, v := range src {
			sum += v
		}
		dst[0] = sum
		return
	}
	clear(dst)
	for ; len(src) > 0; src = src[len(dst):] {
		accumulate(dst, src, 1)
	}
}

// repeatMiddle adds src, [inner], to every row of dst, [size][inner].
func repeatMiddle(dst, src []float64) {
	if len(src) == 1 {
		v := src[0]
		for i := range dst {
			dst[i] += v
		}
		return
	}
	for ; len(dst) > 0; dst = dst[len(src):] {
		accumulate(dst[:len(src)], src, 1)
	}
}
