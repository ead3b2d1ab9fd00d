package dash

import (
	"math"

	"dgplab/models"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz"
)

// This file is where the screen meets viz: it turns snapshots into viz's own
// small structs, and viz's text into lines.

// curve returns the ELBO or the validation log-likelihood of a snapshot.
func curve(id panelID, s *session.Snapshot, l look) viz.Curve {
	series := viz.Series{Label: "ELBO"}
	c := viz.Curve{Smoothing: l.strength()}
	if id == panelValidation {
		series.Label, series.Run = "validation", 1
		c.Smoothing, c.Best = 0, viz.Highest
	}
	for _, p := range s.Curve {
		y := p.Objective
		if id == panelValidation {
			if y = p.ValLogLik; math.IsNaN(y) {
				continue // Not measured at this step.
			}
		}
		x := float64(p.Step)
		if l.timeAxis {
			x = p.Seconds
		}
		series.X, series.Y = append(series.X, x), append(series.Y, y)
	}
	if l.timeAxis {
		c.X = viz.Seconds
	}
	switch l.y {
	case ySymlog:
		c.Scale = viz.Log
	case yGap:
		c.Scale = viz.Gap
	}
	c.Series = []viz.Series{series}
	return c
}

// drawCurve draws the ELBO or the validation log-likelihood.
func drawCurve(th *kit.Theme, id panelID, s *session.Snapshot, l look, w, h int) []string {
	return kit.Lines(curve(id, s, l).Render(th.VizStyle(), w, h))
}

// drawCovariance draws the block map.
func drawCovariance(th *kit.Theme, m *models.BlockMap, w, h int) []string {
	return kit.Lines(blockPicture(m).Render(th.VizStyle(), w, h))
}

func blockPicture(m *models.BlockMap) viz.BlockMap {
	return viz.BlockMap{GPs: m.GPs, M: m.M, Cells: m.Cells, Log10: m.Log10}
}

// drawLayer draws what the samples do in the chosen layer.
func drawLayer(th *kit.Theme, layers []models.LayerSamples, layer, gp, w, h int) []string {
	return kit.Lines(layerPicture(layers, layer, gp).Render(th.VizStyle(), w, h))
}

func layerPicture(layers []models.LayerSamples, layer, gp int) viz.LayerPanel {
	l := layers[layer]
	p := viz.LayerPanel{
		Index: layer, Layers: len(layers), Selected: gp,
		Lengthscales: l.Lengthscales, Variance: l.Variance, Grid: l.Grid, Correlation: l.Correlation,
	}
	for _, g := range l.GPs {
		p.GPs = append(p.GPs, viz.GP{
			Mean: g.Mean, SD: g.SD, Min: g.Min, Max: g.Max, Histogram: g.Histogram,
			Share: g.Share, Collapsed: g.Collapsed, Curves: g.Curves,
		})
	}
	return p
}

// drawProgress draws a bar of w cells for a share from 0 to 1.
func drawProgress(th *kit.Theme, share float64, w int) string {
	return viz.ProgressBar(th.VizStyle(), share, w)
}
