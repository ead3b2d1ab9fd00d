package family

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/view"
)

const (
	// maxLines is the maximum number of lines returned by Lines.
	maxLines = 8
	// lineMargin is the extension of a line beyond the data, as a share of their range.
	lineMargin = 0.1
)

// inputColumns returns the columns that the inputs encode.
func (d Data) inputColumns() []view.Column {
	if d.Columns != nil {
		return d.Columns
	}
	_, inputs := d.X.Dims()
	list := make([]view.Column, inputs)
	for k := range list {
		list[k] = view.Column{Input: k, Width: 1}
	}
	return list
}

// Numbers returns the numeric inputs, ascending.
func (d Data) Numbers() (inputs []int) {
	for _, c := range d.inputColumns() {
		if c.Category == nil {
			inputs = append(inputs, c.Input)
		}
	}
	return inputs
}

// Held returns the inputs at which views hold columns that do not vary, [D]: numeric columns at the
// mean of the training inputs, and categories at their most frequent level.
func (d Data) Held() []float64 {
	n, inputs := d.X.Dims()
	held := make([]float64, inputs)
	column := make([]float64, n)
	for _, c := range d.inputColumns() {
		if c.Category != nil {
			copy(held[c.Input:], c.Codes[c.Held])
			continue
		}
		held[c.Input] = stat.Mean(mat.Col(column, c.Input, d.X), nil)
	}
	return held
}

// HoldCategories returns a copy of inputs x, [n, D], with every category at its most frequent level.
func (d Data) HoldCategories(x *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, _ := out.Dims()
	for i := range n {
		for _, c := range d.Columns {
			if c.Category != nil {
				copy(out.RawRowView(i)[c.Input:], c.Codes[c.Held])
			}
		}
	}
	return out
}

// Line returns points along the column with the shortest lengthscale; see Lines.
func (d Data) Line(lengthscales []float64) view.Line {
	return d.along(d.byLength(lengthscales)[0])
}

// Lines returns lines along the columns in order of increasing lengthscale, at most maxLines.
// lengthscales holds a lengthscale for each input, [D]; the lengthscale of a category is the
// shortest of its inputs.
func (d Data) Lines(lengthscales []float64) (list []view.Line) {
	columns := d.byLength(lengthscales)
	for _, c := range columns[:min(len(columns), maxLines)] {
		list = append(list, d.along(c))
	}
	return list
}

// byLength returns the columns in order of increasing lengthscale.
func (d Data) byLength(lengthscales []float64) []view.Column {
	columns := slices.Clone(d.inputColumns())
	length := func(c view.Column) float64 { return slices.Min(lengthscales[c.Input : c.Input+c.Width]) }
	slices.SortStableFunc(columns, func(a, b view.Column) int { return cmp.Compare(length(a), length(b)) })
	return columns
}

// along returns the levels of a category, or points over the range of a numeric column with a
// margin.
func (d Data) along(c view.Column) view.Line {
	if c.Category == nil {
		return d.Over(c.Input, view.GridPoints, lineMargin)
	}
	l := view.Line{Column: c}
	for k, code := range c.Codes {
		held := d.Held()
		copy(held[c.Input:], code)
		l.Grid = append(l.Grid, float64(k))
		l.Points = append(l.Points, held...)
	}
	return l
}

// Over returns n points over the range of a numeric input, extended on both sides by a share of the
// range.
func (d Data) Over(input, n int, margin float64) view.Line {
	least := math.Inf(1)
	most := math.Inf(-1)
	for i := range d.X.RawMatrix().Rows {
		v := d.X.At(i, input)
		least = math.Min(least, v)
		most = math.Max(most, v)
	}
	from := least - margin*(most-least)
	step := (1 + 2*margin) * (most - least) / float64(n-1)
	l := view.Line{Column: view.Column{Input: input, Width: 1}}
	held := d.Held()
	for i := range n {
		held[input] = from + float64(i)*step
		l.Grid = append(l.Grid, held[input])
		l.Points = append(l.Points, held...)
	}
	return l
}
