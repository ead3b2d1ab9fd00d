package predictive

import (
	"math"

	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// pieceComponents is the number of components of targets in one parallel piece.
const pieceComponents = 512

// inPieces calls visit for consecutive ranges of the targets or points 0 to size-1, in parallel, given the
// number of components.
func inPieces(size, components int, visit func(from, to int)) {
	targets := max(1, pieceComponents/max(1, components))
	loop := linalg.Loop{Body: func(piece int) {
		visit(piece*targets, min(size, (piece+1)*targets))
	}}
	loop.Run((size + targets - 1) / targets)
}

// CRPS implements Regression with the closed form for Gaussians,
//
//	sum_s w_s E|y - x_s| - 1/2 sum_st w_s w_t E|x_s - x_t|,  x_s ~ component s,
//
// (Grimit et al., "The continuous ranked probability score for circular variables and its application to
// mesoscale forecast ensemble verification", 2006, https://doi.org/10.1256/qj.05.235). The second sum would
// take O(S^2) time per target. With many components it is integrated on a lattice in O(S) time.
func (m *Gaussians) CRPS(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		target := newNormals(m.Weights)
		var nodes lattice
		for k := from; k < to; k++ {
			dst[k] = math.NaN()
			if math.IsNaN(y[k]) {
				continue
			}
			target.load(m, k)
			spread, ok := nodes.spread(target)
			if !ok {
				spread = pairs(target.mean, target.vr, m.Weights)
			}
			dst[k] = stats.MeanAbsSum(m.Weights, target.mean, target.vr, y[k], 0) - spread
		}
	})
}

// pairs returns half the mean absolute difference of two independent values, as a sum over all pairs of
// components.
func pairs(mean, vr, weights []float64) (sum float64) {
	for s, w := range weights {
		others := stats.MeanAbsSum(weights[:s], mean, vr, mean[s], vr[s])
		sum += w * (others + 0.5*w*stats.MeanAbs(0, math.Sqrt(2*vr[s])))
	}
	return sum
}
