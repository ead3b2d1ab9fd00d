// Package infer holds what moves parameters: Adam with a staircase of learning
// rates, natural-gradient steps for Gaussian posteriors, and L-BFGS.
package infer

import (
	"fmt"
	"math"
)

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

// Objective is the index of an objective in a NonFiniteError.
const Objective = -1

// NonFiniteError reports a gradient entry or an objective that is NaN or infinite,
// and was kept from every parameter.
type NonFiniteError struct {
	// Index is that of the first such entry, or Objective.
	Index int
	Value float64
}

func (e *NonFiniteError) Error() string {
	if e.Index == Objective {
		return fmt.Sprintf("the objective is %v", e.Value)
	}
	return fmt.Sprintf("gradient entry %d is %v", e.Index, e.Value)
}

// CheckFinite returns a *NonFiniteError for the first entry of v that is NaN or
// infinite, or nil.
func CheckFinite(v []float64) error {
	for i, x := range v {
		if x-x != 0 { // NaN for NaN and for both infinities
			return &NonFiniteError{Index: i, Value: x}
		}
	}
	return nil
}
