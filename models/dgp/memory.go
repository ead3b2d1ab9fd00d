package dgp

// memory returns the approximate peak memory of training in bytes, including views and predictions.
// It counts 8 bytes per stored number.
//
// The coefficients are fitted to the peak heap of runs of six families (M from 8 to 128, 1 to 3
// layers of up to 6 GPs, 1 to 1000 columns, 2 to 4000 inputs). The estimate is within a third of
// the measured value for all runs that take more than 20 MB.
func (c cost) memory() float64 {
	const (
		perParameter, perLayer = 39, 110 // with blocks of S_M; matrices M x M
		// Per entry of [M][columns] of a layer, with gradients in training. Predictions also have
		// entries per GP and per covariance of two GPs.
		trainM, predictM, predictGP, predictPair = 4.6, 1.9, 1.3, 5.6
		// Per entry of [M][columns] and product with an off-diagonal block.
		predictBlock = 0.76
		// For sampled inducing outputs, which have no covariances.
		sampledParameter, sampledM, sampledGP = 70, 1.6, 0.1
	)
	s := c.structure
	numbers := 0.0
	parameters := float64(c.variational() + c.hyperparameters())
	points, columns := c.predicted()
	at := func(l int) float64 { // columns in predictions
		if l == 0 {
			return points
		}
		return columns
	}
	for l, width := range s.widths {
		t := float64(width)
		m := float64(s.inducing[l])
		numbers += trainM * c.points(l) * m
		if c.sampled {
			numbers += at(l) * m * (sampledM + sampledGP*t)
			continue
		}
		numbers += perLayer*m*m + at(l)*m*(predictM+predictGP*t)
	}
	if c.sampled {
		return 8 * (numbers + sampledParameter*parameters)
	}
	for i, row := range s.fill {
		numbers += predictPair * at(s.layer[i]) * float64(len(row))
	}
	for _, g := range s.groups {
		numbers += predictBlock * at(g.lower) * float64((len(g.pairs)-g.diagonal)*s.inducing[g.lower])
	}
	return 8 * (numbers + perParameter*parameters)
}
