package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// kernelColumns holds the whitened kernel columns of a layer, a = L_K^-1 k_M(x), [M][P], tile after tile.
type kernelColumns struct {
	linalg.Tiling
	rows  int             // M
	tiles []linalg.Strips // of each tile, [M][width]
	// grads holds the gradients from other operations of each tile, or nil if there are none. gradNode has a
	// gradient, which stands for them, during a sweep in which there are some.
	grads    []linalg.Strips
	gradNode *autodiff.Node
	clear    linalg.Loop // over chains
}

// tiling divides the points of layer l.
func (g *graph) tiling(l, points int) linalg.Tiling {
	period := points
	if g.post.crosses(l) {
		period = g.b // Operations on two layers need tiles with the same points.
	}
	return linalg.NewPackedTiling(points, period, g.chains())
}

// chains returns the share of this graph of the chains of all shards.
func (g *graph) chains() int { return linalg.MaxChains / g.shards }

// newKernelColumns returns the columns of layer l, which depend on the inputs.
func (g *graph) newKernelColumns(l int, tiling linalg.Tiling, inputs []*autodiff.Node) *kernelColumns {
	c := &kernelColumns{Tiling: tiling, rows: g.post.inducing[l]}
	c.tiles = linalg.NewStrips(c.Count(), c.rows, c.Width)
	c.gradNode = g.tape.Output(1, 1, 1, inputs...)
	c.clear.Body = c.clearChain
	return c
}

// wantGrads announces that an operation adds to the gradients. It clears them before the first.
func (c *kernelColumns) wantGrads() {
	if !c.gradNode.Wanted() {
		return
	}
	if c.grads == nil {
		c.grads = linalg.NewStrips(c.Count(), c.rows, c.Width)
	}
	if _, beta := c.gradNode.GradBeta(); beta == 0 {
		c.clear.Run(c.Chains)
	}
}

// clearChain sets the gradients of the tiles of a chain to zero.
func (c *kernelColumns) clearChain(chain int) {
	c.Each(chain, func(start, _ int) {
		i := c.Index(start)
		c.grads[i].Resize(c.rows, c.tiles[i].Cols)
		c.grads[i].Clear()
	})
}

// unpack copies the columns to dst, [M][P].
func (c *kernelColumns) unpack(dst []float64) {
	for chain := range c.Chains {
		c.Each(chain, func(start, _ int) { c.tiles[c.Index(start)].Unpack(dst[start:], c.Points) })
	}
}
