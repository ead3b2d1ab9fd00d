package dash

import (
	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/calibration"
	"dgplab/viz/figure"
)

// ranksPanel is the ranks of the draws of a quantity by chain: uniform ones of chains that
// have mixed.
var ranksPanel = &sampledPanel{long: "Ranks", short: "Rank", title: "Ranks", draw: drawRanks,
	files: func(_ *Dash, q *view.ChainQuantity, o figure.Options) []exported {
		list := picture.Ranks(q)
		return withCSV("ranks", calibration.Histograms(list), o)
	},
}

// leastRanks is the least height of a histogram of ranks.
const leastRanks = 4

// drawRanks draws a histogram for each chain, in a row or in two.
func drawRanks(d *Dash, q *view.ChainQuantity, w, h int) []string {
	list := picture.Ranks(q)
	rows := 1
	if len(list) > 2 && h >= 2*leastRanks {
		rows = 2
	}
	columns := (len(list) + rows - 1) / rows
	c := kit.NewCanvas(w, h)
	for i, b := range list {
		x, y := i%columns, i/columns
		r := kit.Area(x*w/columns, y*h/rows, (x+1)*w/columns-x*w/columns, (y+1)*h/rows-y*h/rows)
		c.Put(r, b.Render(d.theme.VizStyle(), r.W, r.H))
	}
	return kit.Lines(c.String(d.theme))
}
