package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// The scalar covariances of Theorem 1 are quadratic and bilinear forms a_n^T S a'_n in the whitened
// kernel columns a_n of one point and the blocks of S_M. They are computed for tiles of points
// instead of as N separate matrices.

// bilinear is the tape operation a_n^T S_ij a'_n for the pairs (i, j) of two layers. The product with
// S_ij is computed on the side of the lower layer, which has B points if it is layer 1 and R B
// points otherwise: point n of the upper layer belongs to point n mod B of the lower one.
type bilinear struct {
	g            *graph
	group        *pairGroup
	upper, below *kernelColumns
	out          *autodiff.Node      // [1][k][P]
	blocks       []linalg.Multiplier // S_ij
	transposed   []linalg.Multiplier // S_ij^T
	products     []linalg.Strips     // S_ij a' of each tile of the lower layer, [k M_i][width]
	chains       []bilinearChain
	grad         []float64 // gradient of out during backward

	gather           linalg.Loop // over pairs; adds up the sums
	forward, reverse linalg.Loop // over chains
}

// bilinearChain is the memory of a chain.
type bilinearChain struct {
	below    linalg.Transposed
	weighted linalg.Strips // a diag(d) for one pair, summed over repeats
	// sums holds the gradients of the S_ij, [k][M_i][M_j]. The first chain computes them in the gradient of
	// the posterior, to which deliver adds the sums of the other chains.
	sums []float64
}

// bilinears records the forms of a group between two layers, [1][k][P].
func (g *graph) bilinears(group *pairGroup, upper, below *kernelColumns) *autodiff.Node {
	k := len(group.pairs)
	f := &bilinear{
		g:        g,
		group:    group,
		upper:    upper,
		below:    below,
		products: linalg.NewStrips(below.Count(), k*upper.rows, below.Width),
		chains:   make([]bilinearChain, below.Chains),
	}
	f.blocks, f.transposed = g.post.operands.ofGroup(group)
	f.out = g.tape.Output(1, k, upper.Points, upper.gradNode, below.gradNode, g.post.pairs)
	f.forward.Body = func(chain int) { below.Each(chain, f.multiply) }
	f.reverse.Body = func(chain int) {
		below.Each(chain, func(start, _ int) { f.differentiate(chain, start) })
	}
	f.gather.Body = f.deliver
	return g.tape.Record(f.out, func() error {
		g.post.operands.prepare()
		f.forward.Run(below.Chains)
		return nil
	}, func() {
		g.post.operands.transpose()
		f.fetchGradients()
		f.reverse.Run(below.Chains)
		f.gather.Run(k)
	})
}

// multiply computes the forms of the tile [start, end) of the lower layer.
func (f *bilinear) multiply(start, end int) {
	tile := f.below.Index(start)
	m, below, products := f.upper.rows, &f.below.tiles[tile], &f.products[tile]
	upper := f.repeated(f.upper.tiles, tile)
	products.Resize(len(f.blocks)*m, end-start)
	for k := range f.blocks {
		f.blocks[k].Forms(products, k*m, below, upper, f.out.Row(k)[start:], f.below.Points)
	}
}

// repeated returns the tiles of the upper layer, in a list of all, that belong to a tile of the lower one.
func (f *bilinear) repeated(upper []linalg.Strips, tile int) []linalg.Strips {
	repeats := f.upper.Points / f.below.Points
	return upper[tile*repeats : (tile+1)*repeats]
}

// fetchGradients fetches the gradients that the tiles read and write.
func (f *bilinear) fetchGradients() {
	for c := 1; c < len(f.chains); c++ {
		if f.chains[c].sums == nil {
			f.chains[c].sums = make([]float64, len(f.blocks)*f.upper.rows*f.below.rows)
		}
	}
	f.chains[0].sums = f.g.post.pairGradients(f.group)
	f.grad = f.out.Grad()
	f.upper.wantGrads()
	f.below.wantGrads()
}

// differentiate propagates the gradient of a tile to both layers and to the sums of the chain. The
// first tile of a chain overwrites the sums.
func (f *bilinear) differentiate(chain, start int) {
	memory, tile := &f.chains[chain], f.below.Index(start)
	m, wide := f.upper.rows, f.upper.Points
	beta := 1.0
	if f.below.First(chain, start) {
		beta = 0
	}
	below := &f.below.tiles[tile]
	if f.upper.gradNode.Wanted() {
		linalg.AddScaledToEach(f.repeated(f.upper.grads, tile), &f.products[tile],
			len(f.blocks), f.grad[start:], f.below.Points, wide)
	}
	memory.below.Set(below)
	size := m * f.below.rows
	for k := range f.blocks {
		weighted := &memory.weighted
		weighted.Resize(m, below.Cols)
		weighted.SetScaledSum(f.repeated(f.upper.tiles, tile), f.grad[k*wide+start:], f.below.Points)
		memory.below.Product(weighted, beta, memory.sums[k*size:])
		if f.below.gradNode.Wanted() {
			f.transposed[k].AddProduct(&f.below.grads[tile], weighted)
		}
	}
}

// deliver adds the sums of all chains in the gradient of S_ij for pair k.
func (f *bilinear) deliver(k int) {
	size := f.upper.rows * f.below.rows
	dst := f.chains[0].sums[k*size : (k+1)*size]
	for _, chain := range f.chains[1:] {
		addTo(dst, chain.sums[k*size:(k+1)*size])
	}
}
