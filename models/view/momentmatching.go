package view

import (
	"fmt"
)

// MomentMatching compares two ways to propagate training inputs through the layers of a model: by
// matching the moments of the outputs of each layer with a Gaussian, and by sampling. It also
// summarises the posterior of each GP.
type MomentMatching struct {
	GPs []MatchedGP `json:"gps"`
	// Points holds the moments of each GP at some of the Total training inputs.
	Points []MatchedPoint `json:"points"`
	Total  int            `json:"of"`
	// Samples is the number of samples of each point.
	Samples int `json:"samples"`
}

// MatchedGP describes one GP of a layer. Layer and GP count from 0.
type MatchedGP struct {
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Strength summarises the strength of the factor of the GP over its inducing points: the share
	// of the prior variance of an inducing output that the posterior removes.
	Strength Spread `json:"strength"`
	// Widest is the largest ratio of the standard deviation of an inducing output in the cavity
	// (without one data point) to its standard deviation in the posterior. It is 1 if no single
	// data point matters.
	Widest Float `json:"widest"`
}

// MatchedPoint is one training input.
type MatchedPoint struct {
	// Row is its row in the training data, from 0.
	Row int `json:"row"`
	// Moments has one entry for each GP.
	Moments []MatchedMoments `json:"moments"`
}

// MatchedMoments holds the moments of the output of a GP at a point, in standardised units, by
// moment matching and from samples. They include the noise of hidden layers but not the noise of
// the targets.
type MatchedMoments struct {
	Mean       Float `json:"mean"`
	SD         Float `json:"sd"`
	SampleMean Float `json:"sample_mean"`
	SampleSD   Float `json:"sample_sd"`
}

// Ratio returns the ratio of matched to sampled standard deviation. Values far from 1 indicate poor
// moment matching.
func (m MatchedMoments) Ratio() float64 { return float64(m.SD / m.SampleSD) }

// Check returns an error unless every point has the moments of every GP.
func (p *MomentMatching) Check() error {
	for _, point := range p.Points {
		if len(point.Moments) != len(p.GPs) {
			return fmt.Errorf("row %d has moments of %d GPs, want %d",
				point.Row, len(point.Moments), len(p.GPs))
		}
	}
	return nil
}
