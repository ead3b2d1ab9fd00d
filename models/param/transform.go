// Package param provides trainable parameters: constrained values, which models use and users read;
// unconstrained free entries, which optimisers change; and the transforms between them.
package param

import (
	"fmt"
	"math"
)

// Transform maps free entries to values and back.
type Transform interface {
	// Size returns the number of free entries for n values.
	Size(n int) int
	// Forward sets value [n] from free [Size].
	Forward(value, free []float64)
	// Inverse sets free [Size] from value [n]. It returns a *RangeError if a value is outside the
	// range of the transform.
	Inverse(free, value []float64) error
	// Pullback overwrites dFree [Size] with the gradient with respect to the free entries. dValue
	// [n] is the gradient with respect to the values.
	Pullback(dFree, dValue, free []float64)
}

// RangeError reports a value outside the range of a transform.
type RangeError struct {
	// Index is the index of the value.
	Index int
	Value float64
	// Want describes the range.
	Want string
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("value %d is %v, want %s", e.Index, e.Value, e.Want)
}

// Identity uses free entries as values.
type Identity struct{}

// Size implements Transform.
func (Identity) Size(n int) int { return n }

// Forward implements Transform.
func (Identity) Forward(value, free []float64) { copy(value, free) }

// Inverse implements Transform. It rejects values that are not finite.
func (Identity) Inverse(free, value []float64) error {
	for i, v := range value {
		if v-v != 0 {
			return &RangeError{Index: i, Value: v, Want: "a finite number"}
		}
		free[i] = v
	}
	return nil
}

// Pullback implements Transform.
func (Identity) Pullback(dFree, dValue, free []float64) { copy(dFree, dValue) }

// Scaled multiplies free entries by Factor, which must not be 0. For Adam, whose steps do not depend on the
// scale of a gradient, this is a factor on the learning rate.
type Scaled struct{ Factor float64 }

// Size implements Transform.
func (Scaled) Size(n int) int { return n }

// Forward implements Transform.
func (t Scaled) Forward(value, free []float64) {
	for i, x := range free {
		value[i] = t.Factor * x
	}
}

// Inverse implements Transform. It rejects values that are not finite.
func (t Scaled) Inverse(free, value []float64) error {
	if err := (Identity{}).Inverse(free, value); err != nil {
		return err
	}
	for i := range free {
		free[i] /= t.Factor
	}
	return nil
}

// Pullback implements Transform.
func (t Scaled) Pullback(dFree, dValue, free []float64) {
	for i, d := range dValue {
		dFree[i] = t.Factor * d
	}
}

// Positive keeps values above Lower: value = Lower + log(1 + exp(free)).
type Positive struct{ Lower float64 }

// Size implements Transform.
func (t Positive) Size(n int) int { return n }

// Forward implements Transform.
func (t Positive) Forward(value, free []float64) {
	for i, x := range free {
		value[i] = t.Lower + softplus(x)
	}
}

// Inverse implements Transform. It rejects values that are not finite or not above Lower.
func (t Positive) Inverse(free, value []float64) error {
	for i, v := range value {
		u, err := above(t.Lower, i, v)
		if err != nil {
			return err
		}
		free[i] = u + math.Log(-math.Expm1(-u))
	}
	return nil
}

// above returns the amount by which value i exceeds lower, or a *RangeError.
func above(lower float64, i int, v float64) (float64, error) {
	u := v - lower
	if !(u > 0) || math.IsInf(u, 1) {
		return 0, &RangeError{Index: i, Value: v, Want: fmt.Sprintf("finite and above %v", lower)}
	}
	return u, nil
}

// Pullback implements Transform. The derivative of softplus is the logistic function.
func (t Positive) Pullback(dFree, dValue, free []float64) {
	for i, x := range free {
		dFree[i] = dValue[i] / (1 + math.Exp(-x))
	}
}

// softplus returns log(1 + exp(x)) without overflow and without loss of small values.
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// Exponential keeps values above Lower: value = Lower + exp(free). Values that differ by orders of
// magnitude have free entries of similar size, which suits quasi-Newton methods.
type Exponential struct{ Lower float64 }

// Size implements Transform.
func (t Exponential) Size(n int) int { return n }

// Forward implements Transform.
func (t Exponential) Forward(value, free []float64) {
	for i, x := range free {
		value[i] = t.Lower + math.Exp(x)
	}
}

// Inverse implements Transform. It rejects values that are not finite or not above Lower.
func (t Exponential) Inverse(free, value []float64) error {
	for i, v := range value {
		u, err := above(t.Lower, i, v)
		if err != nil {
			return err
		}
		free[i] = math.Log(u)
	}
	return nil
}

// Pullback implements Transform.
func (t Exponential) Pullback(dFree, dValue, free []float64) {
	for i, x := range free {
		dFree[i] = dValue[i] * math.Exp(x)
	}
}
