package view

import (
	"fmt"
	"math"
)

// GridPoints is the number of points of a Line along a numeric column.
const GridPoints = 81

// Column is a column of a table that inputs of a model encode: a numeric column, which is one
// input, or a category, whose levels one or several inputs encode.
type Column struct {
	// Input is the first of its inputs, from 0, and Width is the number of its inputs.
	Input, Width int
	// Category describes the levels for pictures, Codes holds the standardised inputs of each
	// level, [G][Width], and Held is the index of the level at which views hold the category while
	// other columns vary. All are zero for a numeric column.
	Category *Category
	Codes    [][]float64
	Held     int
}

// Line holds the points at which Functions are evaluated: one column varies, and the others are
// held fixed.
type Line struct {
	Column
	// Grid holds the ascending values of a numeric column or the indices of the levels of a
	// category, [G].
	Grid   []float64
	Points []float64 // [G][D]
}

// Along returns functions along the line.
func (l Line) Along(items []Function) Functions {
	return Functions{Input: l.Input, Grid: l.Grid, Category: l.Category, Items: items}
}

// Functions returns L functions along the line, named f or f 1 to f L, given their means and
// variances at its points, both [G][L].
func (l Line) Functions(mean, variance []float64) *Functions {
	n := len(l.Grid)
	items := make([]Function, len(mean)/n)
	for k := range items {
		f := Function{Name: "f", Mean: make(Rounded, n), SD: make(Rounded, n)}
		if len(items) > 1 {
			f.Name = fmt.Sprintf("f %d", k+1)
		}
		for i := range n {
			at := i*len(items) + k
			f.Mean[i], f.SD[i] = mean[at], math.Sqrt(variance[at])
		}
		items[k] = f
	}
	out := l.Along(items)
	return &out
}
