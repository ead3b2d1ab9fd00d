package probe

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/stats"
	"dgplab/models/view"
	"dgplab/session/config"
)

const (
	// fitInputs is the maximum number of input columns in a fit. If there are more, it shows the most
	// informative ones.
	fitInputs = 16
	// fitOnly is the grid size for a single input. With several inputs, about fitBudget points are
	// distributed over inputs and fitLevels, and the grid sizes are bounded.
	fitOnly, fitBudget    = 121, 800
	fitLeast, fitMostGrid = 15, 41
	// fitSamples is the number of draws per prediction along an input. rowSamples is the number for partial
	// dependence, which averages over many predictions.
	fitSamples, rowSamples = 16, 4
	// fitRows is the number of training rows that partial dependence averages over. Its grids have about
	// rowBudget points in total, and their sizes are bounded.
	fitRows, rowBudget    = 24, 1600
	rowLeast, rowMostGrid = 7, 21
	// fitTrain and fitHeld are the maximum numbers of training and held-out points in a fit.
	fitTrain, fitHeld = 192, 80
	// quantileRows is the maximum number of training rows used for quantiles of inputs.
	quantileRows = 4096
)

// fitLevels holds the quantiles of the other numbers in slices. The median is in the middle.
var fitLevels = []float64{0.1, 0.5, 0.9}

// fitPlan defines the points of a fit. It depends only on the data and is made once per run.
type fitPlan struct {
	// outline is the fit without predictions. All fits of the run share its parts.
	outline view.Fit
	columns []inputColumn // columns of the lines
	// along holds the points of the slices, by line, level and grid point, followed by the held-out points;
	// rows holds the points of the partial dependence, by line, grid point and row. They are generated during
	// prediction, because for wide data they need more memory than the data.
	along, rows places
	// medians returns the points of the median slice of a line.
	medians func(line int) *mat.Dense
}

// newFitPlan plans the fits of a run.
func (p *Probe) newFitPlan() *fitPlan {
	data := p.Data
	all := p.inputColumns()
	plan := new(fitPlan)
	f := &plan.outline
	f.Classes = data.Task.Classes()
	for k, c := range all {
		f.Inputs = append(f.Inputs, c.Name)
		if c.Category() {
			f.Categories = append(f.Categories, k)
		}
	}
	for _, k := range p.informativeColumns(fitInputs) {
		c := all[k]
		plan.columns = append(plan.columns, c)
		f.Lines = append(f.Lines, view.FitLine{Input: k, Name: c.Name, Unit: c.unit,
			Category: c.category()})
	}
	f.Levels = []float64{0.5}
	across := fitOnly
	if len(all) > 1 {
		across = clamp(fitBudget/(len(fitLevels)*len(plan.columns)), fitLeast, fitMostGrid)
	}
	for line := range f.Lines {
		if f.HoldsNumbers(line) {
			f.Levels = fitLevels
		}
	}
	f.Targets = p.fitTargets()
	if !f.Classes {
		f.Units = p.columns.targetUnits
	}
	f.Train = p.fitPoints("training points", data.Train, fitTrain, plan.columns)
	name, held := heldOut(data)
	f.Held = p.fitPoints(name, held, fitHeld, plan.columns)
	p.planSlices(plan, across, held, p.fitRowsOf(held, fitHeld))
	if len(all) > 1 {
		p.planRows(plan, config.Subset(data.Train.Len(), fitRows, p.derive(fitDraws, 1)))
	}
	return plan
}

// heldOut returns the test set, or the validation set if that is empty, or the training set if both are
// empty.
func heldOut(p *datasets.Prepared) (name string, part datasets.Part) {
	switch {
	case p.Test.Len() > 0:
		return "test points", p.Test
	case p.Validation.Len() > 0:
		return "validation points", p.Validation
	}
	return "training points", p.Train
}

// slice is a series of points along an axis with the other inputs held constant.
type slice struct {
	axis
	held []float64 // [D]
	// first is the index of its first point among all points.
	first int
}

// sliceAt returns the slice that contains a point. Slices are ordered by their first points.
func sliceAt(list []slice, point int) *slice {
	after := sort.Search(len(list), func(i int) bool { return list[i].first > point })
	return &list[after-1]
}

// planSlices defines the points of the slices, followed by the given rows of a part.
func (p *Probe) planSlices(plan *fitPlan, across int, part datasets.Part, rows []int) {
	f := &plan.outline
	at := p.heldInputs(f.Levels)
	middle := len(f.Levels) / 2
	var list, medians []slice
	total := 0
	for line, c := range plan.columns {
		one := slice{axis: axisOver(c, p.Data.Train.X, across, planeMargin)}
		f.Lines[line].Grid = p.values(one.axis)
		for level := range f.Levels {
			if level != middle && !f.HoldsNumbers(line) {
				continue
			}
			one.held, one.first = at[level], total
			list = append(list, one)
			total += one.len()
			if level == middle {
				medians = append(medians, one)
			}
		}
	}
	plan.along = places{n: total + len(rows), inputs: func(first, last int) *mat.Dense {
		out := mat.NewDense(last-first, len(at[0]), nil)
		for k := first; k < last; k++ {
			row := out.RawRowView(k - first)
			if k >= total {
				copy(row, part.X.RawRowView(rows[k-total]))
				continue
			}
			s := sliceAt(list, k)
			copy(row, s.held)
			s.put(row, k-s.first)
		}
		return out
	}}
	if known := targetsIn(part, rows).noise; known != nil {
		plan.along.noise = slices.Concat(make([]float64, total), known) // points along the inputs have none
	}
	plan.medians = func(line int) *mat.Dense {
		s := medians[line]
		return plan.along.inputs(s.first, s.first+s.len())
	}
	for level := range f.Levels {
		place := make(view.Rounded, len(plan.columns))
		for i, c := range plan.columns {
			place[i] = p.valueOf(c, at[level])
		}
		f.At = append(f.At, place)
	}
}

// planRows defines the points of the partial dependence over the given training rows. A category that
// is missing in a row has its most frequent level.
func (p *Probe) planRows(plan *fitPlan, rows []int) {
	x := p.Data.Train.X
	_, d := x.Dims()
	complete := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		complete.SetRow(i, x.RawRowView(row))
		for _, c := range p.inputColumns() {
			if c.Category() && p.levelOf(c, complete.RawRowView(i)) < 0 {
				copy(complete.RawRowView(i)[c.First:], c.codes[c.frequent])
			}
		}
	}
	plan.outline.Rows = len(rows)
	across := clamp(rowBudget/(fitRows*len(plan.columns)), rowLeast, rowMostGrid)
	var list []slice
	total := 0
	for line, c := range plan.columns {
		one := slice{axis: axisOver(c, x, across, 0), first: total}
		plan.outline.Lines[line].Coarse = p.values(one.axis)
		list = append(list, one)
		total += one.len() * len(rows)
	}
	plan.rows = places{n: total, inputs: func(first, last int) *mat.Dense {
		out := mat.NewDense(last-first, d, nil)
		for k := first; k < last; k++ {
			row := out.RawRowView(k - first)
			s := sliceAt(list, k)
			copy(row, complete.RawRowView((k-s.first)%len(rows)))
			s.put(row, (k-s.first)/len(rows))
		}
		return out
	}}
}

func clamp(n, least, most int) int { return max(least, min(n, most)) }

// quantilesOf returns the quantiles of all columns of x at each level, [Q][D]. For more than
// quantileRows rows it uses evenly spaced rows.
func quantilesOf(x *mat.Dense, levels []float64) [][]float64 {
	n, d := x.Dims()
	step := (n + quantileRows - 1) / quantileRows
	out := make([][]float64, len(levels))
	for q := range levels {
		out[q] = make([]float64, d)
	}
	for j := range d {
		var column []float64
		for i := 0; i < n; i += step {
			column = append(column, x.At(i, j))
		}
		slices.Sort(column)
		for q, level := range levels {
			out[q][j] = stats.SampleQuantile(column, level)
		}
	}
	return out
}

// fitTargets returns the names of the predicted values.
func (p *Probe) fitTargets() (names []string) {
	_, targets := p.Data.Train.Y.Dims()
	for k := range targets {
		name := nameOf(p.columns.targets, "target", k)
		switch p.Data.Task {
		case task.Multiclass:
			for _, class := range p.Data.Classes {
				names = append(names, "P("+name+"="+class+")")
			}
		case task.Binary:
			names = append(names, "P("+name+"="+p.positive()+")")
		default:
			names = append(names, name)
		}
	}
	return names
}

// fitRowsOf returns the rows of a part that are shown with a fit.
func (p *Probe) fitRowsOf(part datasets.Part, most int) []int {
	return config.Subset(part.Len(), most, p.derive(fitDraws, 0))
}

// fitPoints returns a subset of the points of a part in original units.
func (p *Probe) fitPoints(
	name string, part datasets.Part, most int, columns []inputColumn,
) view.FitPoints {
	rows := p.fitRowsOf(part, most)
	points := view.FitPoints{Name: name, Total: part.Len()}
	for _, c := range columns {
		values := make(view.Rounded, len(rows))
		for k, row := range rows {
			values[k] = p.valueOf(c, part.X.RawRowView(row))
			if part.Inputs != nil && !c.Category() {
				values[k] = part.Inputs.At(row, c.First)
			}
		}
		points.X = append(points.X, values)
	}
	kind := p.Data.Task
	for k := range p.fitTargets() {
		observed := make(view.Rounded, len(rows))
		for i, row := range rows {
			switch {
			case !kind.Classes():
				observed[i] = part.Targets.At(row, k)
			case kind == task.Binary:
				observed[i] = float64(datasets.ClassOf(kind, part.Y.At(row, k)))
			case datasets.ClassOf(kind, part.Y.At(row, 0)) == k:
				observed[i] = 1
			}
		}
		points.Y = append(points.Y, observed)
	}
	return points
}

// original converts standardised values of input d to original units.
func (p *Probe) original(values []float64, d int) view.Rounded {
	out := make(view.Rounded, len(values))
	for i, v := range values {
		out[i] = p.Data.Scaling.Input(d, v)
	}
	return out
}

// informativeColumns returns, in ascending order, at most the given number of input columns: those that
// linearly explain the largest share of the variance of a target or, for more than two classes, of a class
// indicator. The share is adjusted for the number of levels.
func (p *Probe) informativeColumns(most int) []int {
	all := p.inputColumns()
	columns := make([]int, len(all))
	for k := range columns {
		columns[k] = k
	}
	if len(columns) <= most {
		return columns
	}
	x := p.Data.Train.X
	strength := slices.Repeat([]float64{math.Inf(-1)}, len(all))
	for _, target := range indicators(p.Data) {
		var rows []int
		var y []float64
		for i, v := range target {
			if !math.IsNaN(v) {
				rows = append(rows, i)
				y = append(y, v)
			}
		}
		for k, c := range all {
			values := make([]float64, len(rows))
			var share float64
			parameters := 1
			if c.Category() {
				for i, row := range rows {
					values[i] = p.valueOf(c, x.RawRowView(row))
				}
				share, parameters = levelShare(values, y, len(c.levels))
			} else {
				for i, row := range rows {
					values[i] = x.At(row, c.First)
				}
				share = linearShare(values, y)
			}
			adjusted := 1 - (1-share)*float64(len(y)-1)/math.Max(float64(len(y)-1-parameters), 1)
			if adjusted > strength[k] {
				strength[k] = adjusted
			}
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(strength[b], strength[a]) })
	columns = columns[:most]
	slices.Sort(columns)
	return columns
}

// linearShare returns the share of the variance of y that a linear function of x explains. It is NaN
// if one of them is constant.
func linearShare(x, y []float64) float64 {
	r := stat.Correlation(x, y, nil)
	return r * r
}

// levelShare returns the share of the variance of y between the means of the levels, and the number of levels
// that occur minus one. Rows without a level are ignored. The share is NaN if y is constant or only one level
// occurs.
func levelShare(level, y []float64, levels int) (share float64, parameters int) {
	count := make([]float64, levels)
	sum := make([]float64, levels)
	var shown []float64
	for i, k := range level {
		if !math.IsNaN(k) {
			count[int(k)]++
			sum[int(k)] += y[i]
			shown = append(shown, y[i])
		}
	}
	mean := stat.Mean(shown, nil)
	between := 0.0
	for k, n := range count {
		if n > 0 {
			parameters++
			d := sum[k]/n - mean
			between += n * d * d
		}
	}
	total := stat.PopVariance(shown, nil) * float64(len(shown))
	if parameters < 2 {
		return math.NaN(), 0
	}
	return between / total, parameters - 1
}

// indicators returns the training targets, or class indicators if there are more than two classes.
func indicators(p *datasets.Prepared) (list [][]float64) {
	_, targets := p.Train.Y.Dims()
	for k := range targets {
		list = append(list, mat.Col(nil, k, p.Train.Y))
	}
	if p.Task != task.Multiclass {
		return list
	}
	classes := list[0]
	list = nil
	for c := range p.Classes {
		is := make([]float64, len(classes))
		for i, v := range classes {
			if int(v) == c {
				is[i] = 1
			}
		}
		list = append(list, is)
	}
	return list
}
