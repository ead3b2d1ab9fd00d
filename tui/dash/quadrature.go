package dash

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
func newQuadraturePanel(layer, gp *position) *panel {
	find := finderOf(func(v view.Views) *view.Quadrature { return v.Quadrature },
		func(q *view.Quadrature) int { return len(q.Layers) })
	layers := &choice{
		name: "layer", position: layer, arrows: leftRight, stops: true, shown: inPicture,
		count: find.count(func(q *view.Quadrature) int { return len(q.Layers) }),
	}
	gps := &choice{
		name: "GP", position: gp, arrows: upDown, wheel: true, stops: true, shown: inPicture,
		count: func(s scene) int {
			if q := find.in(s); q != nil {
				return len(q.Layers[s.value(layers)].Points)
			}
			return 0
		},
	}
	draw := func(s scene) plots.Stems {
		return quadraturePicture(find.in(s), s.value(layers), s.value(gps))
	}
	return modelPanel(find, "this model draws its samples at random", panel{
		name: "Quadrature", short: "Quad", title: "Quadrature points",
		guide:   quadratureGuide,
		choices: []*choice{layers, gps},
		heading: func(s scene) (title string, notes []string) {
			return "Quadrature points of hidden " + s.text(layers), nil
		},
		picture: func(s scene) viz.Picture { return draw(s) },
		figures: func(s scene) []report.Figure {
			var all []plots.Stems
			for _, s := range s.with(gps, 0).each(layers) {
				all = append(all, draw(s))
			}
			o := figure.Options{Title: "Quadrature points of " + gpName(s.value(layers), s.value(gps)) +
				", " + s.diagnosedStep()}
			return []report.Figure{{Name: "quadrature", Picture: draw(s), Options: o,
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
