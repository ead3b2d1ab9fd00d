package probe

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/view"
)

// mostLevels is the maximum number of levels of a category in a picture. Rarer levels are left out.
const mostLevels = 24

// inputColumn describes how pictures vary a column of the table or hold it constant.
type inputColumn struct {
	datasets.InputColumn
	unit string
	// levels holds the indices of the levels in pictures, ascending, and counts holds their numbers of
	// training rows. codes holds the standardised inputs of each level, [Width]. frequent is the index in
	// levels of the most frequent level. All are zero for numbers.
	levels, counts []int
	codes          [][]float64
	frequent       int
}

// inputColumns returns the columns that the inputs encode.
func (p *Probe) inputColumns() []inputColumn {
	if p.inputs != nil {
		return p.inputs
	}
	columns := p.columns.encoded
	if columns == nil {
		_, d := p.Data.Train.X.Dims()
		names := make([]string, d)
		for j := range names {
			names[j] = nameOf(p.columns.inputs, "input", j)
		}
		columns = datasets.NumberColumns(names)
	}
	for _, c := range columns {
		column := inputColumn{InputColumn: c}
		if c.Category() {
			p.countLevels(&column)
		} else {
			column.unit = columnUnit(p.columns.inputUnits, c.First)
		}
		p.inputs = append(p.inputs, column)
	}
	return p.inputs
}

// Columns returns the columns that the inputs encode, for the views of models, or nil if all are numbers.
func (p *Probe) Columns() (list []view.Column) {
	if p.columns.encoded == nil {
		return nil
	}
	for _, c := range p.inputColumns() {
		list = append(list, view.Column{
			Input: c.First, Width: c.Width, Category: c.category(), Codes: c.codes, Held: c.frequent,
		})
	}
	return list
}

// countLevels sets the levels of a category by their frequency in the training set.
func (p *Probe) countLevels(c *inputColumn) {
	x := p.Data.Train.X
	counts := make([]int, len(c.Levels))
	for i := range rowsOf(x) {
		if level := p.levelOf(*c, x.RawRowView(i)); level >= 0 {
			counts[level]++
		}
	}
	byCount := make([]int, len(counts))
	for k := range byCount {
		byCount[k] = k
	}
	slices.SortStableFunc(byCount, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	c.levels = slices.Sorted(slices.Values(byCount[:min(len(byCount), mostLevels)]))
	c.frequent = slices.Index(c.levels, byCount[0])
	for _, level := range c.levels {
		code := make([]float64, c.Width)
		c.Encode(code, level)
		for k := range code {
			code[k] = p.Data.Scaling.StandardInput(c.First+k, code[k])
		}
		c.codes = append(c.codes, code)
		c.counts = append(c.counts, counts[level])
	}
}

// levelOf returns the level of a category in a row of standardised inputs, [D], or -1 if there is none.
func (p *Probe) levelOf(c inputColumn, row []float64) int {
	inputs := make([]float64, c.Width)
	for k := range inputs {
		inputs[k] = p.Data.Scaling.Input(c.First+k, row[c.First+k])
	}
	return c.Level(inputs)
}

// valueOf returns the value of the column in a row of standardised inputs, [D]: in original units
// for a number, the index of its level in pictures for a category, or NaN if the level is missing or
// left out.
func (p *Probe) valueOf(c inputColumn, row []float64) float64 {
	if !c.Category() {
		return p.Data.Scaling.Input(c.First, row[c.First])
	}
	if k := slices.Index(c.levels, p.levelOf(c, row)); k >= 0 {
		return float64(k)
	}
	return math.NaN()
}

// category returns a description of the levels, or nil for a number.
func (c inputColumn) category() *view.Category {
	if !c.Category() {
		return nil
	}
	out := &view.Category{Counts: c.counts, More: len(c.Levels) - len(c.levels)}
	for _, level := range c.levels {
		out.Names = append(out.Names, c.Levels[level])
	}
	return out
}

// axis holds the values of an input column in a picture.
type axis struct {
	inputColumn
	grid []float64 // standardised values of a number, or nil for a category
}

// axisOver returns n evenly spaced values of a number, or all levels of a category. The range of the
// training inputs x, [N, D], is extended on both sides by a share.
func axisOver(c inputColumn, x *mat.Dense, n int, beyond float64) axis {
	if c.Category() {
		return axis{inputColumn: c}
	}
	return axis{c, gridOver(x, c.First, n, beyond)}
}

// len returns the number of values.
func (a axis) len() int {
	if a.Category() {
		return len(a.levels)
	}
	return len(a.grid)
}

// put writes value k into a row of standardised inputs, [D].
func (a axis) put(row []float64, k int) {
	if a.Category() {
		copy(row[a.First:], a.codes[k])
		return
	}
	row[a.First] = a.grid[k]
}

// values returns all values in original units, or the indices of the levels.
func (p *Probe) values(a axis) view.Rounded {
	if !a.Category() {
		return p.original(a.grid, a.First)
	}
	out := make(view.Rounded, a.len())
	for k := range out {
		out[k] = float64(k)
	}
	return out
}

// heldInputs returns the standardised inputs at which pictures hold columns constant, [Q][D]: numbers at each
// quantile of the training inputs, categories at their most frequent level.
func (p *Probe) heldInputs(quantiles []float64) [][]float64 {
	held := quantilesOf(p.Data.Train.X, quantiles)
	for _, c := range p.inputColumns() {
		if !c.Category() {
			continue
		}
		for _, row := range held {
			copy(row[c.First:], c.codes[c.frequent])
		}
	}
	return held
}
