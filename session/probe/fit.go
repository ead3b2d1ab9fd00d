package probe

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/view"
)

const (
	// drawnFunctions is the number of functions drawn along an input.
	drawnFunctions = 4
	// fitInducing is the maximum number of inducing inputs to mark.
	fitInducing = 256
	// rowsBelow and rowsAbove are the quantiles that enclose nine out of ten rows of a partial dependence.
	rowsBelow, rowsAbove = 0.05, 0.95
)

// Fit computes predictions along the inputs and at held-out points. The random draws are the same every time,
// so that the picture changes only with the model. If ctx ends, its error is returned.
func (p *Probe) Fit(ctx context.Context, step int) (*view.Fit, error) {
	if p.plan == nil {
		p.plan = p.newFitPlan()
	}
	f := p.plan.outline
	f.Step = step
	f.Lines = slices.Clone(f.Lines)
	mixture, err := p.fitSlices(ctx, &f)
	if err == nil && mixture {
		err = p.fitDensities(ctx, &f)
	}
	if err != nil {
		return nil, fmt.Errorf("predict along the inputs: %w", err)
	}
	if err := p.fitDependence(ctx, &f); err != nil {
		return nil, fmt.Errorf("compute the partial dependence: %w", err)
	}
	if err := p.fitFunctions(&f); err != nil {
		return nil, fmt.Errorf("draw functions along the inputs: %w", err)
	}
	p.markInducing(&f)
	return &f, nil
}

// fitting collects the predictions of all targets at n points.
type fitting struct {
	targets []view.Fitted
	filled  int
	units   predictive.Units
}

func (p *Probe) newFitting(n int) *fitting {
	all := &fitting{units: unitsOf(p.Data.Scaling)}
	for range p.plan.outline.Targets {
		f := view.Fitted{Mean: make(view.Rounded, n)}
		if !p.plan.outline.Classes {
			for range view.FitLevels {
				f.Quantiles = append(f.Quantiles, make(view.Rounded, n))
			}
		}
		all.targets = append(all.targets, f)
	}
	return all
}

// add adds the predictions of the next points, with intervals if intervals is true.
func (p *fitting) add(of predictive.Predictive, intervals bool) {
	n, outputs := of.Dims()
	switch of := of.(type) {
	case predictive.Classification:
		classes := of.Classes()
		prob := make([]float64, n*classes)
		of.Probabilities(prob)
		for k := range p.targets {
			for i := range n { // With two classes only the second is shown.
				p.targets[k].Mean[p.filled+i] = prob[i*classes+classes-len(p.targets)+k]
			}
		}
	case predictive.Regression:
		mean := make([]float64, n*outputs)
		room := make([]float64, n*outputs)
		p.units.Moments(of, mean, room)
		p.scatter(mean, func(f *view.Fitted) view.Rounded { return f.Mean })
		if intervals {
			at := make([]float64, len(view.FitLevels)*len(mean))
			quantiles(at, of, p.units, view.FitLevels[:])
			for q := range view.FitLevels {
				p.scatter(at[q*len(mean):(q+1)*len(mean)],
					func(f *view.Fitted) view.Rounded { return f.Quantiles[q] })
			}
		}
	}
	p.filled += n
}

// scatter distributes values, [n][P], to a list for each target.
func (p *fitting) scatter(values []float64, list func(*view.Fitted) view.Rounded) {
	for k, v := range values {
		list(&p.targets[k%len(p.targets)])[p.filled+k/len(p.targets)] = v
	}
}

// cut returns the predictions of all targets at the points first to last-1.
func (p *fitting) cut(first, last int) []view.Fitted {
	out := make([]view.Fitted, len(p.targets))
	for k, f := range p.targets {
		out[k].Mean = f.Mean[first:last:last]
		for _, q := range f.Quantiles {
			out[k].Quantiles = append(out[k].Quantiles, q[first:last:last])
		}
	}
	return out
}

// fitSlices computes the slices and the predictions of the held-out points. It reports whether these
// are distributions of numbers with several components.
func (p *Probe) fitSlices(ctx context.Context, f *view.Fit) (mixture bool, err error) {
	n := p.plan.along.n
	all := p.newFitting(n)
	err = p.predictInChunks(ctx, p.plan.along, fitSamples, p.seed, fitDraws,
		func(_ int, predicted predictive.Predictive) {
			f.Samples = p.draws(predicted)
			_, numbers := predicted.(predictive.Regression)
			mixture = numbers && components(predicted, fitSamples) > 1
			all.add(predicted, true)
		})
	if err != nil {
		return false, err
	}
	at := 0
	for i := range f.Lines {
		l := &f.Lines[i]
		for level := range f.Levels {
			if level != len(f.Levels)/2 && !f.HoldsNumbers(i) {
				continue
			}
			l.Slices = append(l.Slices, all.cut(at, at+len(l.Grid)))
			at += len(l.Grid)
		}
	}
	f.Predicted = all.cut(at, n)
	return mixture, nil
}

// fitDependence computes the partial dependence if there are other inputs.
func (p *Probe) fitDependence(ctx context.Context, f *view.Fit) error {
	if p.plan.rows.n == 0 {
		return nil
	}
	all := p.newFitting(p.plan.rows.n)
	err := p.predictInChunks(ctx, p.plan.rows, rowSamples, p.seed, fitDraws,
		func(_ int, predicted predictive.Predictive) {
			f.RowSamples = p.draws(predicted)
			all.add(predicted, false)
		})
	if err != nil {
		return err
	}
	at := 0
	for i := range f.Lines {
		l := &f.Lines[i]
		l.Dependence = make([]view.Dependence, len(f.Targets))
		for range l.Coarse {
			for k := range l.Dependence {
				addPlace(&l.Dependence[k], all.targets[k].Mean[at:at+f.Rows])
			}
			at += f.Rows
		}
	}
	return nil
}

// fitFunctions adds function draws for models that support them. It skips classes and counts, because
// their functions are in other units. If a target has several functions, the first is shown.
func (p *Probe) fitFunctions(f *view.Fit) error {
	m, ok := p.Model.(family.FunctionSampler)
	if !ok || p.Data.Task != task.Regression {
		return nil
	}
	for i := range f.Lines {
		medians := p.plan.medians(i)
		list, err := Ask(p, func() ([][][]float64, error) {
			return m.DrawFunctions(medians, drawnFunctions, p.derive(fitDraws, 2))
		})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			continue
		}
		p.unscale(list)
		l := &f.Lines[i]
		l.Draws = make([][]view.Rounded, len(f.Targets))
		for _, draw := range list {
			for k := range f.Targets {
				function := draw[k*len(draw)/len(f.Targets)]
				l.Draws[k] = append(l.Draws[k], function)
			}
		}
	}
	return nil
}

// markInducing adds the positions of the inducing inputs if they are the same for all points.
func (p *Probe) markInducing(f *view.Fit) {
	m, ok := p.Model.(family.InducingModel)
	if !ok {
		return
	}
	z := m.InducingInputs()
	if z == nil {
		return
	}
	n := min(rowsOf(z), fitInducing)
	for i, c := range p.plan.columns {
		if !c.Category() { // Inducing inputs would lie between levels.
			f.Lines[i].Inducing = p.original(mat.Col(nil, c.First, z)[:n], c.First)
		}
	}
}

// addPlace adds the next grid point of a partial dependence, computed from the predictions of all rows at
// this point.
func addPlace(d *view.Dependence, rows []float64) {
	sorted := slices.Sorted(slices.Values(rows))
	d.Mean = append(d.Mean, stat.Mean(sorted, nil))
	d.Lo = append(d.Lo, stats.SampleQuantile(sorted, rowsBelow))
	d.Hi = append(d.Hi, stats.SampleQuantile(sorted, rowsAbove))
}
