package predictive

import (
	"math"

	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// pieceTargets is the number of targets in one parallel piece.
const pieceTargets = 16

// inPieces calls visit for consecutive ranges of the targets 0 to size-1, in parallel.
func inPieces(size int, visit func(from, to int)) {
	loop := linalg.Loop{Body: func(piece int) {
		visit(piece*pieceTargets, min(size, (piece+1)*pieceTargets))
	}}
	loop.Run((size + pieceTargets - 1) / pieceTargets)
}

// CRPS implements Regression with the closed form for Gaussians,
//
//	sum_s w_s E|y - x_s| - 1/2 sum_st w_s w_t E|x_s - x_t|,  x_s ~ component s,
//
// which takes O(S^2) time per target (Grimit et al., "The continuous ranked probability score for
// circular variables and its application to mesoscale forecast ensemble verification", 2006,
// https://doi.org/10.1256/qj.05.235).
func (m *Gaussians) CRPS(dst, y []float64) {
	inPieces(check(m, y), func(from, to int) {
		mean := make([]float64, m.S)
		vr := make([]float64, m.S)
		for k := from; k < to; k++ {
			if math.IsNaN(y[k]) {
				dst[k] = math.NaN()
				continue
			}
			for s := range mean {
				mean[s], vr[s] = m.component(s, k)
			}
			dst[k] = crps(y[k], mean, vr, m.Weights)
		}
	})
}

// crps returns the score of one target.
func crps(y float64, mean, vr, weights []float64) float64 {
	toTarget := stats.MeanAbsSum(weights, mean, vr, y, 0)
	var within float64
	for s, w := range weights {
		others := stats.MeanAbsSum(weights[:s], mean, vr, mean[s], vr[s])
		within += w * (others + 0.5*w*stats.MeanAbs(0, math.Sqrt(2*vr[s])))
	}
	return toTarget - within
}
