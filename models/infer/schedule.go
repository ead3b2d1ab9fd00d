package infer

import "math"

// Staircase is a learning rate that is multiplied by Decay once every Every steps.
type Staircase struct {
	// Rate is that of the first step.
	Rate float64
	// Decay is at most 1; Every below 1 means no decay.
	Decay float64
	Every int
}

// At returns the rate of step t, counted from 1:
// Rate * Decay^floor((t-1)/Every).
func (s Staircase) At(t int) float64 {
	if s.Every < 1 {
		return s.Rate
	}
	return s.Rate * math.Pow(s.Decay, float64((t-1)/s.Every))
}
