package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// The scalar covariances of Theorem 1 are quadratic and bilinear forms
// a_n^T S a'_n in the whitened kernel columns a_n of one point and the blocks of
// S_M. Here they are formed for tiles of points, never as N matrices.

// rootOf returns the lower Cholesky factor of block (i, i) of S_M.
func (p *posterior) rootOf(i int) blas64.Triangular {
	m := p.arch.M
	if k := p.denseOf[i]; k >= 0 {
		return lower(p.roots.At(k), m)
	}
	return lower(p.factor.At(p.blockOf(i, i)), m)
}

// quadratic is the operation a_n^T S_ii a_n = |C_i^T a_n|^2 for the GPs i of a
// layer, C_i the Cholesky factor of S_ii.
type quadratic struct {
	g   *graph
	gps []int
	a   *autodiff.Node // [1][M][P]
	out *autodiff.Node // [1][T_l][P]
	tiling
	projected []float64 // C_i^T a, tile by tile, [T_l][M][width]
	sums      []float64 // A diag(d) A^T by chain and GP, lower triangles
	grad, da  []float64 // gradients of out and a during backward
	forward   linalg.Loop
	backward  linalg.Loop
}

// quadratics records the quadratic forms of layer l, [1][T_l][P].
func (g *graph) quadratics(l int, a *autodiff.Node) *autodiff.Node {
	m, points := a.Rows, a.Cols
	q := &quadratic{g: g, gps: g.post.members(l), a: a, tiling: newTiling(points)}
	q.out = g.tape.Output(1, len(q.gps), points, a, g.post.factor)
	q.projected = make([]float64, len(q.gps)*m*points)
	g.work.need(2 * m * q.width)
	q.forward.Body = q.project
	q.backward.Body = q.differentiate
	return g.tape.Record(q.out, func() error {
		q.forward.Run(q.chains)
		return nil
	}, func() {
		if q.sums == nil {
			q.sums = make([]float64, q.chains*len(q.gps)*m*m)
		}
		q.grad, q.da = q.out.Grad(), nil
		if a.Wanted() {
			q.da = a.Grad()
		}
		q.backward.Run(q.chains)
		q.deliver(sumChains(q.sums, len(q.gps)*m*m))
	})
}

// tile returns C_i^T a of the k-th GP for the tile [start, end).
func (q *quadratic) tile(k, start, end int) blas64.General {
	m, w := q.a.Rows, end-start
	return general(q.projected[len(q.gps)*m*start+k*m*w:], m, w)
}

// project computes the forms of the tiles of a chain.
func (q *quadratic) project(chain int) {
	q.each(chain, func(start, end int) {
		for k, i := range q.gps {
			u := q.tile(k, start, end)
			copyTile(u.Data, q.a.Value, u.Rows, q.points, start, end)
			blas64.Trmm(blas.Left, blas.Trans, 1, q.g.post.rootOf(i), u)
			columnSquares(q.out.Row(k)[start:end], u.Data)
		}
	})
}

// differentiate adds 2 S_ii A diag(d) to the gradient of A and A diag(d) A^T to
// the chain's sums, for the tiles of a chain.
func (q *quadratic) differentiate(chain int) {
	m := q.a.Rows
	sums := q.sums[chain*len(q.gps)*m*m : (chain+1)*len(q.gps)*m*m]
	clear(sums)
	q.each(chain, func(start, end int) {
		w := end - start
		scratch := q.g.work.of(chain, 2*m*w)
		a, scaled := scratch[:m*w], scratch[m*w:]
		copyTile(a, q.a.Value, m, q.points, start, end)
		for k, i := range q.gps {
			d := q.grad[k*q.points+start : k*q.points+end]
			scaleColumns(scaled, a, d)
			linalg.LowerProduct(m, w, 1, scaled, a, 1, sums[k*m*m:])
			if q.da == nil {
				continue
			}
			u := q.tile(k, start, end)
			scaleColumns(u.Data, u.Data, d)
			blas64.Trmm(blas.Left, blas.NoTrans, 2, q.g.post.rootOf(i), u)
			addTile(q.da, u.Data, m, q.points, start, end)
		}
	})
}

// deliver adds the sums, [T_l][M][M], to the gradients of the S_ii, or what they
// make of those of L_ii where S_ii = L_ii L_ii^T is not formed.
func (q *quadratic) deliver(sums []float64) {
	p, m := q.g.post, q.a.Rows
	for k, i := range q.gps {
		ds := square(sums[k*m*m:], m)
		mirror(ds)
		if at := p.denseOf[i]; at >= 0 {
			addTo(p.diagonals.Grad()[at*m*m:(at+1)*m*m], ds.Data)
			continue
		}
		place := p.blockOf(i, i)
		blas64.Trmm(blas.Right, blas.NoTrans, 2, lower(p.factor.At(place), m), ds)
		addTo(p.factor.Grad()[place*m*m:(place+1)*m*m], ds.Data)
	}
}

// mirror copies the lower triangle of a to the upper one.
func mirror(a blas64.General) {
	for i := 0; i < a.Rows; i++ {
		for j := 0; j < i; j++ {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
}

// bilinear is the operation a_n^T S_ij a'_n for the pairs (i, j) of a group. The
// product with S_ij is taken from the lower layer's side, which for layer 1 has
// B points where others have R B: point n of the upper layer goes with point n
// mod B of the lower one. Tiles are of the lower layer's points.
type bilinear struct {
	g            *graph
	group        *pairGroup
	upper, below *autodiff.Node // [1][M][P], [1][M][P']
	out          *autodiff.Node // [1][k][P]
	tiling
	products         []float64 // S_ij a', tile by tile, [k][M][width]
	sums             []float64 // gradients of the S_ij by chain
	grad, du, db     []float64 // gradients of out, upper and below during backward
	forward, reverse linalg.Loop
}

// bilinears records the forms of a group, [1][k][P].
func (g *graph) bilinears(group *pairGroup, upper, below *autodiff.Node) *autodiff.Node {
	m, k := upper.Rows, len(group.pairs)
	f := &bilinear{g: g, group: group, upper: upper, below: below, tiling: newTiling(below.Cols)}
	f.out = g.tape.Output(1, k, upper.Cols, upper, below, g.post.pairs)
	f.products = make([]float64, k*m*below.Cols)
	g.work.need(k * m * f.width)
	f.forward.Body = f.multiply
	f.reverse.Body = f.differentiate
	return g.tape.Record(f.out, func() error {
		f.forward.Run(f.chains)
		return nil
	}, func() {
		if f.sums == nil {
			f.sums = make([]float64, f.chains*k*m*m)
		}
		f.grad, f.du, f.db = f.out.Grad(), nil, nil
		if upper.Wanted() {
			f.du = upper.Grad()
		}
		if below.Wanted() {
			f.db = below.Grad()
		}
		f.reverse.Run(f.chains)
		addTo(f.blocks(g.post.pairs.Grad()).Data, sumChains(f.sums, k*m*m))
	})
}

// blocks views the group's blocks, one above the other, [k M][M].
func (f *bilinear) blocks(all []float64) blas64.General {
	m := f.upper.Rows
	return general(all[f.group.offset*m*m:], len(f.group.pairs)*m, m)
}

// tile returns the products of the tile [start, end), [k M][width].
func (f *bilinear) tile(start, end int) blas64.General {
	rows := len(f.group.pairs) * f.upper.Rows
	return general(f.products[rows*start:], rows, end-start)
}

// multiply computes the forms of the tiles of a chain.
func (f *bilinear) multiply(chain int) {
	m, s := f.upper.Rows, f.blocks(f.g.post.pairs.Value)
	f.each(chain, func(start, end int) {
		h, w := f.tile(start, end), end-start
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, s, columnsOf(f.below.Value, m, f.points, start, end), 0, h)
		for k := range f.group.pairs {
			out, products := f.out.Row(k), h.Data[k*m*w:(k+1)*m*w]
			for at := start; at < f.upper.Cols; at += f.points {
				columnDots(out[at:at+w], f.upper.Value, f.upper.Cols, at, products)
			}
		}
	})
}

// differentiate passes the gradient on to both layers and to the chain's sums,
// for the tiles of a chain.
func (f *bilinear) differentiate(chain int) {
	m, k, wide := f.upper.Rows, len(f.group.pairs), f.upper.Cols
	s := f.blocks(f.g.post.pairs.Value)
	sums := general(f.sums[chain*k*m*m:], k*m, m)
	clear(sums.Data)
	f.each(chain, func(start, end int) {
		h, w := f.tile(start, end), end-start
		weighted := general(f.g.work.of(chain, k*m*w), k*m, w)
		for p := range f.group.pairs {
			part := weighted.Data[p*m*w : (p+1)*m*w]
			clear(part)
			for at := start; at < wide; at += f.points {
				d := f.grad[p*wide+at : p*wide+at+w]
				addWeighted(part, f.upper.Value, wide, at, d)
				if f.du != nil {
					spread(f.du, wide, at, h.Data[p*m*w:(p+1)*m*w], d)
				}
			}
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, weighted, columnsOf(f.below.Value, m, f.points, start, end), 1, sums)
		if f.db != nil {
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, s, weighted, 1, columnsOf(f.db, m, f.points, start, end))
		}
	})
}

// recordResidual records k(x, x) - |a_n|^2, [1][1][P].
func (g *graph) recordResidual(l int, a *autodiff.Node) *autodiff.Node {
	variance := g.post.layers[l].variance
	m, points := a.Rows, a.Cols
	out := g.tape.Output(1, 1, points, a, variance)
	double := make([]float64, points) // -2 d
	return g.tape.Record(out, func() error {
		columnSquares(out.Value, a.Value)
		for n, v := range out.Value {
			out.Value[n] = variance.Value[0] - v
		}
		return nil
	}, func() {
		d := out.Grad()
		var sum float64
		for n, v := range d {
			sum += v
			double[n] = -2 * v
		}
		variance.Grad()[0] += sum
		da := a.Grad()
		for r := 0; r < m; r++ {
			vec.AddMul(da[r*points:(r+1)*points], a.Row(r), double)
		}
	})
}
