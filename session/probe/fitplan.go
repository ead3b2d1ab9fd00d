package probe

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/stats"
	"dgplab/models/view"
)

const (
	// fitInputs is the maximum number of inputs in a fit. If there are more, it shows the ones most
	// correlated with a target.
	fitInputs = 16
	// fitOnly is the grid size for a single input. With several inputs, about fitBudget points are
	// distributed over inputs and fitLevels, on grids of bounded size.
	fitOnly, fitBudget    = 121, 800
	fitLeast, fitMostGrid = 15, 41
	// fitSamples and rowSamples are the numbers of draws per prediction along an input and for
	// partial dependence, which averages over many predictions.
	fitSamples, rowSamples = 16, 4
	// fitRows is the number of training rows that partial dependence averages over, on grids of
	// bounded size with about rowBudget points in total.
	fitRows, rowBudget    = 24, 1600
	rowLeast, rowMostGrid = 7, 21
	// fitTrain and fitHeld are the maximum numbers of training and held-out points in a fit.
	fitTrain, fitHeld = 192, 80
	// quantileRows is the maximum number of training rows used for quantiles of inputs.
	quantileRows = 4096
)

// fitLevels holds the quantiles of the other inputs in slices. The median is in the middle.
var fitLevels = []float64{0.1, 0.5, 0.9}

// fitPlan defines the points of a fit. It depends only on the data and is made once per run.
type fitPlan struct {
	// outline is the fit without predictions. All fits of the run share its parts.
	outline view.Fit
	inputs  []int // columns of the lines
	// along holds the points of the slices, by line, level and grid point, followed by the held-out
	// points; rows holds the points of the partial dependence, by line, grid point and row. They
	// are generated during prediction, because for wide data they are larger than the data.
	along, rows places
	// medians returns the points of the median slice of a line.
	medians func(line int) *mat.Dense
}

// newFitPlan plans the fits of a run.
func (p *Probe) newFitPlan() *fitPlan {
	data := p.Data
	_, d := data.Train.X.Dims()
	plan := &fitPlan{inputs: informativeInputs(data, fitInputs)}
	f := &plan.outline
	f.Levels, f.Classes = []float64{0.5}, data.Task.Classes()
	for j := range d {
		f.Inputs = append(f.Inputs, nameOf(p.columns.inputs, "input", j))
	}
	across := fitOnly
	if d > 1 {
		f.Levels = fitLevels
		across = clamp(fitBudget/(len(fitLevels)*len(plan.inputs)), fitLeast, fitMostGrid)
	}
	f.Targets = p.fitTargets()
	if !f.Classes {
		f.Units = p.columns.targetUnits
	}
	f.Train = p.fitPoints("training points", data.Train, fitTrain, plan.inputs)
	name, held := heldOut(data)
	f.Held = p.fitPoints(name, held, fitHeld, plan.inputs)
	plan.planSlices(data, across, held.X, p.fitRowsOf(held, fitHeld))
	if d > 1 {
		plan.planRows(data.Train.X, subset(data.Train.Len(), fitRows, p.derive(fitDraws, 1)))
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		l.Name, l.Unit = f.Inputs[l.Input], columnUnit(p.columns.inputUnits, l.Input)
		l.Grid = p.original(l.Grid, l.Input)
		l.Coarse = p.original(l.Coarse, l.Input)
	}
	return plan
}

// heldOut returns the held-out points: the test set, or else the validation set, or else the
// training set.
func heldOut(p *datasets.Prepared) (name string, part datasets.Part) {
	switch {
	case p.Test.Len() > 0:
		return "test points", p.Test
	case p.Validation.Len() > 0:
		return "validation points", p.Validation
	}
	return "training points", p.Train
}

// planSlices defines the points of the slices, followed by the given rows of held.
func (p *fitPlan) planSlices(data *datasets.Prepared, across int, held *mat.Dense, rows []int) {
	x, levels := data.Train.X, p.outline.Levels
	at := quantilesOf(x, levels)
	var grids [][]float64
	for _, input := range p.inputs {
		grid := gridOver(x, input, across, planeMargin)
		grids = append(grids, grid)
		p.outline.Lines = append(p.outline.Lines, view.FitLine{Input: input, Grid: grid})
	}
	slices := len(p.inputs) * len(levels) * across
	p.along = places{slices + len(rows), func(first, last int) *mat.Dense {
		out := mat.NewDense(last-first, len(at[0]), nil)
		for k := first; k < last; k++ {
			row := out.RawRowView(k - first)
			if k >= slices {
				copy(row, held.RawRowView(rows[k-slices]))
				continue
			}
			line := k / across / len(levels)
			level := k / across % len(levels)
			copy(row, at[level])
			row[p.inputs[line]] = grids[line][k%across]
		}
		return out
	}}
	p.medians = func(line int) *mat.Dense {
		first := (line*len(levels) + len(levels)/2) * across
		return p.along.inputs(first, first+across)
	}
	for q := range levels {
		place := make(view.Rounded, len(p.inputs))
		for i, input := range p.inputs {
			place[i] = data.Scaling.Input(input, at[q][input])
		}
		p.outline.At = append(p.outline.At, place)
	}
}

// planRows defines the points of the partial dependence over the given rows of x.
func (p *fitPlan) planRows(x *mat.Dense, rows []int) {
	p.outline.Rows = len(rows)
	across := clamp(rowBudget/(fitRows*len(p.inputs)), rowLeast, rowMostGrid)
	var grids [][]float64
	for i, input := range p.inputs {
		grid := gridOver(x, input, across, 0)
		grids = append(grids, grid)
		p.outline.Lines[i].Coarse = grid
	}
	p.rows = places{len(p.inputs) * across * len(rows), func(first, last int) *mat.Dense {
		_, d := x.Dims()
		out := mat.NewDense(last-first, d, nil)
		for k := first; k < last; k++ {
			row := out.RawRowView(k - first)
			place := k / len(rows)
			copy(row, x.RawRowView(rows[k%len(rows)]))
			line := place / across
			row[p.inputs[line]] = grids[line][place%across]
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

// fitRowsOf returns the rows of a part to show beside a fit.
func (p *Probe) fitRowsOf(part datasets.Part, most int) []int {
	return subset(part.Len(), most, p.derive(fitDraws, 0))
}

// fitPoints returns a subset of the points of a part in original units.
func (p *Probe) fitPoints(name string, part datasets.Part, most int, inputs []int) view.FitPoints {
	rows := p.fitRowsOf(part, most)
	points := view.FitPoints{Name: name, Total: part.Len()}
	for _, input := range inputs {
		column := make([]float64, len(rows))
		for k, row := range rows {
			column[k] = part.X.At(row, input)
		}
		points.X = append(points.X, p.original(column, input))
	}
	u, kind := unitsOf(p.Data.Scaling), p.Data.Task
	for k := range p.fitTargets() {
		observed := make(view.Rounded, len(rows))
		for i, row := range rows {
			switch {
			case !kind.Classes():
				observed[i] = u.Target(k, part.Y.At(row, k))
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

// informativeInputs returns at most the given number of inputs in ascending order, the ones with
// the largest absolute correlation with a target or, for more than two classes, with a class
// indicator.
func informativeInputs(p *datasets.Prepared, most int) []int {
	x := p.Train.X
	n, d := x.Dims()
	inputs := make([]int, d)
	for j := range inputs {
		inputs[j] = j
	}
	if d <= most {
		return inputs
	}
	strength := make([]float64, d)
	for _, target := range indicators(p) {
		var rows []int
		for i := range n {
			if !math.IsNaN(target[i]) {
				rows = append(rows, i)
			}
		}
		y := make([]float64, len(rows))
		column := make([]float64, len(rows))
		for j := range d {
			for k, i := range rows {
				y[k], column[k] = target[i], x.At(i, j)
			}
			if c := math.Abs(stat.Correlation(column, y, nil)); c > strength[j] {
				strength[j] = c
			}
		}
	}
	slices.SortStableFunc(inputs, func(a, b int) int { return cmp.Compare(strength[b], strength[a]) })
	inputs = inputs[:most]
	slices.Sort(inputs)
	return inputs
}

// indicators returns the training targets; for more than two classes an indicator for each class.
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
