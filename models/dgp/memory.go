package dgp

// memory returns about the most bytes that training takes, looking into the model
// and predictions included: 8 for every number that is kept, by the kind of array.
//
// The counts are a fit to the peak of the heap of runs of six families (M from 8 to 128, 1
// to 3 layers of up to 6 GPs, 1 to 1000 columns, 2 to 4000 inputs): it is within a third
// of all that take more than 20 MB.
func (c cost) memory() float64 {
	const (
		ofParameter, ofLayer = 39, 110 // with blocks of S_M; matrices M x M
		// Values of M of a column of a layer, with gradients where it is trained; in
		// predictions also those of each GP, and numbers of each covariance of two GPs.
		trainM, predictM, predictGP, predictPair = 4.6, 1.9, 1.3, 5.6
		// Values of M of a column and each product with a block off the diagonal.
		predictBlock = 0.76
		// Of inducing outputs that are sampled, which have no covariances.
		sampledParameter, sampledM, sampledGP = 70, 1.6, 0.1
	)
	s := c.structure
	numbers := 0.0
	parameters := float64(c.variational() + c.hyperparameters())
	points, columns := c.predicted()
	at := func(l int) float64 { // columns of predictions
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
		numbers += ofLayer*m*m + at(l)*m*(predictM+predictGP*t)
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
	return 8 * (numbers + ofParameter*parameters)
}
