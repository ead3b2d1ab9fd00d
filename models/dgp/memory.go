package dgp

// memory returns about the most bytes that training takes, looking into the model
// and predictions included: 8 for every number that is kept, by the kind of array.
//
// The counts are a fit to the peak of the resident memory of 28 settings of five
// families (M from 64 to 1024, 1 to 5 layers, up to 17 GPs a layer, 16 to 2560
// columns): it is within a third of all but the smallest, which take 10 MB.
func (c cost) memory() float64 {
	const (
		ofLayer, ofBlock = 18, 14 // matrices: kernels, M x M, and blocks of S_M with its factor
		// of a column of a layer, with gradients where it is trained:
		trainM, trainGP, trainPair       = 6.5, 0.3, 50 // M values; M values of each GP; a covariance of two GPs
		predictM, predictGP, predictPair = 1, 1.3, 60
	)
	s := c.structure
	numbers := ofBlock * float64(s.factors.size())
	pairs := make([]float64, len(s.widths)) // of each layer
	for i, row := range s.fill {
		if !c.sampled {
			pairs[s.layer[i]] += float64(len(row))
		}
	}
	for l, width := range s.widths {
		t, m := float64(width), float64(s.inducing[l])
		numbers += ofLayer * m * m
		numbers += c.points(l) * (m*(trainM+trainGP*t) + trainPair*pairs[l])
		if l > 0 {
			numbers += predictColumns * (m*(predictM+predictGP*t) + predictPair*pairs[l])
		}
	}
	return 8 * numbers
}
