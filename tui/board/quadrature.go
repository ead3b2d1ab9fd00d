package board

import (
	"io"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// newQuadraturePanel returns the panel of the learned quadrature points of a hidden layer of the
// selected run.
func newQuadraturePanel(layer, gp *position) *Panel {
	find := finderOf(func(v view.Views) *view.Quadrature { return v.Quadrature },
		func(q *view.Quadrature) int { return len(q.Layers) })
	layers := &Choice{
		name: "layer", position: layer, arrows: leftRight, stops: true, shown: inPicture,
		Count: find.count(func(q *view.Quadrature) int { return len(q.Layers) }),
	}
	gps := &Choice{
		name: "GP", position: gp, arrows: upDown, wheel: true, stops: true, shown: inPicture,
		Count: func(b *Board) int {
			if q := find.in(b); q != nil {
				return len(q.Layers[b.Value(layers)].Points)
			}
			return 0
		},
	}
	draw := func(b *Board) plots.Stems {
		return quadraturePicture(find.in(b), b.Value(layers), b.Value(gps))
	}
	return modelPanel(find, "this model draws its samples at random", Panel{
		Name: "Quadrature", short: "Quad", title: "Quadrature points",
		Guide:   quadratureGuide,
		Choices: []*Choice{layers, gps},
		heading: func(b *Board) (title string, notes []string) {
			return "Quadrature points of hidden " + b.text(layers), nil
		},
		picture: func(b *Board) viz.Picture { return draw(b) },
		figures: func(b *Board) []report.Figure {
			var all []plots.Stems
			for _, b := range b.with(gps, 0).each(layers) {
				all = append(all, draw(b))
			}
			o := figure.Options{Title: "Quadrature points of " + gpName(b.Value(layers), b.Value(gps)) +
				", " + b.diagnosedStep()}
			return []report.Figure{{Name: "quadrature", Picture: draw(b), Options: o,
				CSV: func(w io.Writer) error { return plots.StemsCSV(w, all) }}}
		},
	})
}

// quadraturePicture returns the picture of the learned points of a layer with one of its GPs chosen.
func quadraturePicture(q *view.Quadrature, layer, gp int) plots.Stems {
	return plots.Stems{
		Weights: q.Weights,
		Rows:    plainRows(q.Layers[layer].Points),
		RowName: "GP",
		Chosen:  gp,
		XName:   "standard deviations from the mean of the layer",
	}
}
