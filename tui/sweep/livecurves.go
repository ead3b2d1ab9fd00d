package sweep

import (
	"math"
	"slices"

	"dgplab/session/rundir"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
)

// curve returns the validation curves of the cells that this program has trained: a line for each setting, or
// the mean and the standard error if the setting has several splits or seeds. Like the plot, it shows the
// data set of the selected cell.
func (p *Progress) curve() curves.Curve {
	c := curves.Curve{Best: chart.Highest, Range: curves.Recent}
	axes := p.state.Settings()
	for i, g := range p.state.Groups(axes) {
		if !p.onPlot(g, "") {
			continue
		}
		label := seriesLabel(axes, g.Values)
		var members []curves.Series
		for _, at := range g.Cells {
			x, y := validations(p.state.Cells[at].Curve)
			if len(y) > 0 {
				members = append(members, curves.Series{Label: label, X: x, Y: y, Run: i})
			}
		}
		if len(members) < 2 {
			c.Series = append(c.Series, members...)
			continue
		}
		c.Groups = append(c.Groups, curves.Group{Label: label, Run: i, Members: members})
	}
	return c
}

// validations returns the steps with a validation and their log-likelihoods.
func validations(points []rundir.Point) (x, y []float64) {
	for _, point := range points {
		if !math.IsNaN(point.ValLogLik) {
			x = append(x, float64(point.Step))
			y = append(y, point.ValLogLik)
		}
	}
	return x, y
}

// hasCurves reports whether any cell has a validation curve.
func (p *Progress) hasCurves() bool {
	validated := func(point rundir.Point) bool { return !math.IsNaN(point.ValLogLik) }
	for i := range p.state.Cells {
		if slices.ContainsFunc(p.state.Cells[i].Curve, validated) {
			return true
		}
	}
	return false
}

// showsCurves reports whether the plot gives way to the curves: before it has results for two values, or if
// the user has chosen them.
func (p *Progress) showsCurves() bool { return p.hasCurves() && (p.look.curves || !p.plotCompares()) }

// plotCompares reports whether the plot has results for two values of its axis.
func (p *Progress) plotCompares() bool {
	values := map[float64]bool{}
	for _, series := range p.plot().Series {
		for _, point := range series.Points {
			values[point.X] = true
		}
	}
	return len(values) > 1
}
