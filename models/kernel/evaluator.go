package kernel

// evaluator evaluates the kernel of one GP at a time, in tiles of points, and accumulates gradients.
type evaluator struct {
	c       *Covariance
	leaves  []leafWork
	values  [][]float64 // of the nodes for a row of a tile, [Tile]
	weights [][]float64 // the gradients of values
	dX      []float64   // [D][P] during backward, or nil
}

// leafWork is the workspace of a function.
type leafWork struct {
	*leaf
	fast Stationary
	// params holds the parameters of the current GP; parameters that differ between columns have
	// one value per column. dParams accumulates their gradients. sums holds the gradients of all
	// GPs in the shapes of the nodes.
	params, dParams, sums [][]float64
	// points holds the active columns of a tile: feature-major for assembly, otherwise point by
	// point. dPoints is its gradient.
	points, dPoints []float64
	z, dz           []float64 // the active columns of a row
	scratch         []float64 // of assembly
}

// evaluator returns an evaluator with the parameters of GP t.
func (c *Covariance) evaluator(t int) *evaluator {
	e := &evaluator{c: c, leaves: make([]leafWork, len(c.leaves))}
	count := c.root.index + 1
	e.values = make([][]float64, count)
	e.weights = make([][]float64, count)
	for i := range count {
		e.values[i] = make([]float64, Tile)
		e.weights[i] = make([]float64, Tile)
	}
	for i, l := range c.leaves {
		d := len(l.active)
		w := leafWork{leaf: l, points: make([]float64, d*Tile), dPoints: make([]float64, d*Tile),
			z: make([]float64, d), dz: make([]float64, d)}
		if r, is := l.Function.(radial); is && r.fast != 0 && d > 0 {
			w.fast = r.fast
			w.scratch = make([]float64, d+backwardScratch(Tile))
		}
		for k, p := range l.Parameters() {
			size := 1
			if p.Each {
				size = d
			}
			w.params = append(w.params, make([]float64, size))
			w.dParams = append(w.dParams, make([]float64, size))
			w.sums = append(w.sums, make([]float64, c.nodes[i][k].Len()))
		}
		e.leaves[i] = w
	}
	e.load(t)
	return e
}

// load selects GP t.
func (e *evaluator) load(t int) {
	for i, w := range e.leaves {
		for k, values := range w.params {
			row := e.c.nodes[i][k].Row(t)
			for d := range values {
				values[d] = row[min(d, len(row)-1)]
			}
			clear(w.dParams[k])
		}
	}
}

// store adds the gradients of the parameters of GP t to the sums.
func (e *evaluator) store(t int) {
	for i, w := range e.leaves {
		for k, gradients := range w.dParams {
			cols := e.c.nodes[i][k].Cols
			row := w.sums[k][t*cols : (t+1)*cols]
			for d, g := range gradients {
				row[min(d, cols-1)] += g
			}
		}
	}
}

// prepare clears the sums. If moving is set, it also prepares the gradient of the points, which has
// the given size.
func (e *evaluator) prepare(moving bool, size int) {
	if moving {
		e.dX = cleared(e.dX, size)
	}
	for _, w := range e.leaves {
		for _, sum := range w.sums {
			clear(sum)
		}
	}
}

// collect adds the sums to the gradients of the parameters.
func (e *evaluator) collect() {
	for i, w := range e.leaves {
		for k, sum := range w.sums {
			if n := e.c.nodes[i][k]; n.Wanted() {
				addTo(n.Grad(), sum)
			}
		}
	}
}

// eachTile calls visit for each tile of P points X, [D][P], after loading the columns.
func (e *evaluator) eachTile(X []float64, P int, visit func(start, width int)) {
	for start := 0; start < P; start += Tile {
		width := min(Tile, P-start)
		for _, w := range e.leaves {
			for d, column := range w.active {
				row := X[column*P+start:][:width]
				if w.fast != 0 {
					copy(w.points[d*width:], row)
					continue
				}
				for p, x := range row {
					w.points[p*len(w.active)+d] = x
				}
			}
		}
		visit(start, width)
	}
}

// scatter adds the gradients of the loaded columns to dX.
func (e *evaluator) scatter(P, start, width int) {
	if e.dX == nil {
		return
	}
	for _, w := range e.leaves {
		for d, column := range w.active {
			row := e.dX[column*P+start:][:width]
			for p := range row {
				at := p*len(w.active) + d
				if w.fast != 0 {
					at = d*width + p
				}
				row[p] += w.dPoints[at]
			}
		}
	}
}

// rows sets rows [from, to) of dst [M][P] to the covariances of Z [M][D] and X [D][P]. same is set
// if Z and X are the same points.
func (e *evaluator) rows(dst, Z, X []float64, P, from, to int, same bool) {
	e.eachTile(X, P, func(start, width int) {
		for m := from; m < to; m++ {
			copy(dst[m*P+start:], e.row(Z, m, start, width, same))
		}
	})
}

// row returns the covariances of row m of Z and the loaded points, which begin with point start.
func (e *evaluator) row(Z []float64, m, start, width int, same bool) []float64 {
	for i := range e.leaves {
		e.leaves[i].selectRow(Z[m*e.c.inputs:])
	}
	e.c.root.evaluate(e.values, width, func(l *leaf, dst []float64) {
		w := &e.leaves[l.index]
		d := len(l.active)
		switch {
		case l.Same:
			clear(dst)
			if p := m - start; same && 0 <= p && p < width {
				dst[p] = w.value(p)
			}
		case w.fast != 0:
			w.fast.Kuf(dst, w.z, w.points, w.params[0], w.params[1][0], w.scratch, 1, d, width)
		default:
			for p := range dst {
				dst[p] = w.value(p)
			}
		}
	})
	return e.values[e.c.root.index][:width]
}

// selectRow copies the active columns of an input.
func (w *leafWork) selectRow(z []float64) {
	for d, column := range w.active {
		w.z[d] = z[column]
	}
}

// value returns the covariance of the selected row and loaded point p.
func (w *leafWork) value(p int) float64 {
	d := len(w.z)
	return w.Value(w.z, w.points[p*d:(p+1)*d], w.params)
}

// evaluate computes the values of a node from the values of its leaves.
func (n *node) evaluate(values [][]float64, width int, leafValues func(l *leaf, dst []float64)) {
	dst := values[n.index][:width]
	if n.leaf != nil {
		leafValues(n.leaf, dst)
		return
	}
	for i, term := range n.terms {
		term.evaluate(values, width, leafValues)
		row := values[term.index][:width]
		switch {
		case i == 0:
			copy(dst, row)
		case n.product:
			for p, v := range row {
				dst[p] *= v
			}
		default:
			addTo(dst, row)
		}
	}
}

// pull computes the gradients of the values of all nodes below n from the gradient of n.
func (n *node) pull(values, weights [][]float64, width int) {
	own := weights[n.index][:width]
	for i, term := range n.terms {
		dst := weights[term.index][:width]
		copy(dst, own)
		for k, other := range n.terms {
			if !n.product || k == i {
				continue
			}
			for p, v := range values[other.index][:width] {
				dst[p] *= v
			}
		}
		term.pull(values, weights, width)
	}
}

// rowsBackward accumulates the gradients of the parameters and points, given the gradient dK [M][P]
// of the result of rows. If dZ [M][D] is not nil, it adds the gradient of Z to rows [from, to) of
// dZ.
func (e *evaluator) rowsBackward(dK, Z, X, dZ []float64, P, from, to int, same bool) {
	root := e.c.root
	e.eachTile(X, P, func(start, width int) {
		for _, w := range e.leaves {
			clear(w.dPoints)
		}
		for m := from; m < to; m++ {
			e.row(Z, m, start, width, same)
			copy(e.weights[root.index], dK[m*P+start:m*P+start+width])
			root.pull(e.values, e.weights, width)
			root.eachLeaf(func(n *node) {
				w := &e.leaves[n.leaf.index]
				w.backward(e.values[n.index][:width], e.weights[n.index][:width], m-start, same)
				for d, column := range w.active {
					if dZ != nil {
						dZ[m*e.c.inputs+column] += w.dz[d]
					}
				}
			})
		}
		e.scatter(P, start, width)
	})
}

// eachLeaf calls visit for the nodes that are functions.
func (n *node) eachLeaf(visit func(*node)) {
	if n.leaf != nil {
		visit(n)
	}
	for _, term := range n.terms {
		term.eachLeaf(visit)
	}
}

// backward adds the gradients of the selected row, whose values are k, and sets dz. own is the
// position of the selected input among the points if both are from the same set.
func (w *leafWork) backward(k, dK []float64, own int, same bool) {
	clear(w.dz)
	d := len(w.z)
	if w.fast != 0 {
		g := Grad{Z: w.dz, X: w.dPoints[:d*len(k)], Lengthscales: w.dParams[0], Variance: &w.dParams[1][0]}
		w.fast.KufBackward(g, w.z, w.points, w.params[0], w.params[1][0], k, dK, w.scratch, 1, d, len(k))
		return
	}
	g := Gradient{X: w.dz, P: w.dParams}
	for p, weight := range dK {
		if w.Same && !(same && p == own) {
			continue
		}
		g.Y = w.dPoints[p*d : (p+1)*d]
		w.AddGradient(weight, w.z, w.points[p*d:(p+1)*d], w.params, g)
	}
}

// diagonal sets dst [P] to k(x, x) at X, [D][P].
func (e *evaluator) diagonal(dst, X []float64, P int) {
	e.eachTile(X, P, func(start, width int) {
		e.tileDiagonal(width)
		copy(dst[start:start+width], e.values[e.c.root.index])
	})
}

// tileDiagonal computes k(x, x) of all nodes at the loaded points.
func (e *evaluator) tileDiagonal(width int) {
	e.c.root.evaluate(e.values, width, func(l *leaf, dst []float64) {
		w := &e.leaves[l.index]
		for p := range dst {
			x := w.point(p, width)
			dst[p] = w.Value(x, x, w.params)
		}
	})
}

// point returns loaded point p.
func (w *leafWork) point(p, width int) []float64 {
	d := len(w.z)
	if w.fast == 0 {
		return w.points[p*d : (p+1)*d]
	}
	for i := range w.z {
		w.z[i] = w.points[i*width+p]
	}
	return w.z
}

// diagonalBackward accumulates the gradients, given grad, the gradient of the result of diagonal.
func (e *evaluator) diagonalBackward(grad, X []float64, P int) {
	root := e.c.root
	e.eachTile(X, P, func(start, width int) {
		e.tileDiagonal(width)
		copy(e.weights[root.index], grad[start:start+width])
		root.pull(e.values, e.weights, width)
		root.eachLeaf(func(n *node) {
			w := &e.leaves[n.leaf.index]
			clear(w.dPoints)
			for p, weight := range e.weights[n.index][:width] {
				clear(w.dz)
				x := w.point(p, width)
				w.AddGradient(weight, x, x, w.params, Gradient{X: w.dz, Y: w.dz, P: w.dParams})
				for i, v := range w.dz {
					at := p*len(w.dz) + i
					if w.fast != 0 {
						at = i*width + p
					}
					w.dPoints[at] = v
				}
			}
		})
		e.scatter(P, start, width)
	})
}
