package compare

import "dgplab/session/rundir"

// ErrorAgainstVariance returns, point by point, the predictive variance of a
// target and the squared error of the predictive mean, both in squared original
// units (figure 3 of Lindinger et al., 2020, arXiv:2005.11110); nil for classes.
// A calibrated model's squared errors average to the variance.
func ErrorAgainstVariance(p *rundir.Predictions, target int) (variance, squared []float64) {
	if p.OfClasses() {
		return nil, nil
	}
	variance = make([]float64, p.N)
	squared = make([]float64, p.N)
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
func VarianceAgainstDistance(p *rundir.Predictions, target int) (distance, variance []float64) {
	if p.OfClasses() {
		return nil, nil
	}
	variance = make([]float64, p.N)
	for i := range variance {
		variance[i] = p.Variance[i*p.P+target]
	}
	return p.Distance, variance
}
