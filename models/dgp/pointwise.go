package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// pointwise runs an operation on the points of a layer, tile by tile in parallel. Each tile has the same
// points as a tile of the layer's moments and runs on the same processor, which has them in its cache.
type pointwise struct {
	points int
	tiles  linalg.Tiling // of a period
	visit  func(start, end int) error
	errs   []error // of each chain
	loop   linalg.Loop
}

// newPointwise returns an operation on points [0, points), which calls visit for ranges within a period.
// Ranges at the same place of their periods are visited in order, one at a time.
func (g *graph) newPointwise(points, period int, visit func(start, end int) error) *pointwise {
	tiles := linalg.NewPackedTiling(period, period, g.chains())
	p := &pointwise{points: points, tiles: tiles, visit: visit}
	p.errs = make([]error, p.tiles.Chains)
	p.loop.Body = p.visitChain
	return p
}

// run visits all points. It returns the error of the first chain that failed.
func (p *pointwise) run() error {
	p.loop.Run(p.tiles.Chains)
	for _, err := range p.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// visitChain visits the tiles of a chain up to an error.
func (p *pointwise) visitChain(chain int) {
	p.errs[chain] = nil
	p.tiles.Each(chain, func(start, end int) {
		for at := 0; at < p.points && p.errs[chain] == nil; at += p.tiles.Points {
			p.errs[chain] = p.visit(at+start, at+end)
		}
	})
}

// cut returns the entries of a vector for the points [start, end), which are within a period. A vector of
// one period repeats.
func cut(v []float64, start, end int) []float64 {
	if end > len(v) {
		period := start / len(v) * len(v)
		start -= period
		end -= period
	}
	return v[start:end]
}

// claim clears the gradients of nodes to which nothing was added yet. Afterwards parallel loops may add to
// them.
func claim(nodes []*autodiff.Node) {
	for _, n := range nodes {
		n.Grad()
	}
}
