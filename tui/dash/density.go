package dash

import (
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
func (f *fitPanels) densityPanel() *panel {
	maps := func(s scene) (list heatmap.PlaneMaps) {
		runs, _ := f.fitted(s)
		for _, r := range runs {
			if m, has := densityMap(r); has {
				m.Title = s.label(r.watchedRun)
				m.Step = "at step " + report.Grouped(r.fit.Step)
				m.Run = r.index
				list = append(list, m)
			}
		}
		return list
	}
	has := func(fit *view.Fit) bool { return fit != nil && fit.DensitySamples > 0 }
	p := f.complete(panel{
		name: "Density", short: "Dens", title: "Predictive density",
		guide: densityGuide,
		applies: func(b *Board) bool {
			n, _ := b.haveView(func(v view.Views) bool { return has(v.Fit) })
			return n > 0
		},
		choices: []*choice{f.input, f.target},
		heading: func(s scene) (title string, notes []string) {
			notes = []string{f.medians(s)}
			if samples := s.leadingFit().DensitySamples; samples > 0 {
				notes = append(notes, report.Plural(samples, "sample", "samples"))
			}
			return f.densityTitle(s), notes
		},
		draw: func(s scene, w, h int) []string { return maps(s).Render(s.theme.VizStyle(), w, h) },
		figures: func(s scene) (list []report.Figure) {
			lines := s.leadingFit().Lines
			for i, s := range s.each(f.input) {
				title := f.densityTitle(s)
				if held := f.medians(s); held != "" {
					title += ", " + held
				}
				for k, m := range maps(s).Ranged() {
					name := "density"
					if len(lines) > 1 {
						name = fmt.Sprintf("density-input-%d", lines[i].Input+1)
					}
					if k > 0 {
						name += fmt.Sprintf("-run-%d", k+1)
					}
					list = append(list, report.NewFigure(name, m,
						figure.Options{Title: title + ", " + m.Title + " " + m.Step}))
				}
			}
			return list
		},
	})
	p.present = func(s scene) bool { return s.leadingFit() != nil && len(maps(s)) > 0 }
	return p
}

// densityTitle returns the title of the density of the chosen target along the chosen input.
func (f *fitPanels) densityTitle(s scene) string {
	return fmt.Sprintf("Density of %s along %s", f.targetName(s), f.inputName(s))
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
