package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// GridPoints is the number of points of a Line.
const GridPoints = 81

// lineMargin is the extension of a line beyond the data, as a share of their range.
const lineMargin = 0.1

// Line holds the points at which Functions are evaluated: one input varies, and the others are at
// their means.
type Line struct {
	Input  int
	Grid   []float64 // values of the input, ascending, [G]
	Points []float64 // [G][D]
}

// maxLines is the maximum number of lines returned by NewLines.
const maxLines = 8

// NewLine returns points along the input with the shortest lengthscale, given the training inputs
// x, [D][N], and a lengthscale for each input.
func NewLine(x, lengthscales []float64) Line {
	return along(x, len(lengthscales), byLength(lengthscales)[0])
}

// NewLines returns lines along the inputs in order of increasing lengthscale, at most maxLines.
func NewLines(x, lengthscales []float64) (list []Line) {
	inputs := byLength(lengthscales)
	for _, input := range inputs[:min(len(inputs), maxLines)] {
		list = append(list, along(x, len(lengthscales), input))
	}
	return list
}

// byLength returns the inputs in order of increasing lengthscale.
func byLength(lengthscales []float64) []int {
	inputs := make([]int, len(lengthscales))
	for k := range inputs {
		inputs[k] = k
	}
	slices.SortStableFunc(inputs, func(a, b int) int { return cmp.Compare(lengthscales[a], lengthscales[b]) })
	return inputs
}

// along returns points along one of the d inputs of x, [D][N].
func along(x []float64, d, input int) Line {
	const n = GridPoints
	l := Line{Input: input, Points: make([]float64, n*d)}
	for k := range d {
		mean, least, most := spread(x[k*len(x)/d : (k+1)*len(x)/d])
		from := least - lineMargin*(most-least)
		step := (1 + 2*lineMargin) * (most - least) / (n - 1)
		for i := range n {
			v := mean
			if k == input {
				v = from + float64(i)*step
				l.Grid = append(l.Grid, v)
			}
			l.Points[i*d+k] = v
		}
	}
	return l
}

// Functions returns L functions along the line, named f or f 1 to f L, given their means and
// variances at its points, both [G][L].
func (l Line) Functions(mean, variance []float64) *Functions {
	n := len(l.Grid)
	count := len(mean) / n
	out := &Functions{Input: l.Input, Grid: l.Grid}
	for k := range count {
		f := Function{Name: "f", Mean: make(Rounded, n), SD: make(Rounded, n)}
		if count > 1 {
			f.Name = fmt.Sprintf("f %d", k+1)
		}
		for i := range n {
			f.Mean[i], f.SD[i] = mean[i*count+k], math.Sqrt(variance[i*count+k])
		}
		out.Items = append(out.Items, f)
	}
	return out
}

// spread returns the mean, minimum and maximum of v.
func spread(v []float64) (mean, least, most float64) {
	least, most = v[0], v[0]
	for _, x := range v {
		mean += x
		least = min(least, x)
		most = max(most, x)
	}
	return mean / float64(len(v)), least, most
}
