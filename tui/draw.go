package tui

import (
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/session"
	"dgplab/viz"
)

// This file is where the screen meets viz: it turns snapshots into viz's own
// small structs, and viz's text into lines.

// vizStyle returns the terminal as viz knows it.
func (th *theme) vizStyle() viz.Style {
	mode := viz.NoColor
	switch th.profile {
	case termenv.ANSI:
		mode = viz.ANSI16
	case termenv.ANSI256:
		mode = viz.ANSI256
	case termenv.TrueColor:
		mode = viz.TrueColor
	}
	return viz.Style{Mode: mode, Dark: th.dark, ASCII: !th.glyphs.unicode}
}

// lines cuts a picture of viz into its lines.
func lines(picture string) []string {
	if picture == "" {
		return nil
	}
	return strings.Split(picture, "\n")
}

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
func (th *theme) drawCurve(id panelID, s *session.Snapshot, l look, w, h int) []string {
	return lines(curve(id, s, l).Render(th.vizStyle(), w, h))
}

// drawCovariance draws the block map.
func (th *theme) drawCovariance(m *blockMap, w, h int) []string {
	return lines(blockPicture(m).Render(th.vizStyle(), w, h))
}

func blockPicture(m *blockMap) viz.BlockMap {
	return viz.BlockMap{GPs: m.GPs, M: m.M, Cells: m.Cells, Log10: m.Log10}
}

// drawLayer draws what the samples do in the chosen layer.
func (th *theme) drawLayer(layers []layerSamples, layer, gp, w, h int) []string {
	return lines(layerPicture(layers, layer, gp).Render(th.vizStyle(), w, h))
}

func layerPicture(layers []layerSamples, layer, gp int) viz.LayerPanel {
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
func (th *theme) drawProgress(share float64, w int) string {
	return viz.ProgressBar(th.vizStyle(), share, w)
}

// cells returns the width of styled text.
func cells(text string) int { return ansi.StringWidth(text) }

// number writes x with at most four significant digits.
func number(x float64) string { return viz.Short(x) }

// duration writes a time in at most two units.
func duration(d time.Duration) string { return viz.Duration(d) }

// seconds is duration of a number of seconds.
func seconds(s float64) string { return duration(time.Duration(s * float64(time.Second))) }

// bytesText writes a number of bytes.
func bytesText(n int64) string { return viz.Bytes(n) }
