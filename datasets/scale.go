package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// constantRange is the largest range, relative to the largest magnitude, of a
// column that counts as constant. A few roundings stay below it. The range is
// tested, not the standard deviation: of a column of equal numbers that have no
// exact binary form, the computed deviation is tiny but not zero.
const constantRange = 1e-12

// constantColumn says whether column j of m is constant, and returns its first
// value.
func constantColumn(m *mat.Dense, j int) (first float64, constant bool) {
	n, _ := m.Dims()
	first = m.At(0, j)
	lo, hi := first, first
	for i := range n {
		lo, hi = min(lo, m.At(i, j)), max(hi, m.At(i, j))
	}
	// Halves do not overflow.
	return first, hi/2-lo/2 <= constantRange*max(math.Abs(lo), math.Abs(hi))/2
}

// columnScale returns the mean and the standard deviation (divisor n) of column
// j of m; the deviation of a constant column is exactly 0. ok is false if either is
// too large for a number.
func columnScale(m *mat.Dense, j int) (mean, sd float64, ok bool) {
	n, _ := m.Dims()
	first, constant := constantColumn(m, j)
	if constant {
		return first, 0, true
	}
	// Deviations from one of the values, in units of the largest of them, neither
	// cancel nor overflow nor vanish.
	var unit, sum, squares float64
	for i := range n {
		unit = max(unit, math.Abs(m.At(i, j)-first))
	}
	for i := range n {
		sum += (m.At(i, j) - first) / unit
	}
	center := sum / float64(n)
	for i := range n {
		d := (m.At(i, j)-first)/unit - center
		squares += d * d
	}
	mean, sd = first+unit*center, unit*math.Sqrt(squares/float64(n))
	return mean, sd, !math.IsNaN(mean+sd) && !math.IsInf(mean+sd, 0) && !math.IsInf(1/sd, 0)
}

// newScaling measures the columns of a training part. A constant input has SD 1,
// with a warning; a constant target is an error. Classes are not scaled.
func newScaling(ds *Dataset, x, y *mat.Dense) (s Scaling, warnings []string, err error) {
	for j, name := range ds.Inputs {
		mean, sd, ok := columnScale(x, j)
		if !ok {
			return Scaling{}, nil, fmt.Errorf("input %s spans too wide or too narrow a range to be standardised", name)
		}
		if sd == 0 {
			sd = 1
			warnings = append(warnings, fmt.Sprintf("input %s is constant in the training part: kept, and scaled by 1", name))
		}
		s.InputMean, s.InputSD = append(s.InputMean, mean), append(s.InputSD, sd)
	}
	for j, name := range ds.Targets {
		mean, sd, ok := columnScale(y, j)
		switch {
		case !ok:
			return Scaling{}, nil, fmt.Errorf("target %s spans too wide or too narrow a range to be standardised", name)
		case sd == 0 && ds.Task == task.Binary:
			return Scaling{}, nil, fmt.Errorf("target %s has one class only in the training part of this split", name)
		case sd == 0:
			return Scaling{}, nil, fmt.Errorf("target %s is constant (%v) in the training part of this split", name, mean)
		case ds.Task == task.Binary:
			mean, sd = 0, 1
		}
		s.TargetMean, s.TargetSD = append(s.TargetMean, mean), append(s.TargetSD, sd)
	}
	return s, warnings, nil
}

// ScaleInputs takes inputs [n, D] from original units to standardised ones, in
// place.
func (s Scaling) ScaleInputs(x *mat.Dense) { standardise(x, s.InputMean, s.InputSD) }

// ScaleTargets takes targets [n, P] from original units to standardised ones, in
// place.
func (s Scaling) ScaleTargets(y *mat.Dense) { standardise(y, s.TargetMean, s.TargetSD) }

// UnscaleInputs is the inverse of ScaleInputs.
func (s Scaling) UnscaleInputs(x *mat.Dense) { restore(x, s.InputMean, s.InputSD) }

// UnscaleTargets is the inverse of ScaleTargets.
func (s Scaling) UnscaleTargets(y *mat.Dense) { restore(y, s.TargetMean, s.TargetSD) }

// LogDensityShift is what must be added to the log-density of a row of targets
// in standardised units to have it in original units: minus the sum of log SD
// over the targets.
func (s Scaling) LogDensityShift() float64 {
	var shift float64
	for _, sd := range s.TargetSD {
		shift -= math.Log(sd)
	}
	return shift
}

func standardise(m *mat.Dense, mean, sd []float64) {
	m.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / sd[j] }, m)
}

func restore(m *mat.Dense, mean, sd []float64) {
	m.Apply(func(_, j int, v float64) float64 { return mean[j] + sd[j]*v }, m)
}
