package board

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// leastNormality is the minimum height for a picture of the p-values above the table.
const leastNormality = 14

// newNormalityPanel returns the panel with the normality tests of the sampled quantities: a picture of the
// corrected p-values and a table of the least Gaussian quantities.
func newNormalityPanel(quantity *position) *Panel {
	chosen := quantityChoice(quantity)
	chosen.shown = nowhere
	return chainsPanel(hasDraws, Panel{
		Name: "Normality", short: "Norm",
		Guide:   normalityGuide,
		Choices: []*Choice{chosen},
		heading: func(b *Board) (title string, notes []string) {
			for _, n := range chainsOf.in(b).Summary().Normality {
				notes = append(notes, report.NormalityText(n))
			}
			return "", append(notes,
				fmt.Sprintf("at level %g, corrected for the number of tests", view.NormalityLevel),
				b.atStep())
		},
		draw: func(b *Board, w, h int) []string {
			c := chainsOf.in(b)
			if len(c.LeastNormalFirst()) == 0 {
				return b.Theme.Centred("effective sample size too small for a test", w, h)
			}
			style := b.Theme.VizStyle()
			var lines []string
			if h >= leastNormality {
				lines = normalityPicture(c).Render(style, w, h/2)
			}
			return append(lines, normalityTable(c).Render(style, w, h-len(lines))...)
		},
		figures: func(b *Board) []report.Figure {
			c := chainsOf.in(b)
			if len(c.LeastNormalFirst()) == 0 {
				return nil
			}
			return []report.Figure{report.NewFigure("normality", normalityPicture(c),
				figure.Options{Title: "Tests of normality, " + b.diagnosedStep()})}
		},
	})
}

// normalityTable returns a table with a row for each tested quantity, the least Gaussian first.
func normalityTable(c *view.Chains) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "quantity", Keep: true, Least: 12, Names: true}, {Title: "corrected p", Right: true},
		{Title: "p", Right: true, Drop: 4},
		{Title: "skewness", Right: true, Drop: 1}, {Title: "kurtosis", Right: true, Drop: 2},
		{Title: "R-hat", Right: true, Drop: 3}, {Title: "kind", Drop: 5},
	}}
	corrected := c.Corrected()
	for _, i := range c.LeastNormalFirst() {
		q := &c.Quantities[i]
		t.Rows = append(t.Rows, []string{report.Printable(q.Name),
			pText(corrected[i]), pText(float64(q.Normal)),
			report.Number(float64(q.Skewness)), report.Number(float64(q.Kurtosis)),
			rhatText(q.Rhat), string(q.Kind)})
	}
	return t
}

// leastP is the smallest p-value that is shown. Differences between smaller values are meaningless.
const leastP = 1e-16

// pText formats a p-value.
func pText(p float64) string {
	if p < leastP {
		return fmt.Sprintf("<%g", leastP)
	}
	return report.Number(p)
}

// normalityPicture returns the picture of the corrected p-values of the normality tests, in the order of the
// quantities. Rejected quantities have their own marks.
func normalityPicture(c *view.Chains) plots.Scatter {
	s := plots.Scatter{XName: "quantity", YName: "corrected p-value", LogY: true,
		Clouds: []plots.Cloud{
			{Label: fmt.Sprintf("not below %g", view.NormalityLevel)}, {Label: "rejected", Run: 1},
		}}
	for i, p := range c.Corrected() {
		if p != p {
			continue
		}
		cloud := &s.Clouds[0]
		if p < view.NormalityLevel {
			cloud = &s.Clouds[1]
		}
		cloud.X = append(cloud.X, float64(i+1))
		cloud.Y = append(cloud.Y, max(p, leastP))
	}
	s.Clouds = slices.DeleteFunc(s.Clouds, func(c plots.Cloud) bool { return len(c.X) == 0 })
	return s
}
