package board

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// newSpectrumPanel returns the panel with the eigenvalues of K_MM by layer.
func newSpectrumPanel() *Panel {
	find := finderOf(func(v view.Views) *view.Spectrum { return v.Spectrum },
		func(s *view.Spectrum) int { return len(s.Layers) })
	return modelPanel(find, "this model has no covariance of inducing outputs", Panel{
		Name: "Spectrum", short: "Spec", title: "Spectrum of K_MM",
		Guide: spectrumGuide,
		heading: func(b *Board) (title string, notes []string) {
			return "Spectrum of K_MM", []string{"log10 of eigenvalue / largest"}
		},
		picture: func(b *Board) viz.Picture { return spectrumPicture(find.in(b)) },
		figures: func(b *Board) []report.Figure {
			return []report.Figure{report.NewFigure("spectrum", spectrumPicture(find.in(b)),
				figure.Options{Title: "Eigenvalues of K_MM by layer, " + b.diagnosedStep(),
					Y: "log10 of eigenvalue / largest"})}
		},
	})
}

// spectrumPicture returns the eigenvalues of each layer by their number, counted from 1.
func spectrumPicture(s *view.Spectrum) curves.Curve {
	c := curves.Curve{X: chart.Eigenvalues}
	for l, layer := range s.Layers {
		line := curves.Series{Label: fmt.Sprintf("layer %d", l+1), Run: l, Y: layer.Log10, Exact: true}
		for i := range layer.Log10 {
			line.X = append(line.X, float64(i+1))
		}
		c.Series = append(c.Series, line)
	}
	return c
}
