package probe

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/view"
	"dgplab/session/config"
)

const (
	// planeAcross and planeUp are the grid size over two inputs. It is about the size in pixels of a picture
	// on a screen with other panels, and the points fill a whole number of prediction chunks.
	planeAcross, planeUp = 48, 32
	// planeMargin is the margin of the grid around the training inputs as a share of their range.
	planeMargin = 0.05
	// planeSamples is the number of draws per prediction. Few suffice, because noise is visible among
	// hundreds of neighbouring points.
	planeSamples = 16
	// planePoints is the maximum number of training points in a plane.
	planePoints = 256
)

// planeAxes returns the input columns of the plane: the only two columns or, for classes, the two most
// informative ones. It returns false for real targets unless there are exactly two columns, and if a column
// has only one level.
func (p *Probe) planeAxes() (x, y inputColumn, ok bool) {
	all := p.inputColumns()
	if len(all) != 2 && !(len(all) > 2 && p.Data.Task.Classes()) {
		return x, y, false
	}
	axes := p.informativeColumns(2)
	x, y = all[axes[0]], all[axes[1]]
	return x, y, len(x.Levels) != 1 && len(y.Levels) != 1
}

// Plane computes predictions over the plane of two input columns. Other numbers are held at their medians,
// and other categories at their most frequent level. Plane returns nil if planeAxes finds no columns. The
// random draws are the same every time, so that the picture changes only with the model. If ctx ends, its
// error is returned.
func (p *Probe) Plane(ctx context.Context, step int) (*view.Plane, error) {
	train := p.Data.Train
	xColumn, yColumn, ok := p.planeAxes()
	if !ok {
		return nil, nil
	}
	_, d := train.X.Dims()
	x := axisOver(xColumn, train.X, planeAcross, planeMargin)
	y := axisOver(yColumn, train.X, planeUp, planeMargin)
	held := p.heldInputs([]float64{0.5})[0]
	points := places{n: x.len() * y.len(), inputs: func(first, last int) *mat.Dense {
		out := mat.NewDense(last-first, d, nil)
		for k := first; k < last; k++ {
			row := out.RawRowView(k - first)
			copy(row, held)
			x.put(row, k%x.len())
			y.put(row, k/x.len())
		}
		return out
	}}
	all := p.inputColumns()
	plane := &view.Plane{
		Step:      step,
		Inputs:    [2]string{x.Name, y.Name},
		Units:     [2]string{x.unit, y.unit},
		X:         p.values(x),
		Y:         p.values(y),
		XCategory: x.category(),
		YCategory: y.category(),
		Others:    len(all) - 2,
		Fields:    p.planeFields(points.n),
		Points:    p.planePoints(x.inputColumn, y.inputColumn),
		Total:     train.Len(),
	}
	for _, c := range all {
		if c.Category() && c.First != x.First && c.First != y.First {
			plane.Categories++
		}
	}
	done := 0
	err := p.predictInChunks(ctx, points, planeSamples, p.seed, planeDraws,
		func(_ int, predicted predictive.Predictive) {
			plane.Samples = p.draws(predicted)
			done = addFields(plane.Fields, done, predicted, unitsOf(p.Data.Scaling))
		})
	if err != nil {
		return nil, fmt.Errorf("predict the grid: %w", err)
	}
	plane.Fields, err = p.addFunctions(plane.Fields, points)
	if err != nil {
		return nil, fmt.Errorf("compute functions on the grid: %w", err)
	}
	return plane, nil
}

// gridOver returns n evenly spaced values over the range of column d of x, [N, D], extended on both
// sides by a share of the range.
func gridOver(x *mat.Dense, d, n int, beyond float64) []float64 {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for i := range rowsOf(x) {
		lo = math.Min(lo, x.At(i, d))
		hi = math.Max(hi, x.At(i, d))
	}
	margin := beyond * (hi - lo)
	if hi == lo {
		margin = 1 // The input is constant.
	}
	out := make([]float64, n)
	for i := range out {
		s := float64(i) / float64(n-1)
		out[i] = (lo-margin)*(1-s) + (hi+margin)*s
	}
	return out
}

// planeFields returns the fields to predict for each target, with allocated values.
func (p *Probe) planeFields(points int) (list []view.Field) {
	_, targets := p.Data.Train.Y.Dims()
	add := func(name string, probability bool) {
		list = append(list, view.Field{
			Name:        name,
			Probability: probability,
			Values:      make(view.Rounded, points),
		})
	}
	for k := range targets {
		name := nameOf(p.columns.targets, "target", k)
		switch {
		case p.Data.Task == task.Multiclass:
			add("most probable "+name, false)
			list[0].Classes = p.Data.Classes
			add("probability of the most probable class", false)
			for _, class := range p.Data.Classes {
				add("P("+name+"="+class+")", true)
			}
			continue
		case p.Data.Task == task.Binary:
			add("P("+name+"="+p.positive()+")", true)
			continue
		}
		add("mean of "+name, false)
		add("standard deviation of "+name, false)
	}
	return list
}

// addFields sets the values of the points starting at first, in original units, and returns the
// index of the next point.
func addFields(fields []view.Field, first int, predicted predictive.Predictive, u predictive.Units) int {
	n, p := predicted.Dims()
	switch predicted := predicted.(type) {
	case predictive.Classification:
		prob := make([]float64, n*predicted.Classes())
		predicted.Probabilities(prob)
		for i := range n {
			row := prob[i*predicted.Classes() : (i+1)*predicted.Classes()]
			if len(row) == 2 {
				fields[0].Values[first+i] = row[1]
				continue
			}
			top := predictive.Top(row)
			fields[0].Values[first+i], fields[1].Values[first+i] = float64(top), row[top]
			for k, v := range row {
				fields[2+k].Values[first+i] = v
			}
		}
	case predictive.Regression:
		mean := make([]float64, n*p)
		variance := make([]float64, n*p)
		u.Moments(predicted, mean, variance)
		for i := range n * p {
			k := i % p
			fields[2*k].Values[first+i/p] = mean[i]
			fields[2*k+1].Values[first+i/p] = math.Sqrt(variance[i])
		}
	}
	return first + n
}

// addFunctions adds the latent functions if the model has them.
func (p *Probe) addFunctions(fields []view.Field, points places) ([]view.Field, error) {
	m, ok := p.Model.(family.FunctionPredictor)
	if !ok {
		return fields, nil
	}
	inputs := points.inputs(0, points.n)
	list, err := Ask(p, func() ([]view.Function, error) { return m.Functions(inputs) })
	for _, f := range list {
		fields = append(fields, view.Field{Name: "mean of " + f.Name, Function: true, Values: f.Mean},
			view.Field{Name: "standard deviation of " + f.Name, Function: true, Values: f.SD})
	}
	return fields, err
}

// draws returns the number of draws behind the moments of a prediction, or 1 if they are exact.
func (p *Probe) draws(predicted predictive.Predictive) int {
	e, ok := predicted.(predictive.Exact)
	if ok && e.ExactMoments() && !p.Data.Scaling.Log {
		return 1
	}
	return components(predicted, planeSamples)
}

// components returns the number of mixture components of a prediction, or asked if it is unknown.
func components(p predictive.Predictive, asked int) int {
	switch p := p.(type) {
	case *predictive.Gaussians:
		return p.S
	case *predictive.Probit:
		return p.S
	case *predictive.Classes:
		return p.S
	case *predictive.Compound:
		return p.S
	}
	return asked
}

// planePoints returns a subset of the training inputs, grouped by class.
func (p *Probe) planePoints(x, y inputColumn) []view.PlanePoints {
	train := p.Data.Train
	groups := []view.PlanePoints{{}}
	if p.Data.Task.Classes() {
		groups = nil
		for _, name := range p.classNames() {
			groups = append(groups, view.PlanePoints{Name: name})
		}
		if len(groups) == 2 { // The class +1 comes first.
			slices.Reverse(groups)
		}
	}
	for _, row := range config.Subset(train.Len(), planePoints, p.derive(planeDraws, 0)) {
		g := &groups[0]
		if target := train.Y.At(row, 0); len(groups) > 1 && !math.IsNaN(target) {
			class := datasets.ClassOf(p.Data.Task, target)
			if len(groups) == 2 {
				class = 1 - class
			}
			g = &groups[class]
		}
		inputs := train.X.RawRowView(row)
		g.X = append(g.X, p.valueOf(x, inputs))
		g.Y = append(g.Y, p.valueOf(y, inputs))
	}
	return groups
}

// classNames returns the names of the classes, -1 and +1 if they have none.
func (p *Probe) classNames() []string {
	if p.Data.Classes == nil {
		return []string{"-1", "+1"}
	}
	return p.Data.Classes
}

// positive returns the name of class +1.
func (p *Probe) positive() string { return p.classNames()[1] }
