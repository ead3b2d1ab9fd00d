package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/curves"
	"dgplab/viz/layers"
	"dgplab/viz/number"
)

// layerColumns is the most GPs side by side.
const layerColumns = 4

// Layer writes the sampled functions of all GPs of a layer as small charts side
// by side, 16 cm wide, each with what its samples do in its title.
func Layer(out io.Writer, format Format, p layers.Panel, o Options) error {
	var plots []*plot.Plot
	for i := range p.GPs {
		chart, err := gpPlot(p, i)
		if err != nil {
			return err
		}
		if chart != nil {
			plots = append(plots, chart)
		}
	}
	if len(plots) == 0 {
		return fmt.Errorf("layer %d: %w: no sampled functions", p.Index+1, ErrNothing)
	}
	columns := min(len(plots), layerColumns)
	if len(plots) > layerColumns {
		columns = min(layerColumns, int(math.Ceil(math.Sqrt(float64(len(plots))))))
	}
	return tile(out, format, plots, columns, o)
}

// tilePad is between charts side by side.
const tilePad = 4 * vg.Millimeter

// tile writes charts side by side in so many columns, 16 cm wide.
func tile(out io.Writer, format Format, plots []*plot.Plot, columns int, o Options) error {
	rows := (len(plots) + columns - 1) / columns
	height := vg.Length(rows)*5*vg.Centimeter + 1.5*vg.Centimeter
	return render(out, format, 16*vg.Centimeter, height, func(dc draw.Canvas) {
		dc = head(dc, o.Title)
		tiles := draw.Tiles{Cols: columns, Rows: rows, PadX: tilePad, PadY: tilePad}
		for i, chart := range plots {
			if chart != nil {
				chart.Draw(tiles.At(dc, i%columns, i/columns))
			}
		}
	})
}

// gpPlot returns the chart of one GP, nil if it has no finite sample.
func gpPlot(p layers.Panel, gp int) (*plot.Plot, error) {
	return smallPlot(p.Curve(gp), gpTitle(gp, p.GPs[gp]), "first input")
}

// smallPlot returns a small chart of curves over an axis, nil without a finite value.
func smallPlot(c curves.Curve, title, along string) (*plot.Plot, error) {
	outline, ok := c.Outline(400, 4, 4)
	if !ok {
		return nil, nil
	}
	if err := checkRange(title, outline.X0, outline.X1, outline.Y0, outline.Y1); err != nil {
		return nil, err
	}
	chart := newPlot()
	chart.Title.Text = title
	chart.Title.TextStyle.Font.Size = labelSize
	chart.X.Label.Text = along
	chart.X.Label.TextStyle.Font.Size = tickSize
	chart.X.Tick.Marker = ticks(outline.XTicks)
	chart.Y.Tick.Marker = ticks(outline.YTicks)
	addGrid(chart)
	for _, l := range outline.Lines {
		if _, err := addPieces(chart, l.Raw, draw.LineStyle{
			Color: runColor(l.Run, 220),
			Width: vg.Millimeter / 3,
		}); err != nil {
			return nil, err
		}
	}
	setRange(&chart.X, outline.X0, outline.X1, 0)
	setRange(&chart.Y, outline.Y0, outline.Y1, 0.03)
	return chart, nil
}

// gpTitle says which GP it is and what its samples do.
func gpTitle(gp int, g layers.GP) string {
	title := fmt.Sprintf("GP %d, sd %s", gp+1, number.Short(g.SD))
	if g.Collapsed {
		title += ", collapsed"
	}
	return title
}
