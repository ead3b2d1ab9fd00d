package kernel

import (
	"slices"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// Tiles computes k(Z, X), [M][P], for an operation that uses it and computes its gradient one tile of points
// at a time, so that a tile need not leave the cache. Tiles of different chains may run in parallel.
type Tiles struct {
	linalg.Tiling
	// stationary computes a stationary kernel. For other kernels it is nil, and the covariances of all points
	// are the value of node.
	stationary *stationaryTiles
	values     []linalg.Strips // of each tile

	node   *autodiff.Node  // of which the operation is the only user
	grad   []float64       // its gradient during backward
	copies []linalg.Strips // a tile of each chain
}

// NewTiles returns the covariances of z [1][M][D] and x [1][D][P] of a covariance that all GPs share. It
// records what it needs on t.
func (c *Covariance) NewTiles(t *autodiff.Tape, z, x *autodiff.Node, tiling linalg.Tiling) *Tiles {
	k := &Tiles{Tiling: tiling}
	s, lengthscales, variance, is := c.Simple()
	if c.own != nil || !is || c.Outputs != 1 {
		k.node = c.RecordKuf(t, z, x)
		k.copies = make([]linalg.Strips, tiling.Chains)
		return k
	}
	k.stationary = newStationaryTiles(s, z, x, repeated(t, lengthscales, c.inputs), variance, tiling)
	k.values = linalg.NewStrips(tiling.Count(), z.Rows, tiling.Width)
	if k.Wanted() {
		for chain := range k.stationary.sums {
			k.stationary.sums[chain].weights = make([]float64, z.Rows*tiling.Width)
		}
	}
	return k
}

// Inputs lists the nodes on which the covariances depend.
func (k *Tiles) Inputs() []*autodiff.Node {
	if k.node != nil {
		return []*autodiff.Node{k.node}
	}
	return k.stationary.inputs()
}

// Wanted reports whether the gradient is needed.
func (k *Tiles) Wanted() bool { return slices.ContainsFunc(k.Inputs(), (*autodiff.Node).Wanted) }

// Evaluate returns the covariances of the points [start, end). They are valid until the next call with the
// same chain.
func (k *Tiles) Evaluate(chain, start, end int) *linalg.Strips {
	if k.node != nil {
		values := &k.copies[chain]
		values.Resize(k.node.Rows, end-start)
		values.Pack(k.node.Value[start:], k.Points)
		return values
	}
	values := &k.values[k.Index(start)]
	k.stationary.evaluate(chain, values, start, end)
	return values
}

// Prepare must be called before the gradients of the tiles are computed.
func (k *Tiles) Prepare() {
	if k.node == nil {
		k.stationary.prepare()
		return
	}
	k.grad, _ = k.node.GradBeta()
}

// Differentiate propagates the gradient dk of the covariances of the points [start, end), and overwrites it.
func (k *Tiles) Differentiate(chain int, dk *linalg.Strips, start, end int) {
	if k.node != nil {
		dk.Unpack(k.grad[start:], k.Points)
		return
	}
	k.stationary.differentiate(chain, &k.values[k.Index(start)], dk, start, end)
}

// Collect must be called after the gradients of all tiles have been computed.
func (k *Tiles) Collect() {
	if k.node == nil {
		k.stationary.collect()
	}
}
