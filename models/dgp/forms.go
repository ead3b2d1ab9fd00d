package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// The scalar covariances of Theorem 1 are quadratic and bilinear forms
// a_n^T S a'_n in the whitened kernel columns a_n of one point and the blocks of
// S_M. Here they are formed for all points at once, never as N matrices.

// rootOf returns the lower Cholesky factor of block (i, i) of S_M.
func (p *posterior) rootOf(i int) []float64 {
	if k := p.denseOf[i]; k >= 0 {
		return p.roots.At(k)
	}
	return p.factor.At(p.blockOf(i, i))
}

// quadratics records a_n^T S_ii a_n = |C_i^T a_n|^2 for the GPs i of layer l,
// C_i the Cholesky factor of S_ii: [1][T_l][P], a being [1][M][P].
func (g *graph) quadratics(l int, a *autodiff.Node) *autodiff.Node {
	p := g.post
	m, points := a.Rows, a.Cols
	gps := p.members(l)
	inputs := []*autodiff.Node{a, p.factor}
	out := g.tape.Output(1, len(gps), points, inputs...)
	projected := make([]float64, len(gps)*m*points) // C_i^T a
	g.work.need(m*points + m*m)
	return g.tape.Record(out, func() error {
		for t, i := range gps {
			u := general(projected[t*m*points:], m, points)
			copy(u.Data, a.Value)
			blas64.Trmm(blas.Left, blas.Trans, 1, lower(p.rootOf(i), m), u)
			columnSquares(out.Row(t), u)
		}
		return nil
	}, func() {
		grad := out.Grad()
		for t, i := range gps {
			d := grad[t*points : (t+1)*points]
			g.quadraticBackward(i, a, d)
			if !a.Wanted() {
				continue
			}
			u := general(projected[t*m*points:], m, points)
			scaleColumns(u.Data, u.Data, d, 2, m)
			blas64.Trmm(blas.Left, blas.NoTrans, 1, lower(p.rootOf(i), m), u)
			addTo(a.Grad(), u.Data)
		}
	})
}

// quadraticBackward adds A diag(d) A^T to the gradient of S_ii, or what it
// makes of that of L_ii where S_ii = L_ii L_ii^T is not formed.
func (g *graph) quadraticBackward(i int, a *autodiff.Node, d []float64) {
	p := g.post
	m, points := a.Rows, a.Cols
	scaled := general(g.work.buf, m, points)
	ds := square(g.work.buf[m*points:], m)
	scaleColumns(scaled.Data, a.Value, d, 1, m)
	linalg.LowerProduct(m, points, 1, scaled.Data, a.Value, 0, ds.Data)
	mirror(ds)
	if k := p.denseOf[i]; k >= 0 {
		addTo(p.diagonals.Grad()[k*m*m:(k+1)*m*m], ds.Data)
		return
	}
	place := p.blockOf(i, i)
	blas64.Trmm(blas.Right, blas.NoTrans, 2, lower(p.factor.At(place), m), ds)
	addTo(p.factor.Grad()[place*m*m:(place+1)*m*m], ds.Data)
}

// mirror copies the lower triangle of a to the upper one.
func mirror(a blas64.General) {
	for i := 0; i < a.Rows; i++ {
		for j := 0; j < i; j++ {
			a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
		}
	}
}

// bilinears records a_n^T S_ij a'_n for the pairs (i, j) of a group: [1][k][P],
// with P the points of the upper layer. The product with S_ij is taken from the
// lower layer's side, which for layer 1 has B points where others have R B.
func (g *graph) bilinears(group *pairGroup, upper, below *autodiff.Node) *autodiff.Node {
	p := g.post
	m, k := upper.Rows, len(group.pairs)
	points, few := upper.Cols, below.Cols
	out := g.tape.Output(1, k, points, upper, below, p.pairs)
	products := make([]float64, k*m*few)
	g.work.need(k * m * few)
	blocks := func(all []float64) blas64.General {
		return general(all[group.offset*m*m:], k*m, m)
	}
	return g.tape.Record(out, func() error {
		h := general(products, k*m, few)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, blocks(p.pairs.Value), general(below.Value, m, few), 0, h)
		for s := 0; s < k; s++ {
			columnDots(out.Row(s), upper.Value, products[s*m*few:], m, few)
		}
		return nil
	}, func() {
		grad := out.Grad()
		weighted := general(g.work.buf, k*m, few)
		for s := 0; s < k; s++ {
			d := grad[s*points : (s+1)*points]
			weighColumns(weighted.Data[s*m*few:(s+1)*m*few], upper.Value, d, m, few)
			if upper.Wanted() {
				addScaledColumns(upper.Grad(), products[s*m*few:], d, m, few)
			}
		}
		a := general(below.Value, m, few)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, weighted, a, 1, blocks(p.pairs.Grad()))
		if below.Wanted() {
			da, beta := below.GradBeta()
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, blocks(p.pairs.Value), weighted, beta, general(da, m, few))
		}
	})
}

// recordResidual records k(x, x) - |a_n|^2, [1][1][P].
func (g *graph) recordResidual(l int, a *autodiff.Node) *autodiff.Node {
	variance := g.post.layers[l].variance
	m, points := a.Rows, a.Cols
	out := g.tape.Output(1, 1, points, a, variance)
	return g.tape.Record(out, func() error {
		columnSquares(out.Value, general(a.Value, m, points))
		for n, v := range out.Value {
			out.Value[n] = variance.Value[0] - v
		}
		return nil
	}, func() {
		d := out.Grad()
		var sum float64
		for _, v := range d {
			sum += v
		}
		variance.Grad()[0] += sum
		da := a.Grad()
		for r := 0; r < m; r++ {
			row, arow := da[r*points:(r+1)*points], a.Row(r)
			for n, v := range d {
				row[n] -= 2 * v * arow[n]
			}
		}
	})
}
