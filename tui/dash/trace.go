package dash

import (
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// tracePanel is the draws of a quantity in the order of the chains.
var tracePanel = &sampledPanel{long: "Trace", short: "Trace", title: "Trace",
	draw: func(d *Dash, q *view.ChainQuantity, w, h int) []string {
		return picture.Trace(q).Render(d.theme.VizStyle(), w, h)
	},
	files: func(d *Dash, q *view.ChainQuantity, o figure.Options) []exported {
		c := chainsOf.chosen(d)
		return append([]exported{{"draws.csv", func(w io.Writer) error { return drawsCSV(w, c) }}},
			curveFiles("trace", picture.Trace(q), o)...)
	},
}

// drawsCSV writes the draws of all quantities whose draws are there; chains and draws count
// from 1.
func drawsCSV(out io.Writer, c *view.Chains) error {
	t := figure.NewTable(out, "quantity", "kind", "chain", "draw", "value")
	for _, i := range c.WithDraws() {
		q := c.Quantities[i]
		for chain, draws := range q.Kept.Draws {
			for k, v := range draws {
				t.Row(q.Name, string(q.Kind), strconv.Itoa(chain+1),
					strconv.Itoa((k+1)*q.Kept.Every), figure.Exact(v))
			}
		}
	}
	return t.Close()
}
