package board

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// newMomentsPanel returns the panel with the table of the moments of every GP at a training input, matched
// and sampled, with the strength of its factors.
func newMomentsPanel() *Panel {
	find := finderOf(func(v view.Views) *view.MomentMatching { return v.MomentMatching },
		func(m *view.MomentMatching) int { return len(m.Points) })
	point := &Choice{
		name: "point", position: new(position), arrows: leftRight,
		Count: find.count(func(p *view.MomentMatching) int { return len(p.Points) }),
	}
	return modelPanel(find, "this model does not match moments", Panel{
		Name: "Moments", short: "Mom", title: "Moments by layer",
		Guide:   momentsGuide,
		Choices: []*Choice{point},
		heading: func(b *Board) (title string, notes []string) {
			p := find.in(b)
			return fmt.Sprintf("Moments at training row %d", p.Points[b.Value(point)].Row),
				[]string{report.Plural(p.Samples, "sample", "samples")}
		},
		draw: func(b *Board, w, h int) []string {
			return momentsTable(find.in(b), b.Value(point)).Render(b.Theme.VizStyle(), w, h)
		},
		figures: func(b *Board) []report.Figure {
			p := find.in(b)
			at := b.Value(point)
			o := figure.Options{Title: fmt.Sprintf("Moments at training row %d, %s",
				p.Points[at].Row, b.diagnosedStep())}
			return []report.Figure{{Name: "moments", Picture: momentsPicture(p, at), Options: o,
				CSV: func(w io.Writer) error { return momentsCSV(w, p) }}}
		},
	})
}

// momentsTable returns a table with a row for each GP.
func momentsTable(p *view.MomentMatching, point int) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "GP", Keep: true}, {Title: "mean", Right: true, Drop: 1}, {Title: "sd", Right: true, Drop: 2},
		{Title: "sampled mean", Right: true, Drop: 3}, {Title: "sd", Right: true, Drop: 4},
		{Title: "sd/sampled", Right: true},
		{Title: "factor 5 %", Right: true, Drop: 6}, {Title: "50 %", Right: true, Drop: 5},
		{Title: "95 %", Right: true, Drop: 6},
		{Title: "cavity/post.", Right: true, Drop: 7},
	}}
	for i, g := range p.GPs {
		t.Rows = append(t.Rows,
			withNumbers([]string{gpName(g.Layer, g.GP)}, report.Number, momentsNumbers(p, point, i)...))
	}
	return t
}

// momentsNumbers returns the numbers in the row of a GP.
func momentsNumbers(p *view.MomentMatching, point, gp int) []float64 {
	m, g := p.Points[point].Moments[gp], p.GPs[gp]
	return []float64{float64(m.Mean), float64(m.SD), float64(m.SampleMean), float64(m.SampleSD), m.Ratio(),
		float64(g.Strength[0]), float64(g.Strength[2]), float64(g.Strength[4]), float64(g.Widest)}
}

// momentsCSV writes the moments of every GP at all points.
func momentsCSV(w io.Writer, p *view.MomentMatching) error {
	t := figure.NewTable(w, "row", "layer", "gp", "mean", "sd", "sample_mean", "sample_sd", "ratio",
		"factor_5", "factor_50", "factor_95", "cavity_to_posterior_sd")
	for k, point := range p.Points {
		for i, g := range p.GPs {
			row := []string{strconv.Itoa(point.Row), strconv.Itoa(g.Layer + 1), strconv.Itoa(g.GP + 1)}
			t.Row(withNumbers(row, figure.Exact, momentsNumbers(p, k, i)...)...)
		}
	}
	return t.Close()
}

// momentsPicture returns the picture of the mean and the standard deviation of each GP at a point, matched
// and sampled.
func momentsPicture(p *view.MomentMatching, point int) plots.ErrorBars {
	b := plots.ErrorBars{YName: "mean ± sd of f, standardised", Categories: []string{}}
	matched := plots.ErrorSeries{Label: "matched", Run: 0}
	sampled := plots.ErrorSeries{Label: "sampled", Run: 1}
	for i, g := range p.GPs {
		m := p.Points[point].Moments[i]
		b.Categories = append(b.Categories, gpName(g.Layer, g.GP))
		matched.Points = append(matched.Points,
			plots.ErrorPoint{X: float64(i), Mean: float64(m.Mean), SE: float64(m.SD), N: 2})
		sampled.Points = append(sampled.Points,
			plots.ErrorPoint{X: float64(i), Mean: float64(m.SampleMean), SE: float64(m.SampleSD), N: 2})
	}
	b.Series = []plots.ErrorSeries{matched, sampled}
	return b
}
