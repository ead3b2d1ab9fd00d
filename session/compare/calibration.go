package compare

import (
	"math"

	"dgplab/session"
)

// PITHistogram counts values of the probability integral transform in equal bins
// from 0 to 1. Those of a calibrated model are uniform. It returns the counts,
// [bins], and how many values are not numbers and not counted.
func PITHistogram(pit []float64, bins int) (counts []int, notFinite int) {
	counts = make([]int, max(bins, 1))
	for _, u := range pit {
		if math.IsNaN(u) {
			notFinite++
			continue
		}
		bin := int(math.Max(0, u) * float64(len(counts)))
		counts[min(bin, len(counts)-1)]++
	}
	return counts, notFinite
}

// Levels returns n nominal levels between 0 and 1, 1/(n+1) apart.
func Levels(n int) []float64 {
	levels := make([]float64, n)
	for i := range levels {
		levels[i] = float64(i+1) / float64(n+1)
	}
	return levels
}

// CoverageCurve returns, for each nominal level, the share of values of the
// probability integral transform within the central interval of that probability;
// NaN if there are no values. Those of a calibrated model are the levels.
func CoverageCurve(pit, levels []float64) []float64 {
	shares := make([]float64, len(levels))
	for i, level := range levels {
		edge, inside, n := (1-level)/2, 0, 0
		for _, u := range pit {
			if math.IsNaN(u) {
				continue
			}
			n++
			if u >= edge && u <= 1-edge {
				inside++
			}
		}
		shares[i] = float64(inside) / float64(n)
	}
	return shares
}

// ErrorAgainstVariance returns, point by point, the predictive variance of a
// target and the squared error of the predictive mean, both in squared original
// units (figure 3 of Lindinger et al., 2020, arXiv:2005.11110); nil for classes.
// A calibrated model's squared errors average to the variance.
func ErrorAgainstVariance(p *session.Predictions, target int) (variance, squared []float64) {
	if p.Classes() {
		return nil, nil
	}
	variance, squared = make([]float64, p.N), make([]float64, p.N)
	for i := range p.N {
		k := i*p.P + target
		d := p.Target[k] - p.Mean[k]
		variance[i], squared[i] = p.Variance[k], d*d
	}
	return variance, squared
}

// VarianceAgainstDistance returns, point by point, the distance to the nearest
// training input (standardised; see Predictions.Distance) and the predictive
// variance of a target (same figure); nil for classes. Neither is a copy that may
// be written to: the distances are those of p.
func VarianceAgainstDistance(p *session.Predictions, target int) (distance, variance []float64) {
	if p.Classes() {
		return nil, nil
	}
	variance = make([]float64, p.N)
	for i := range variance {
		variance[i] = p.Variance[i*p.P+target]
	}
	return p.Distance, variance
}
