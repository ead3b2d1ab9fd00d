package dash

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/calibration"
	"dgplab/viz/figure"
)

// marginalPanel is the histogram of the draws of a quantity with the Gaussian of the same
// mean and standard deviation.
var marginalPanel = &sampledPanel{long: "Marginal", short: "Marg", title: "Marginal",
	notes: func(q *view.ChainQuantity) string {
		return fmt.Sprintf("skewness %s, kurtosis %s",
			kit.Number(float64(q.Skewness)), kit.Number(float64(q.Kurtosis)))
	},
	draw: func(d *Dash, q *view.ChainQuantity, w, h int) []string {
		return picture.Marginal(q).Render(d.theme.VizStyle(), w, h)
	},
	files: func(_ *Dash, q *view.ChainQuantity, o figure.Options) []exported {
		b := picture.Marginal(q)
		b.Label = q.Name
		list := []calibration.Bars{b}
		return withCSV("marginal", calibration.Histograms(list), o)
	},
}
