package session

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/number"
	"dgplab/models/quantile"
	"dgplab/models/view"
)

const (
	// fitInputs is the most inputs that a fit is drawn along; of more it is along those that
	// are most correlated with a target.
	fitInputs = 16
	// fitOnly is the grid of a fit over the only input. Where there are several, about
	// fitBudget points are spread over them and fitLevels, on grids within bounds.
	fitOnly, fitBudget    = 121, 800
	fitLeast, fitMostGrid = 15, 41
	// fitSamples and rowSamples are the draws behind each prediction along an input and of
	// partial dependence, which averages many.
	fitSamples, rowSamples = 16, 4
	// fitRows is the training rows that partial dependence is averaged over, on grids that
	// share about rowBudget points, within bounds.
	fitRows, rowBudget    = 24, 1600
	rowLeast, rowMostGrid = 7, 21
	// fitTrain and fitHeld are the most points that are kept beside a fit.
	fitTrain, fitHeld = 192, 80
	// quantileRows is the most training rows that quantiles of inputs are taken from.
	quantileRows = 4096
)

// fitLevels are the quantiles at which the other inputs are held; the median is in the
// middle.
var fitLevels = []float64{0.1, 0.5, 0.9}

// fitPlan is where a fit is looked at. It follows from the data alone, so that it is made
// once for a run.
type fitPlan struct {
	// outline is the fit without predictions; its parts are shared by all fits of the run.
	outline view.Fit
	inputs  []int // columns of the lines
	// along are the points of the slices, by line, level and place, and then the points
	// that are held back; rows those of the partial dependence, by line, place and row.
	// They are made when they are predicted: of wide data they are larger than the data.
	along, rows places
	// medians returns the points of the slice at the medians along a line.
	medians func(line int) *mat.Dense
}

// newFitPlan plans fits of a run.
func (t *trainer) newFitPlan() *fitPlan {
	p := t.prepared
	_, d := p.Train.X.Dims()
	plan := &fitPlan{inputs: telling(p, fitInputs)}
	f := &plan.outline
	f.Levels, f.Classes = []float64{0.5}, p.Task.Classes()
	for j := range d {
		f.Inputs = append(f.Inputs, nameOf(t.columns.inputs, "input", j))
	}
	across := fitOnly
	if d > 1 {
		f.Levels = fitLevels
		across = within(fitBudget/(len(fitLevels)*len(plan.inputs)), fitLeast, fitMostGrid)
	}
	f.Targets = t.fitTargets()
	if !f.Classes {
		f.Units = t.columns.targetUnits
	}
	f.Train = t.fitPoints("training points", p.Train, fitTrain, plan.inputs)
	name, held := heldBack(p)
	f.Held = t.fitPoints(name, held, fitHeld, plan.inputs)
	plan.planSlices(p, across, held.X, t.fitRowsOf(held, fitHeld))
	if d > 1 {
		plan.planRows(p.Train.X, subset(rowsOf(p.Train.X), fitRows, derive(t.Seed, purposeFit, 1)))
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		l.Name, l.Unit = f.Inputs[l.Input], unitOf(t.columns.inputUnits, l.Input)
		l.Grid = t.original(l.Grid, l.Input)
		l.Coarse = t.original(l.Coarse, l.Input)
	}
	return plan
}

// heldBack returns the points that were not trained on: those of the test, or else of the
// validation part; the training points where there are none.
func heldBack(p *datasets.Prepared) (name string, part datasets.Part) {
	switch {
	case rowsOf(p.Test.X) > 0:
		return "test points", p.Test
	case rowsOf(p.Validation.X) > 0:
		return "validation points", p.Validation
	}
	return "training points", p.Train
}

// planSlices lays out the slices, and behind them the given rows of held.
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
		place := make(number.Rounded, len(p.inputs))
		for i, input := range p.inputs {
			place[i] = data.Scaling.InputMean[input] + data.Scaling.InputSD[input]*at[q][input]
		}
		p.outline.At = append(p.outline.At, place)
	}
}

// planRows lays out the partial dependence over some rows of x.
func (p *fitPlan) planRows(x *mat.Dense, rows []int) {
	p.outline.Rows = len(rows)
	across := within(rowBudget/(fitRows*len(p.inputs)), rowLeast, rowMostGrid)
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

func within(n, least, most int) int { return max(least, min(n, most)) }

// quantilesOf returns the quantiles of all columns of x at each level, [Q][D]: of some rows
// at even distances where there are very many.
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
			out[q][j] = quantile.Of(column, level)
		}
	}
	return out
}

// fitTargets names what is predicted.
func (t *trainer) fitTargets() (names []string) {
	_, targets := t.prepared.Train.Y.Dims()
	for k := range targets {
		name := nameOf(t.columns.targets, "target", k)
		switch t.prepared.Task {
		case task.Multiclass:
			for _, class := range t.prepared.Classes {
				names = append(names, "P("+name+"="+class+")")
			}
		case task.Binary:
			names = append(names, "P("+name+"="+t.positive()+")")
		default:
			names = append(names, name)
		}
	}
	return names
}

// fitRowsOf returns which rows of a part are shown beside a fit.
func (t *trainer) fitRowsOf(part datasets.Part, most int) []int {
	return subset(rowsOf(part.X), most, derive(t.Seed, purposeFit, 0))
}

// fitPoints returns some points of a part in original units.
func (t *trainer) fitPoints(name string, part datasets.Part, most int, inputs []int) view.FitPoints {
	rows := t.fitRowsOf(part, most)
	p := view.FitPoints{Name: name, Total: rowsOf(part.X)}
	for _, input := range inputs {
		column := make([]float64, len(rows))
		for k, row := range rows {
			column[k] = part.X.At(row, input)
		}
		p.X = append(p.X, t.original(column, input))
	}
	u, kind := unitsOf(t.prepared.Scaling), t.prepared.Task
	for k := range t.fitTargets() {
		observed := make(number.Rounded, len(rows))
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
		p.Y = append(p.Y, observed)
	}
	return p
}

// original returns standardised values of input d in original units.
func (t *trainer) original(values []float64, d int) number.Rounded {
	out := make(number.Rounded, len(values))
	for i, v := range values {
		out[i] = t.prepared.Scaling.InputMean[d] + t.prepared.Scaling.InputSD[d]*v
	}
	return out
}

// telling returns at most so many inputs, ascending: those with the largest absolute
// correlation with a target, or, of more than two classes, with being one of them.
func telling(p *datasets.Prepared, most int) []int {
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

// indicators returns the training targets, of more than two classes whether a point is of
// each.
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
