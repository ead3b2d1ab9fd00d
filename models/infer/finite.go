package infer

import (
	"fmt"

	"dgplab/models/linalg/vec"
)

// Objective is the Index of a NonFiniteError for the objective.
const Objective = -1

// NonFiniteError reports a gradient entry or an objective that is NaN or infinite. No parameter was
// changed.
type NonFiniteError struct {
	// Index is the index of the first such entry, or Objective.
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
	if squares := vec.Dot(v, v); squares-squares == 0 {
		return nil // A sum with NaN or infinity is not finite. Other sums can overflow.
	}
	for i, x := range v {
		if x-x != 0 { // NaN for NaN and for both infinities
			return &NonFiniteError{Index: i, Value: x}
		}
	}
	return nil
}

// Evaluate calls p.Evaluate and adds the log density of the parameters' priors. It returns a *NonFiniteError
// if the objective or a gradient entry is not finite.
func Evaluate(p Problem, gradient []float64) (float64, error) {
	value, err := p.Evaluate(gradient)
	if err != nil {
		return value, err
	}
	if set := p.Parameters(); set.HasPriors() && value-value == 0 {
		value += set.LogPrior(gradient)
	}
	if value-value != 0 {
		return value, &NonFiniteError{Index: Objective, Value: value}
	}
	return value, CheckFinite(gradient)
}
