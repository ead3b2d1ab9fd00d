package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// The scalar covariances of Theorem 1 are quadratic and bilinear forms a_n^T S a'_n in the whitened
// kernel columns a_n of one point and the blocks of S_M. They are computed for tiles of points
// instead of as N separate matrices.

// bilinear is the tape operation a_n^T S_ij a'_n for the pairs (i, j) of a group. The product with
// S_ij is computed on the side of the lower layer, which has B points if it is layer 1 and R B
// points otherwise: point n of the upper layer belongs to point n mod B of the lower one. Tiles
// split the points of the lower layer.
type bilinear struct {
	g            *graph
	group        *pairGroup
	upper, below *autodiff.Node // [1][M_i][P], [1][M_j][P']
	out          *autodiff.Node // [1][k][P]
	linalg.Tiling
	products         []float64 // S_ij a', tile after tile, [k][M_i][width]
	sums             []float64 // gradients of the S_ij, one sum per chain
	grad, du, db     []float64 // gradients of out, upper and below during backward
	betaU, betaB     float64   // 0 if du or db must be overwritten
	forward, reverse linalg.Loop
	gather           linalg.Loop // adds up the sums, one pair at a time
}

// newBilinear prepares the forms of a group, [1][k][P].
func (g *graph) newBilinear(group *pairGroup, upper, below *autodiff.Node) *bilinear {
	m, k := upper.Rows, len(group.pairs)
	f := &bilinear{g: g, group: group, upper: upper, below: below, Tiling: linalg.NewTiling(below.Cols)}
	f.out = g.tape.Output(1, k, upper.Cols, upper, below, g.post.pairs)
	f.products = make([]float64, k*m*below.Cols)
	g.work.reserve(k * m * padded(f.Width))
	f.gather.Body = f.deliver
	return f
}

// bilinears records the forms of a group between two layers, [1][k][P].
func (g *graph) bilinears(group *pairGroup, upper, below *autodiff.Node) *autodiff.Node {
	f := g.newBilinear(group, upper, below)
	f.forward.Body = func(chain int) { f.Each(chain, f.multiply) }
	f.reverse.Body = func(chain int) {
		f.Each(chain, func(start, end int) { f.differentiate(chain, start, end) })
	}
	return g.tape.Record(f.out, func() error {
		f.forward.Run(f.Chains)
		return nil
	}, func() {
		f.prepare()
		f.reverse.Run(f.Chains)
		f.gather.Run(len(f.group.pairs))
	})
}

// prepare fetches the gradients that the tiles write to.
func (f *bilinear) prepare() {
	if f.sums == nil {
		f.sums = make([]float64, f.Chains*len(f.group.pairs)*f.upper.Rows*f.below.Rows)
	}
	f.grad, f.du, f.db = f.out.Grad(), nil, nil
	if f.upper.Wanted() {
		f.du, f.betaU = f.upper.GradBeta()
	}
	if f.below.Wanted() {
		f.db, f.betaB = f.below.GradBeta()
	}
	f.g.post.pairs.Grad() // clear it before pairs write to it in parallel
}

// deliver adds the sums of all chains to the gradient of S_ij for pair k. For S_ii only the upper
// triangle has been summed.
func (f *bilinear) deliver(k int) {
	all := len(f.group.pairs)
	dst := f.g.post.covariances[f.group.offset+k].view(f.g.post.pairs.Grad())
	width := dst.Cols
	for chain := range f.Chains {
		sum := f.sums[(chain*all+k)*len(dst.Data):]
		for i := range dst.Rows {
			from := 0
			if k < f.group.diagonal {
				from = i
			}
			addTo(dst.Data[i*width+from:(i+1)*width], sum[i*width+from:(i+1)*width])
		}
	}
	if k < f.group.diagonal {
		linalg.MirrorUpper(dst.Data, width)
	}
}

// blocks returns the blocks of the group from the given index, stacked vertically as one matrix
// that aliases them, [.. M_i][M_j].
func (f *bilinear) blocks(all []float64, from int) blas64.General {
	first := f.g.post.covariances[f.group.offset+from]
	return general(all[first.start:], (len(f.group.pairs)-from)*first.rows, first.cols)
}

// tile returns the products of the tile [start, end), [k M_i][width].
func (f *bilinear) tile(start, end int) blas64.General {
	rows := len(f.group.pairs) * f.upper.Rows
	return general(f.products[rows*start:], rows, end-start)
}

// multiply computes the forms of the tile [start, end).
func (f *bilinear) multiply(start, end int) {
	m, w := f.upper.Rows, end-start
	h := f.tile(start, end)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, f.blocks(f.g.post.pairs.Value, 0),
		columnsOf(f.below.Value, f.below.Rows, f.Points, start, end), 0, h)
	for k := range f.group.pairs {
		out, products := f.out.Row(k), h.Data[k*m*w:(k+1)*m*w]
		for at := start; at < f.upper.Cols; at += f.Points {
			columnDots(out[at:at+w], f.upper.Value[at:], f.upper.Cols, products)
		}
	}
}

// differentiate propagates the gradient of a tile to both layers and to the sums of the chain. The
// first tile of a chain overwrites the sums.
func (f *bilinear) differentiate(chain, start, end int) {
	size := len(f.group.pairs) * f.upper.Rows * f.below.Rows
	sums, beta := f.sums[chain*size:(chain+1)*size], 1.0
	if f.First(chain, start) {
		beta = 0
	}
	f.quadraticTile(chain, start, end, sums, beta)
	f.bilinearTile(chain, start, end, sums, beta)
}

// quadraticTile differentiates the forms with i = j, a_n^T S_ii a_n. The gradient of A is 2 S_ii A
// diag(d), which reuses the products of the forward pass. The gradient of S_ii is A diag(d) A^T, of
// which the upper triangle is summed.
func (f *bilinear) quadraticTile(chain, start, end int, sums []float64, beta float64) {
	if f.group.diagonal == 0 {
		return
	}
	m, w, h := f.upper.Rows, end-start, f.tile(start, end)
	linalg.WeightedSquares(m, w, f.group.diagonal, f.upper.Value[start:], f.Points,
		f.grad[start:], f.Points, beta, sums)
	if f.du == nil {
		return
	}
	double := f.g.work.buffer(chain, f.group.diagonal*w)
	for k := range f.group.diagonal {
		for n, v := range f.grad[k*f.Points+start : k*f.Points+end] {
			double[k*w+n] = 2 * v
		}
	}
	add := f.betaU > 0
	for r := range m {
		du := f.du[r*f.Points+start : r*f.Points+end]
		sumColumns(du, h.Data[r*w:], m*w, double, w, f.group.diagonal, add)
	}
}

// padded returns a row length of at least w numbers that avoids conflicts in the first-level cache.
func padded(w int) int { return (w+7)/8*8 + 8 }

// bilinearTile differentiates the forms with i > j.
func (f *bilinear) bilinearTile(chain, start, end int, sums []float64, beta float64) {
	first, k := f.group.diagonal, len(f.group.pairs)
	if first == k {
		return
	}
	m := f.upper.Rows
	columns := f.below.Rows
	w := end - start
	h := f.tile(start, end)
	wide := f.upper.Cols
	ld := padded(w)
	weighted := blas64.General{
		Rows:   (k - first) * m,
		Cols:   w,
		Stride: ld,
		Data:   f.g.work.buffer(chain, (k-first)*m*ld),
	}
	repeats := wide / f.Points
	for p := range k - first {
		d := f.grad[(first+p)*wide+start:]
		for r := range m {
			row := weighted.Data[(p*m+r)*ld : (p*m+r)*ld+w]
			sumColumns(row, f.upper.Value[r*wide+start:], f.Points, d, f.Points, repeats, false)
		}
	}
	if f.du != nil {
		add := first > 0 || f.betaU > 0
		for at := start; at < wide; at += f.Points {
			for r := range m {
				du := f.du[r*wide+at : r*wide+at+w]
				sumColumns(du, h.Data[(first*m+r)*w:], m*w, f.grad[first*wide+at:], wide, k-first, add)
			}
		}
	}
	below := columnsOf(f.below.Value, columns, f.Points, start, end)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, weighted, below, beta,
		general(sums[first*m*columns:], (k-first)*m, columns))
	if f.db != nil {
		s := f.blocks(f.g.post.pairs.Value, first)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, s, weighted, f.betaB,
			columnsOf(f.db, columns, f.Points, start, end))
	}
}
