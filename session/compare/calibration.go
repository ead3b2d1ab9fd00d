package compare

import "dgplab/session/rundir"

// ErrorAgainstVariance returns, for each test point, the predictive variance of a target and the
// squared error of the predictive mean, both in squared original units (Lindinger et al., 2020,
// arXiv:2005.11110, figure 3). It returns nil for classification. For a calibrated model, the mean
// squared error equals the variance.
func ErrorAgainstVariance(p *rundir.Predictions, target int) (variance, squared []float64) {
	if p.IsClassification() {
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

// VarianceAgainstDistance returns, for each test point, the standardised distance to the nearest
// training input (see Predictions.Distance) and the predictive variance of a target (same figure).
// It returns nil for classification. The distances alias p and must not be modified.
func VarianceAgainstDistance(p *rundir.Predictions, target int) (distance, variance []float64) {
	if p.IsClassification() {
		return nil, nil
	}
	variance = make([]float64, p.N)
	for i := range variance {
		variance[i] = p.Variance[i*p.P+target]
	}
	return p.Distance, variance
}
