package ep

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"dgplab/datasets/task"
	"dgplab/models/autodiff"
	"dgplab/models/train"
	"dgplab/models/view"
)

const (
	// mapPoints is the number of training inputs shown on a map, and maxMaps is the maximum number
	// of maps.
	mapPoints, maxMaps = 100, 16
	// mapAcross and mapUp are the grid sizes of a map over two inputs.
	mapAcross, mapUp = 31, 23
	// mapMargin is the margin of a map around its data, relative to their range.
	mapMargin = 0.1
	// minRemaining is the relative posterior variance below which only rounding error remains.
	minRemaining = 1e-15
)

// maps returns the posterior of every GP over the inputs of its layer, as in Figure 1 of Bui et al.
// 2016.
func (m *Model) maps() (*view.Maps, error) {
	probe := train.Spread(m.problem.data.X, mapPoints)
	n, _ := m.problem.data.X.Dims()
	count, _ := probe.Dims()
	p := m.predictor(count)
	train.Window(p.x.Value, probe, 0)
	if err := p.tape.Forward(); err != nil {
		return nil, m.WithStep(err)
	}
	out := &view.Maps{Total: n}
	for l, current := range m.problem.layers {
		in := p.x
		axes := m.problem.data.Numbers()
		held := m.problem.data.Held()
		if l > 0 {
			in = p.layers[l-1].mean
			axes, held = nil, nil
			for unit := range in.Rows {
				axes = append(axes, unit)
				held = append(held, stat.Mean(in.Row(unit), nil))
			}
		}
		if len(axes) == 0 {
			continue // all inputs of the data encode categories
		}
		for k, g := range current.gps {
			if len(out.GPs) == maxMaps {
				out.More++
				continue
			}
			gpMap, err := g.mapOver(in, axes, held)
			if err != nil {
				return nil, m.WithStep(err)
			}
			gpMap.Layer, gpMap.GP, gpMap.Out = l, k, slices.Clone(p.layers[l].mean.Row(k))
			if l == len(m.problem.layers)-1 {
				m.observe(gpMap.Out, k, count)
			}
			out.GPs = append(out.GPs, *gpMap)
		}
	}
	return out, nil
}

// observe sets out to target k of the displayed points if the targets are real numbers. Missing
// targets are skipped.
func (m *Model) observe(out []float64, k, count int) {
	if m.problem.data.Task != task.Regression {
		return
	}
	y := train.Spread(m.problem.data.Y, count)
	for b := range out {
		if v := y.At(b, k); !math.IsNaN(v) {
			out[b] = v
		}
	}
}

// mapOver returns the posterior of f over its one or two most relevant axes, with the other inputs
// held fixed, given the means of the layer's inputs, [1][D][n].
func (g *gp) mapOver(in *autodiff.Node, axes []int, held []float64) (*view.Map, error) {
	d := in.Rows
	m := &view.Map{Axes: g.mostRelevant(axes, in)}
	for _, axis := range m.Axes {
		m.Names = append(m.Names, fmt.Sprintf("unit %d of the layer below", axis+1))
		m.Data = append(m.Data, slices.Clone(in.Row(axis)))
		var z []float64
		for i := range g.inducing {
			z = append(z, g.Z.Value[i*d+axis])
		}
		m.Inducing = append(m.Inducing, z)
	}
	for _, reduction := range g.strengths(g.covariance(g.posterior)) {
		m.Strength = append(m.Strength, -math.Log10(max(1-reduction, minRemaining)))
	}
	across, up := view.GridPoints, 1
	if len(m.Axes) == 2 {
		across, up = mapAcross, mapUp
		m.Y = gridOver(in.Row(m.Axes[1]), up)
	}
	m.X = gridOver(in.Row(m.Axes[0]), across)
	t := autodiff.NewTape()
	at := t.Constant(1, d, across*up)
	for k, v := range held {
		for i := range across * up {
			at.Row(k)[i] = v
		}
	}
	for i := range across * up {
		at.Row(m.Axes[0])[i] = m.X[i%across]
		if up > 1 {
			at.Row(m.Axes[1])[i] = m.Y[i/across]
		}
	}
	mean, vr := g.posterior.atPoints(t, at)
	if err := t.Forward(); err != nil {
		return nil, err
	}
	m.Mean = mean.Value
	for _, v := range vr.Value {
		m.SD = append(m.SD, math.Sqrt(max(v, 0)))
	}
	return m, nil
}

// mostRelevant returns the two axes (or the only axis) with the largest range in units of the
// lengthscale, in ascending order.
func (g *gp) mostRelevant(axes []int, in *autodiff.Node) []int {
	axes = slices.Clone(axes)
	lengths := func(k int) float64 {
		return (slices.Max(in.Row(k)) - slices.Min(in.Row(k))) / g.Lengthscales.Value[k]
	}
	slices.SortStableFunc(axes, func(a, b int) int { return cmp.Compare(lengths(b), lengths(a)) })
	axes = axes[:min(len(axes), 2)]
	slices.Sort(axes)
	return axes
}

// gridOver returns n values over the range of v with a margin on both sides.
func gridOver(v []float64, n int) []float64 {
	lo := slices.Min(v)
	hi := slices.Max(v)
	margin := mapMargin * (hi - lo)
	if margin == 0 {
		margin = mapMargin
	}
	grid := make([]float64, n)
	for i := range grid {
		t := float64(i) / float64(n-1)
		grid[i] = (lo-margin)*(1-t) + (hi+margin)*t
	}
	return grid
}
