package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
)

// densityPanel returns the panel of the predictive densities of all runs along the chosen input, on one
// colour scale.
func (f *fitPanels) densityPanel() *Panel {
	maps := func(b *Board) (list heatmap.PlaneMaps) {
		runs, _ := f.fitted(b)
		for _, r := range runs {
			if m, has := densityMap(r); has {
				m.Title = r.Brief
				m.Step = "at step " + report.Grouped(r.fit.Step)
				m.Run = r.Index
				list = append(list, m)
			}
		}
		return list
	}
	has := func(fit *view.Fit) bool { return fit != nil && fit.DensitySamples > 0 }
	return f.complete(Panel{
		Name: "Density", short: "Dens", title: "Predictive density",
		Guide: densityGuide,
		applies: func(b *Board) bool {
			n, _ := b.haveView(func(v view.Views) bool { return has(v.Fit) })
			return n > 0
		},
		absent: func(b *Board) string {
			return cmp.Or(withoutFit(b), unless(len(maps(b)) > 0, "these fits have no density"))
		},
		Choices: []*Choice{f.input, f.target},
		heading: func(b *Board) (title string, notes []string) {
			notes = []string{f.medians(b)}
			if samples := b.leadingFit().DensitySamples; samples > 0 {
				notes = append(notes, report.Plural(samples, "sample", "samples"))
			}
			return f.densityTitle(b), notes
		},
		draw: func(b *Board, w, h int) []string { return maps(b).Render(b.Theme.VizStyle(), w, h) },
		figures: func(b *Board) (list []report.Figure) {
			lines := b.leadingFit().Lines
			chosen := b.Value(f.input)
			for _, b := range b.each(f.input) {
				title := f.densityTitle(b)
				if held := f.medians(b); held != "" {
					title += ", " + held
				}
				for k, m := range maps(b).Ranged() {
					name := "density"
					if len(lines) > 1 {
						name = fmt.Sprintf("density-input-%d", lines[b.Value(f.input)].Input+1)
					}
					if k > 0 {
						name += fmt.Sprintf("-run-%d", k+1)
					}
					one := report.NewFigure(b.fileOf(name, f.target), m,
						figure.Options{Title: title + ", " + m.Title + " " + m.Step})
					one.Folded = b.foldedUnless(chosen, f.input)
					list = append(list, one)
				}
			}
			return list
		},
	})
}

// densityTitle returns the title of the density of the chosen target along the chosen input.
func (f *fitPanels) densityTitle(b *Board) string {
	return fmt.Sprintf("Density of %s along %s", f.targetName(b), f.inputName(b))
}

// densityMap returns the density of a run with the training points nearest to the line. A line with
// one level has none.
func densityMap(r fittedRun) (m heatmap.PlaneMap, has bool) {
	l := r.fit.Lines[r.line]
	if r.target >= len(l.Densities) || len(l.Grid) < 2 {
		return m, false
	}
	d := l.Densities[r.target]
	points := nearestPoints(r.fit, &r.fit.Train, r.line, len(r.fit.Levels)/2, r.target)
	m = heatmap.PlaneMap{X: l.Grid, Y: d.Y, Values: d.Values, Name: "density", Level: math.NaN(),
		Hi: slices.Max(d.Values), XLevels: report.Levels(l.Category), Of: r.fit.Train.Total,
		Points: []heatmap.Points{{X: points.X, Y: points.Y}}}
	m.XName, m.YName, m.XDates = r.axes()
	return m, true
}
