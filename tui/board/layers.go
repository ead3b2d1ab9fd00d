package board

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// layerChoices returns the choices of a layer of the selected run and of a GP in it, for panels that
// show the samples of layers.
func layerChoices(layer, gp *position) (layers, gps *Choice) {
	layers = &Choice{
		name: "layer", position: layer, arrows: leftRight, stops: true,
		Count: func(b *Board) int { return len(b.views().Units) },
	}
	gps = &Choice{
		name: "GP", position: gp, arrows: upDown, wheel: true, stops: true,
		Count: func(b *Board) int {
			if units := b.views().Units; len(units) > 0 {
				return len(units[b.Value(layers)].Units)
			}
			return 0
		},
	}
	return layers, gps
}

// newLayersPanel returns the panel of the samples in a layer of the selected run.
func newLayersPanel(layer, gp *position) *Panel {
	chosenLayer, chosenGP := layerChoices(layer, gp)
	chosenLayer.shown, chosenGP.shown = inPicture, inPicture
	p := &Panel{
		Name: "Layers", short: "Lay",
		Guide: layersGuide,
		applies: func(b *Board) bool {
			return b.mayHaveView(func(v view.Views) bool { return len(v.Units) > 0 })
		},
		absent: func(b *Board) string {
			return unless(chosenGP.Count(b) > 0, b.withoutView("this family has no layers"))
		},
		lead:    func(b *Board) []string { return []string{b.whichRun(), b.atStep()} },
		Choices: []*Choice{chosenLayer, chosenGP},
	}
	p.heading = func(b *Board) (title string, notes []string) {
		layer := b.Value(chosenLayer)
		gp := b.Value(chosenGP)
		title = fmt.Sprintf("Layer %d, GP %d", layer+1, gp+1)
		if name := b.views().Units[layer].Units[gp].Name; name != "" {
			title += ": " + report.Printable(name)
		}
		return title, nil
	}
	p.picture = func(b *Board) viz.Picture {
		return layerPicture(b.views().Units, b.Value(chosenLayer), b.Value(chosenGP))
	}
	p.figures = func(b *Board) (list []report.Figure) {
		units := b.views().Units
		var pictures []plots.Layer
		for _, b := range b.each(chosenLayer) {
			l := b.Value(chosenLayer)
			p := layerPicture(units, l, 0)
			o := figure.Options{Title: fmt.Sprintf("Samples in layer %d of %d, %s",
				l+1, len(units), b.diagnosedStep())}
			pictures = append(pictures, p)
			list = append(list, report.Figure{
				Name: fmt.Sprintf("samples-layer-%d", l+1), Picture: p, Options: o})
		}
		return append(list,
			report.Figure{Name: "samples",
				CSV: func(w io.Writer) error { return plots.LayerCurvesCSV(w, pictures) }},
			report.Figure{Name: "layers",
				CSV: func(w io.Writer) error { return plots.LayerGPsCSV(w, pictures) }})
	}
	return p
}

// layerPicture returns the picture of the samples in a layer with one of its units chosen.
func layerPicture(samples []view.Units, layer, chosen int) plots.Layer {
	l := samples[layer]
	p := plots.Layer{
		Index: layer, Layers: len(samples), Selected: chosen,
		Lengthscales: l.Lengthscales, Variance: float64(l.Variance),
		Grid: l.Grid, XName: inputName(l.Name, l.Input),
		Correlation: plainRows(l.Correlation),
	}
	for _, u := range l.Units {
		p.GPs = append(p.GPs, plots.LayerGP{
			Mean: float64(u.Mean), SD: float64(u.SD), Min: float64(u.Min),
			Max: float64(u.Max), Histogram: u.Histogram,
			Share: float64(u.Share), Collapsed: u.Collapsed, Curves: plainRows(u.Curves),
		})
	}
	return p
}

// plainRows returns rows as slices of float64.
func plainRows(rows []view.Rounded) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out
}
