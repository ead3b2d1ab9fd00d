package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// autocorrelationPanel is how much draws of a quantity depend on earlier ones.
var autocorrelationPanel = &sampledPanel{long: "Autocorrelation", short: "ACF", title: "Autocorrelation",
	notes: func(q *view.ChainQuantity) string {
		return fmt.Sprintf("worth %s draws", kit.Number(float64(q.ESSBulk)))
	},
	draw: func(d *Dash, q *view.ChainQuantity, w, h int) []string {
		return picture.Autocorrelation(q).Render(d.theme.VizStyle(), w, h)
	},
	files: func(_ *Dash, q *view.ChainQuantity, o figure.Options) []exported {
		o.Y = "autocorrelation"
		c := picture.Autocorrelation(q)
		return append([]exported{{"autocorrelation.csv",
			func(w io.Writer) error { return c.CSV(w) }}},
			curveFiles("autocorrelation", c, o)...)
	},
}
