package view

import (
	"fmt"
)

// MomentMatching compares the propagation of some training inputs through the layers of a model
// that matches the moments of each layer's outputs by a Gaussian with propagation by sampling. It
// also summarises the posterior of each GP.
type MomentMatching struct {
	GPs []MatchedGP `json:"gps"`
	// Points are some of the Total training inputs, with the moments of each GP.
	Points []MatchedPoint `json:"points"`
	Total  int            `json:"of"`
	// Samples is the number of samples of each point.
	Samples int `json:"samples"`
}

// MatchedGP describes one GP of a layer. Layer and GP count from 0.
type MatchedGP struct {
	Layer int `json:"layer"`
	GP    int `json:"gp"`
	// Strength summarises the strength of the GP's factors over the inducing points: the share of
	// an inducing output's prior variance that the posterior removes.
	Strength Spread `json:"strength"`
	// Widest is the largest ratio of the standard deviation of an inducing output in the cavity
	// (without one data point) to its standard deviation in the posterior. It is 1 if no single
	// point matters.
	Widest Float `json:"widest"`
}

// MatchedPoint is one training input.
type MatchedPoint struct {
	// Row is its row in the training data, from 0.
	Row int `json:"row"`
	// Moments has one entry for each GP.
	Moments []MatchedMoments `json:"moments"`
}

// MatchedMoments holds the moments of a GP's output at a point, in standardised units, by moment
// matching and from samples. They include the noise of hidden layers, but not of the targets.
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
