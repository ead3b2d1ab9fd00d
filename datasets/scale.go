package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// constantRange is the maximum range, relative to the largest magnitude, of a column that counts as
// constant. It allows for rounding errors. The range is tested because the computed standard
// deviation of equal numbers without an exact binary form is tiny but not zero.
const constantRange = 1e-12

// constantColumn reports whether column j of m is constant, ignoring NaN, and returns its first
// value. It returns NaN and true for a column without values.
func constantColumn(m *mat.Dense, j int) (first float64, constant bool) {
	n, _ := m.Dims()
	first = math.NaN()
	var lo, hi float64
	for i := range n {
		v := m.At(i, j)
		switch {
		case math.IsNaN(v):
			continue
		case math.IsNaN(first):
			first, lo, hi = v, v, v
		}
		lo = min(lo, v)
		hi = max(hi, v)
	}
	// The halves avoid overflow.
	return first, hi/2-lo/2 <= constantRange*max(math.Abs(lo), math.Abs(hi))/2
}

// columnRange returns the least and the largest value of column j of m, ignoring NaN.
func columnRange(m *mat.Dense, j int) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	n, _ := m.Dims()
	for i := range n {
		v := m.At(i, j)
		if !math.IsNaN(v) {
			least = min(least, v)
			most = max(most, v)
		}
	}
	return least, most
}

// columnScale returns the mean and the standard deviation (divisor n) of column j of m, ignoring
// NaN. The standard deviation of a constant column is exactly 0, and the mean of a column without
// values is NaN. ok is false if a result overflows.
func columnScale(m *mat.Dense, j int) (mean, sd float64, ok bool) {
	n, _ := m.Dims()
	first, constant := constantColumn(m, j)
	if constant {
		return first, 0, true
	}
	// Deviations from one of the values, in units of the largest deviation, avoid cancellation,
	// overflow and underflow.
	var unit, sum, squares, count float64
	for i := range n {
		if v := m.At(i, j); !math.IsNaN(v) {
			unit = max(unit, math.Abs(v-first))
			count++
		}
	}
	for i := range n {
		if v := m.At(i, j); !math.IsNaN(v) {
			sum += (v - first) / unit
		}
	}
	center := sum / count
	for i := range n {
		if v := m.At(i, j); !math.IsNaN(v) {
			d := (v-first)/unit - center
			squares += d * d
		}
	}
	mean, sd = first+unit*center, unit*math.Sqrt(squares/count)
	return mean, sd, !math.IsNaN(mean+sd) && !math.IsInf(mean+sd, 0) && !math.IsInf(1/sd, 0)
}

// newScaling computes the scaling from the training set. A constant input gets SD 1 and a warning; with
// leaveOut, inputs with a deviation of at most constantInput are left out.
// A constant target is an error. Classes are not scaled. y must hold logarithms if ds.LogTargets is
// set.
func newScaling(ds *Dataset, x, y *mat.Dense, leaveOut bool) (s Scaling, warnings []string, err error) {
	for j, name := range ds.Inputs {
		mean, sd, ok := columnScale(x, j)
		if !ok {
			return Scaling{}, nil,
				fmt.Errorf("input %s spans too wide or too narrow a range to be standardised", name)
		}
		if math.IsNaN(mean) {
			return Scaling{}, nil,
				fmt.Errorf("input %s is missing in every row of the training set of this split", name)
		}
		switch {
		case leaveOut && sd <= constantInput:
			sd = 1
			if s.LeftOut == nil {
				s.LeftOut = make([]bool, len(ds.Inputs))
			}
			s.LeftOut[j] = true
			warnings = append(warnings,
				fmt.Sprintf("input %s is constant in the training set: left out", name))
		case sd == 0:
			sd = 1
			warnings = append(warnings,
				fmt.Sprintf("input %s is constant in the training set: kept with scale 1", name))
		}
		s.InputMean = append(s.InputMean, mean)
		s.InputSD = append(s.InputSD, sd)
		least, most := columnRange(x, j)
		s.InputMin = append(s.InputMin, least)
		s.InputMax = append(s.InputMax, most)
	}
	for j, name := range ds.Targets {
		mean, sd, ok := columnScale(y, j)
		switch {
		case !ok:
			return Scaling{}, nil,
				fmt.Errorf("target %s spans too wide or too narrow a range to be standardised", name)
		case math.IsNaN(mean):
			return Scaling{}, nil,
				fmt.Errorf("target %s is missing in every row of the training set of this split", name)
		case sd == 0 && ds.Task.Classes():
			return Scaling{}, nil,
				fmt.Errorf("target %s has only one class in the training set of this split", name)
		case sd == 0:
			return Scaling{}, nil, fmt.Errorf("target %s is constant (%v) in the training set of this split",
				name, mean)
		case ds.Task != task.Regression:
			mean, sd = 0, 1
		}
		s.TargetMean = append(s.TargetMean, mean)
		s.TargetSD = append(s.TargetSD, sd)
	}
	s.Log = ds.LogTargets
	return s, warnings, nil
}

// Outside reports whether a value of input d, in original units, is outside of the range of the training set.
func (s Scaling) Outside(d int, v float64) bool {
	return s.InputMin != nil && (v < s.InputMin[d] || v > s.InputMax[d])
}

// ScaleInputs standardises inputs, [n, D], in place.
func (s Scaling) ScaleInputs(x *mat.Dense) { change(x, s.StandardInput) }

// ScaleTargets standardises targets, [n, P], or their logarithms if Log is set, in place.
func (s Scaling) ScaleTargets(y *mat.Dense) {
	change(y, func(j int, v float64) float64 { return (v - s.TargetMean[j]) / s.TargetSD[j] })
}

// Input returns a standardised value of input d in original units.
func (s Scaling) Input(d int, v float64) float64 { return s.InputMean[d] + s.InputSD[d]*v }

// StandardInput is the inverse of Input. It returns 0 for an input that is left out.
func (s Scaling) StandardInput(d int, v float64) float64 {
	if s.LeftOut != nil && s.LeftOut[d] {
		return 0
	}
	return (v - s.InputMean[d]) / s.InputSD[d]
}

// change replaces each value of m by a function of its column and itself. Unlike mat.Dense.Apply, it
// does not copy m.
func change(m *mat.Dense, f func(column int, v float64) float64) {
	rows, _ := m.Dims()
	for i := range rows {
		row := m.RawRowView(i)
		for j, v := range row {
			row[j] = f(j, v)
		}
	}
}
