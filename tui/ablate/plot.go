package ablate

import (
	"slices"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/viz/axes"
	"dgplab/viz/points"
)

// plot returns the chosen metric against the chosen axis: a point for each value,
// with the standard error over splits or seeds, and a series for each combination
// of what varies otherwise. Scores of different data sets have nothing to do with
// each other, so the data set is that of the chosen cell, unless it is the axis.
func (p *Progress) plot() points.ErrorBars {
	s := p.state
	axis := p.axis()
	chosen := p.metric()
	others := slices.DeleteFunc(s.Settings(), func(name string) bool { return name == axis })
	b := points.ErrorBars{XName: axis, YName: chosen.Short, LogX: p.look.log, Best: bestOf(chosen)}
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
		score := s.Score(g, chosen)
		if score.N == 0 {
			continue
		}
		label := seriesLabel(others, g.Values[:len(others)])
		i, ok := at[label]
		if !ok {
			i = len(b.Series)
			at[label] = i
			b.Series = append(b.Series, points.ErrorSeries{Label: label, Run: i})
		}
		b.Series[i].Points = append(b.Series[i].Points, points.ErrorPoint{
			X: x[g.Values[len(others)]], Mean: float64(score.Mean), SE: float64(score.SE), N: score.N,
		})
	}
	return b
}

// onPlot says whether a group is of the data set that is shown.
func (p *Progress) onPlot(g sweep.Group, axis string) bool {
	c := p.chosen()
	return axis == rundir.DatasetField || c == nil ||
		p.state.Cells[g.Cells[0]].Config.Dataset == c.Config.Dataset
}

// bestOf says which end of a metric is marked.
func bestOf(m metric.Metric) axes.Best {
	switch m.Better {
	case metric.Higher:
		return axes.Highest
	case metric.Lower:
		return axes.Lowest
	}
	return axes.NoBest
}

// seriesLabel names a series by the values of its axes; data sets and families
// need no name before them.
func seriesLabel(axes, values []string) string {
	var parts []string
	for i, name := range axes {
		switch name {
		case rundir.DatasetField: // In the title of the panel.
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

// plotTitle says what is plotted.
func (p *Progress) plotTitle() string { return p.metric().Short + " by " + p.axis() }

// plotNote says what is on the plot beside its title.
func (p *Progress) plotNote() string {
	note := "mean, one standard error"
	if c := p.chosen(); c != nil && p.axis() != rundir.DatasetField &&
		slices.Contains(p.state.Varied(), rundir.DatasetField) {
		note = kit.Dataset(c.Config.Dataset) + ", the chosen cell's data"
	}
	return note
}

// The sizes of what is copied.
const (
	textWidth                     = 400
	plotTextWidth, plotTextHeight = 72, 16
	compareTextWidth              = 160
)
