package view

import (
	"fmt"

	"dgplab/models/number"
)

// Passage is how Gaussians of some training inputs go through the layers of a model that
// replaces what comes out of each by a Gaussian of the same moments, beside samples that
// are replaced by nothing; and what the model has learned of each GP.
type Passage struct {
	GPs []PassageGP `json:"gps"`
	// Points are some of the Of training inputs, with the moments of each GP there.
	Points []PassagePoint `json:"points"`
	Of     int            `json:"of"`
	// Samples is the number of samples of each point.
	Samples int `json:"samples"`
}

// PassageGP is one GP of a layer, both counted from 0.
type PassageGP struct {
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Strength is how strong its factor is over the inducing points: the share of the
	// prior variance of an inducing output that its posterior has lost.
	Strength Spread `json:"strength"`
	// Widest is the largest ratio of the standard deviation of an inducing output in the
	// cavity, without one data point, to that in the posterior; 1 where no point matters
	// by itself.
	Widest number.Float `json:"widest"`
}

// PassagePoint is one training input.
type PassagePoint struct {
	// Row is its number among the training data, from 0.
	Row int `json:"row"`
	// Moments has one entry for each GP.
	Moments []PassageMoments `json:"moments"`
}

// PassageMoments are those of what a GP makes of a point, in standardised units: as they
// are matched, and of samples. The noise of hidden layers is in them, that of the targets
// is not.
type PassageMoments struct {
	Mean       number.Float `json:"mean"`
	SD         number.Float `json:"sd"`
	SampleMean number.Float `json:"sample_mean"`
	SampleSD   number.Float `json:"sample_sd"`
}

// Ratio returns the matched standard deviation relative to that of the samples: far from
// 1 where matching moments is poor.
func (m PassageMoments) Ratio() float64 { return float64(m.SD / m.SampleSD) }

// Check returns an error unless every point has moments of every GP.
func (p *Passage) Check() error {
	for _, point := range p.Points {
		if len(point.Moments) != len(p.GPs) {
			return fmt.Errorf("row %d has moments of %d GPs, of %d",
				point.Row, len(point.Moments), len(p.GPs))
		}
	}
	return nil
}
