package dgp

import "dgplab/models/linalg"

// operands holds the matrices of a posterior that multiply strips of points, in the layouts that the products
// read. The graphs of a posterior share them. They are prepared once for every replay of the posterior.
type operands struct {
	post   *posterior
	layers []layerOperands
	// blocks holds the used blocks of S_M, and transposed the transposes of those between two layers. Both
	// sides of a form within a layer have the same kernel columns, so only the symmetric part of its block
	// matters, which symmetric holds for i != j.
	blocks, transposed []linalg.Multiplier
	symmetric          [][]float64
	groups             []*pairGroup // of each block

	forward, reverse     linalg.Loop // over layers and blocks
	prepared, transposes int         // the last replays for which each loop was run
}

// layerOperands holds the operands of a layer.
type layerOperands struct {
	solver, reversed  linalg.Solver     // L_K and L_K^T
	means, meansTrans linalg.Multiplier // mu and its transpose
}

func newOperands(p *posterior) *operands {
	o := &operands{post: p, layers: make([]layerOperands, len(p.layers))}
	if p.pairs != nil {
		for i := range p.groups {
			for range p.groups[i].pairs {
				o.groups = append(o.groups, &p.groups[i])
			}
		}
	}
	o.blocks = make([]linalg.Multiplier, len(o.groups))
	o.transposed = make([]linalg.Multiplier, len(o.groups))
	o.symmetric = make([][]float64, len(o.groups))
	o.forward.Body = func(part int) {
		if part < len(o.layers) {
			o.prepareLayer(part)
		} else {
			o.prepareBlock(part - len(o.layers))
		}
	}
	o.reverse.Body = func(part int) {
		if part < len(o.layers) {
			o.transposeLayer(part)
		} else {
			o.transposeBlock(part - len(o.layers))
		}
	}
	return o
}

// prepare prepares the operands unless they are prepared. Graphs may then call it in parallel.
func (o *operands) prepare() { o.update(&o.prepared, &o.forward) }

// transpose prepares the transposes of the operands in the same way.
func (o *operands) transpose() { o.update(&o.transposes, &o.reverse) }

// update runs a loop once for every replay of the posterior; done is the last replay it was run for.
func (o *operands) update(done *int, loop *linalg.Loop) {
	if now := o.post.tape.Replays(); *done != now {
		loop.Run(len(o.layers) + len(o.blocks))
		*done = now
	}
}

func (o *operands) prepareLayer(l int) {
	n, to := &o.post.layers[l], &o.layers[l]
	to.solver.Set(n.root.Value, n.root.Cols, false, n.root.Rows)
	to.means.Set(n.mu.Value, n.mu.Cols, false, n.mu.Rows, n.mu.Cols)
}

func (o *operands) transposeLayer(l int) {
	n, to := &o.post.layers[l], &o.layers[l]
	to.reversed.Set(n.root.Value, n.root.Cols, true, n.root.Rows)
	to.meansTrans.Set(n.mu.Value, n.mu.Cols, true, n.mu.Cols, n.mu.Rows)
}

// block returns used block n of S_M, [rows][cols].
func (o *operands) block(n int) (block []float64, rows, cols int) {
	p, g := o.post, o.groups[n]
	return p.pairBlock(g, n-g.offset, p.pairs.Value), p.inducing[g.upper], p.inducing[g.lower]
}

func (o *operands) prepareBlock(n int) {
	block, rows, cols := o.block(n)
	if g := o.groups[n]; g.upper == g.lower && n-g.offset >= g.diagonal {
		if o.symmetric[n] == nil {
			o.symmetric[n] = make([]float64, len(block))
		}
		setSymmetric(o.symmetric[n], block, rows)
		block = o.symmetric[n]
	}
	o.blocks[n].Set(block, cols, false, rows, cols)
}

// setSymmetric sets dst to the symmetric part of src, both [m][m].
func setSymmetric(dst, src []float64, m int) {
	for i := range m {
		for j := range m {
			dst[i*m+j] = (src[i*m+j] + src[j*m+i]) / 2
		}
	}
}

func (o *operands) transposeBlock(n int) {
	if g := o.groups[n]; g.upper > g.lower {
		block, rows, cols := o.block(n)
		o.transposed[n].Set(block, cols, true, cols, rows)
	}
}

// ofGroup returns the blocks of a group and the transposed ones.
func (o *operands) ofGroup(g *pairGroup) (blocks, transposed []linalg.Multiplier) {
	end := g.offset + len(g.pairs)
	return o.blocks[g.offset:end], o.transposed[g.offset:end]
}
