package family

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/view"
)

// The first line varies the input with the shortest lengthscale and extends slightly beyond the data,
// with the others at their means.
func TestLines(t *testing.T) {
	d := Data{X: mat.NewDense(3, 2, []float64{1, 0, 2, 10, 6, 5})}
	l := d.Line([]float64{3, 2})
	if l.Input != 1 || len(l.Grid) != view.GridPoints || l.Grid[0] != -1 ||
		math.Abs(l.Grid[view.GridPoints-1]-11) > 1e-12 || !slices.IsSorted(l.Grid) {
		t.Errorf("input %d, grid from %v to %v", l.Input, l.Grid[0], l.Grid[view.GridPoints-1])
	}
	for i, v := range l.Grid {
		if l.Points[2*i] != 3 || l.Points[2*i+1] != v {
			t.Errorf("point %d is %v", i, l.Points[2*i:2*i+2])
		}
	}
	lines := d.Lines([]float64{3, 2})
	if len(lines) != 2 || lines[0].Input != 1 || !slices.Equal(lines[0].Points, l.Points) ||
		lines[1].Input != 0 || lines[1].Points[1] != 5 || math.Abs(lines[1].Grid[0]-0.5) > 1e-12 {
		t.Errorf("lines along %d and %d", lines[0].Input, lines[1].Input)
	}
	wide := Data{X: mat.NewDense(2, maxLines+1, nil)}
	if n := len(wide.Lines(make([]float64, maxLines+1))); n != maxLines {
		t.Errorf("%d lines", n)
	}
}

// A line along a category has a point for each level; other lines hold it at its most frequent level.
func TestLinesOfCategories(t *testing.T) {
	d := Data{X: mat.NewDense(2, 3, []float64{1, -1, 2, -1, 1, 4}), Columns: []view.Column{
		{Width: 2, Category: new(view.Category), Codes: [][]float64{{1, -1}, {-1, 1}}, Held: 1},
		{Input: 2, Width: 1},
	}}
	lines := d.Lines([]float64{5, 0.5, 1})
	if got := fmt.Sprint(lines[0].Input, lines[0].Grid, lines[0].Points); got !=
		"0 [0 1] [1 -1 3 -1 1 3]" {
		t.Errorf("along the category: %s", got)
	}
	if got := fmt.Sprint(lines[1].Input, lines[1].Points[:2]); got != "2 [-1 1]" {
		t.Errorf("along the number: %s", got)
	}
	if got := fmt.Sprint(d.Numbers(), d.Held()); got != "[2] [-1 1 3]" {
		t.Errorf("numbers and held values %s", got)
	}
	if got := d.HoldCategories(d.X).RawMatrix().Data; !slices.Equal(got, []float64{-1, 1, 2, -1, 1, 4}) {
		t.Errorf("with the category held: %v", got)
	}
}
