package sweep

import (
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/plots"
)

// plot returns the picture of the selected metric against the selected axis: a point for each value, with the
// standard error over splits or seeds, and a series for each combination of the other axes. It omits settings
// with pruned runs. Scores on different data sets are not comparable, so unless the axis is the data set, the
// plot shows only the data set of the selected cell.
func (p *Progress) plot() plots.ErrorBars {
	s := p.state
	axis := p.axis()
	chosen := p.metric()
	others := slices.DeleteFunc(s.Settings(), func(name string) bool { return name == axis })
	b := plots.ErrorBars{XName: axis, YName: chosen.Short, LogX: p.look.log, Best: bestOf(chosen),
		OffName: models.BaselineFamily}
	x, numeric := numbers(s, axis)
	if !numeric {
		x, b.LogX = map[string]float64{}, false
		for _, a := range s.Axes() {
			if a.Name != axis {
				continue
			}
			for i, v := range a.Values {
				x[v] = float64(i)
				b.Categories = append(b.Categories, shortValue(axis, v))
			}
		}
	}
	at := map[string]int{}
	for _, g := range s.Groups(append(slices.Clone(others), axis)) {
		if !p.onPlot(g, axis) || g.Values[len(others)] == "" { // The axis has no effect there.
			continue
		}
		if pruned, _ := s.PrunedCells(g); pruned > 0 { // Its score is based on fewer steps.
			continue
		}
		score := s.Score(g, chosen)
		if score.N == 0 {
			continue
		}
		label := seriesLabel(others, g.Values[:len(others)])
		i, ok := at[label]
		if !ok {
			i = len(b.Series)
			at[label] = i
			b.Series = append(b.Series, plots.ErrorSeries{Label: label, Run: i})
		}
		b.Series[i].Points = append(b.Series[i].Points, plots.ErrorPoint{
			X: x[g.Values[len(others)]], Mean: float64(score.Mean), SE: float64(score.SE), N: score.N,
			Off: p.look.off && isBaseline(s.Cells[g.Cells[0]]),
		})
	}
	return b
}

// onPlot reports whether a group belongs to the plotted data set.
func (p *Progress) onPlot(g sweeps.Group, axis string) bool {
	c := p.chosen()
	return axis == rundir.DatasetField || c == nil ||
		p.state.Cells[g.Cells[0]].Config.Dataset == c.Config.Dataset
}

// bestOf returns the end of the axis with the best values of a metric.
func bestOf(m metric.Column) chart.Best {
	switch m.Better {
	case metric.Higher:
		return chart.Highest
	case metric.Lower:
		return chart.Lowest
	}
	return chart.NoBest
}

// seriesLabel returns the label of a series: its values, with the names of the axes except for data
// sets and families.
func seriesLabel(axes, values []string) string {
	var parts []string
	for i, name := range axes {
		switch name {
		case rundir.DatasetField: // The title of the panel shows the data set.
		case rundir.FamilyField:
			parts = append(parts, values[i])
		default:
			parts = append(parts, name+"="+values[i])
		}
	}
	if len(parts) == 0 {
		return "all"
	}
	return strings.Join(parts, " ")
}

// picture returns the plot, or the curves in its place.
func (p *Progress) picture() viz.Picture {
	if p.showsCurves() {
		return p.curve()
	}
	return p.plot()
}

// plotTitle returns the title of the plot.
func (p *Progress) plotTitle() string {
	if p.showsCurves() {
		return "validation LL"
	}
	return p.metric().Short + " by " + p.axis()
}

// plotNote returns the note next to the title of the plot.
func (p *Progress) plotNote() string {
	note := "mean, one standard error"
	if p.showsCurves() {
		note = "over steps, mean, one standard error"
	}
	if c := p.chosen(); c != nil && p.axis() != rundir.DatasetField &&
		slices.Contains(p.state.Varied(), rundir.DatasetField) {
		note = metric.DatasetName(c.Config.Dataset) + ", data set of the selected cell"
	}
	if p.state.Count(sweeps.Pruned) > 0 {
		note = "without pruned settings"
	}
	return note
}

// The size of the plot in copied text.
const (
	textWidth                     = 400
	plotTextWidth, plotTextHeight = 72, 16
	compareTextWidth              = 160
)
