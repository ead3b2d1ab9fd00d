package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// quadratics computes the forms of the pairs (i, j) of GPs of one layer, a_n^T S_ij a_n. Both sides have
// the same kernel columns, so only the symmetric part Q_ij of S_ij matters: the gradient of the columns
// is 2 Q_ij A diag(d), and that of S_ij is A diag(d) A^T.
type quadratics struct {
	g     *graph
	group *pairGroup
	out   *autodiff.Node // [1][k][P]
	linalg.Tiling
	blocks   []linalg.Multiplier // Q of each pair
	products []linalg.Strips     // Q_ij A of each tile, [k M][width]
	double   []float64           // twice the gradient of out during backward, tile after tile, [k][width]
	// grad is the gradient of the S_ij in the posterior, [k][M][M]. The first chain computes its upper
	// triangles, to which deliver adds the upper triangles in sums, [k][M][M] for each other chain.
	grad, sums []float64
	gather     linalg.Loop // over pairs; adds up the sums
}

// newQuadratics prepares the forms of a group of a layer with the given moments, [1][k][P].
func (g *graph) newQuadratics(group *pairGroup, m *moments) *quadratics {
	k := len(group.pairs)
	q := &quadratics{g: g, group: group, Tiling: m.Tiling,
		products: linalg.NewStrips(m.Count(), k*m.rows, m.Width)}
	q.blocks, _ = g.post.operands.ofGroup(group)
	q.out = g.tape.Output(1, k, m.Points, m.gradNode, g.post.pairs)
	q.gather.Body = q.deliver
	return q
}

// size returns M.
func (q *quadratics) size() int { return q.g.post.inducing[q.group.upper] }

// evaluate computes the forms of the tile that begins at start, given the columns of all tiles.
func (q *quadratics) evaluate(tiles []linalg.Strips, start int) {
	tile := q.Index(start)
	columns, products := &tiles[tile], &q.products[tile]
	products.Resize(len(q.blocks)*columns.Rows, columns.Cols)
	for k := range q.blocks {
		if k+1 < len(q.blocks) {
			q.blocks[k+1].Prefetch()
		}
		q.blocks[k].Forms(products, k*columns.Rows, columns, tiles[tile:tile+1], q.out.Row(k)[start:], 0)
	}
}

// prepareBackward fetches the gradients.
func (q *quadratics) prepareBackward() {
	if q.sums == nil {
		q.sums = make([]float64, (q.Chains-1)*len(q.group.pairs)*q.size()*q.size())
		q.double = make([]float64, q.out.Len())
	}
	q.out.Grad() // clear it before tiles read it in parallel
	q.grad = q.g.post.pairGradients(q.group)
}

// addGradient adds the gradients of the S_ij of the tile that begins at start to the sums of the chain,
// times beta.
func (q *quadratics) addGradient(chain int, columns *linalg.Transposed, start int, beta float64) {
	sum, size := q.grad, len(q.grad)
	if chain > 0 {
		sum = q.sums[(chain-1)*size : chain*size]
	}
	columns.WeightedSquares(len(q.blocks), q.out.Grad()[start:], q.Points, beta, sum)
}

// pull adds the gradient of the columns of the tile [start, end) to da.
func (q *quadratics) pull(da *linalg.Strips, start, end int) {
	k, width := len(q.blocks), end-start
	double := q.double[k*start : k*end]
	for i := range k {
		vec.Scaled(double[i*width:(i+1)*width], q.out.Grad()[i*q.Points+start:i*q.Points+end], 2)
	}
	da.AddScaled(&q.products[q.Index(start)], k, double, width)
}

// deliver adds the sums of all chains in the gradient of S_ij for pair k, which is symmetric.
func (q *quadratics) deliver(k int) {
	m := q.size()
	dst := q.grad[k*m*m : (k+1)*m*m]
	for rest := q.sums; len(rest) > 0; rest = rest[len(q.grad):] {
		sum := rest[k*m*m:]
		for i := range m {
			addTo(dst[i*m+i:(i+1)*m], sum[i*m+i:(i+1)*m])
		}
	}
	linalg.MirrorUpper(dst, m)
}
