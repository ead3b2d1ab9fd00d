package probe

import (
	"context"
	"math"

	"dgplab/models/predictive"
	"dgplab/models/view"
)

const (
	// densityCells is the number of cells of a target in densities; with many points or targets it is
	// lower, to have about densityBudget values in all.
	densityCells, densityLeast, densityBudget = 64, 16, 24000
	// densityDraws is the approximate number of draws for all densities, in bounds for a point.
	densityDraws                            = 16384
	densityLeastSamples, densityMostSamples = 32, 128
	// densityMargin is the margin of the cells around the training targets as a share of their range.
	densityMargin = 0.1
)

// fitDensities adds the predictive densities along the inputs, at the medians of the others.
func (p *Probe) fitDensities(ctx context.Context, f *view.Fit) error {
	_, targets := p.Data.Train.Y.Dims()
	points := 0
	for _, l := range f.Lines {
		points += len(l.Grid)
	}
	cells := clamp(densityBudget/(points*targets), densityLeast, densityCells)
	samples := clamp(densityDraws/points, densityLeastSamples, densityMostSamples)
	edges := make([][]float64, targets)
	for k := range edges {
		edges[k] = gridOver(p.Data.Train.Y, k, cells+1, densityMargin)
	}
	u := unitsOf(p.Data.Scaling)
	for i := range f.Lines {
		l := &f.Lines[i]
		grid := len(l.Grid)
		for k := range targets {
			d := view.Density{Values: make(view.Rounded, cells*grid)}
			for e := range cells {
				d.Y = append(d.Y, u.Target(k, (edges[k][e]+edges[k][e+1])/2))
			}
			l.Densities = append(l.Densities, d)
		}
		along := rowsIn(p.plan.medians(i), nil)
		err := p.predictInChunks(ctx, along, samples, p.derive(fitDraws, 3), fitDraws,
			func(first int, predicted predictive.Predictive) {
				f.DensitySamples = components(predicted, samples)
				addDensities(l.Densities, first, grid, predicted.(predictive.Regression), u, edges)
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// addDensities sets the densities at the points starting at first, out of grid, from the distribution
// function at the edges of the cells, so that no narrow peak is lost between cells.
func addDensities(
	list []view.Density, first, grid int, of predictive.Regression, u predictive.Units, edges [][]float64,
) {
	n, targets := of.Dims()
	at := make([]float64, n*targets)
	below := make([]float64, n*targets)
	up := make([]float64, n*targets)
	for e := range edges[0] {
		for i := range at {
			at[i] = edges[i%targets][e]
		}
		of.PIT(up, at)
		for i := range up {
			k := i % targets
			if e > 0 {
				width := u.Target(k, edges[k][e]) - u.Target(k, edges[k][e-1])
				list[k].Values[(e-1)*grid+first+i/targets] = math.Max(up[i]-below[i], 0) / width
			}
		}
		below, up = up, below
	}
}
