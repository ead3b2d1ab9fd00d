package plots

import (
	"io"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Histograms shows histograms side by side.
type Histograms []Histogram

// leastHistogram is the minimum height of a histogram among others.
const leastHistogram = 4

// Render draws the histograms in one row, or in two if there is room.
func (list Histograms) Render(style canvas.Style, w, h int) []string {
	if len(list) == 0 {
		return canvas.Empty(style, w, h, "no points yet")
	}
	cv := canvas.New(style, w, h)
	rows := 1
	if len(list) > 2 && h >= 2*leastHistogram {
		rows = 2
	}
	grid := canvas.Grid{Columns: (len(list) + rows - 1) / rows, Rows: rows, W: w, H: h}
	for i, b := range list {
		if x, y, w, h := grid.Tile(i); w > 0 && h > 0 {
			cv.Blit(x, y, b.chart().Draw(style, w, h))
		}
	}
	return cv.Lines()
}

// Figure returns the histograms as small charts. If there are several, each shows its label.
func (list Histograms) Figure(o figure.Options) (*figure.Figure, error) {
	var charts []*chart.Chart
	for _, b := range list {
		c := b.chart()
		c.Page.NX = 4
		if len(list) > 1 {
			c.Page.Title = titled(b.Label, b.Step)
		}
		charts = append(charts, c)
	}
	return chart.Grid("histograms", charts, min(len(charts), figure.ArrangedColumns), o)
}

// CSV writes the value of every bin of every histogram.
func (list Histograms) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "from", "to", "value")
	for _, b := range list {
		width := (b.Hi - b.Lo) / float64(len(b.Values))
		for i, v := range b.Values {
			t.Row(titled(b.Label, b.Step), figure.Exact(b.Lo+float64(i)*width),
				figure.Exact(b.Lo+float64(i+1)*width), figure.Exact(v))
		}
	}
	return t.Close()
}
