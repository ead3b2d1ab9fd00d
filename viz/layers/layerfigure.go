package layers

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// layerColumns is the most GPs side by side.
const layerColumns = 4

// Figure returns the sampled functions of all GPs of a layer as small charts side
// by side, 16 cm wide, each with what its samples do in its title.
func (p Panel) Figure(o figure.Options) (*figure.Figure, error) {
	var plots []*plot.Plot
	for i := range p.GPs {
		chart, err := gpPlot(p, i)
		if err != nil {
			return nil, err
		}
		if chart != nil {
			plots = append(plots, chart)
		}
	}
	if len(plots) == 0 {
		return nil, fmt.Errorf("layer %d: %w: no sampled functions", p.Index+1, figure.ErrNothing)
	}
	columns := min(len(plots), layerColumns)
	if len(plots) > layerColumns {
		columns = min(layerColumns, int(math.Ceil(math.Sqrt(float64(len(plots))))))
	}
	return figure.Tile(plots, columns, o), nil
}

// tilePad is between charts side by side.
const tilePad = 4 * vg.Millimeter

// gpPlot returns the chart of one GP, nil if it has no finite sample.
func gpPlot(p Panel, gp int) (*plot.Plot, error) {
	return smallPlot(p.Curve(gp), gpTitle(gp, p.GPs[gp]), "first input")
}

// smallPlot returns a small chart of curves over an axis, nil without a finite value.
func smallPlot(c curves.Curve, title, along string) (*plot.Plot, error) {
	outline, ok := c.Outline(400, 4, 4)
	if !ok {
		return nil, nil
	}
	if err := figure.CheckRange(title, outline.X0, outline.X1, outline.Y0, outline.Y1); err != nil {
		return nil, err
	}
	chart := figure.NewPlot()
	chart.Title.Text = title
	chart.Title.TextStyle.Font.Size = figure.LabelSize
	chart.X.Label.Text = along
	chart.X.Label.TextStyle.Font.Size = figure.TickSize
	chart.X.Tick.Marker = figure.Ticks(outline.XTicks)
	chart.Y.Tick.Marker = figure.Ticks(outline.YTicks)
	figure.AddGrid(chart)
	for _, l := range outline.Lines {
		if _, err := figure.AddPieces(chart, l.Raw, draw.LineStyle{
			Color: figure.RunColor(l.Run, 220),
			Width: vg.Millimeter / 3,
		}); err != nil {
			return nil, err
		}
	}
	figure.SetRange(&chart.X, outline.X0, outline.X1, 0)
	figure.SetRange(&chart.Y, outline.Y0, outline.Y1, 0.03)
	return chart, nil
}

// gpTitle says which GP it is and what its samples do.
func gpTitle(gp int, g GP) string {
	title := fmt.Sprintf("GP %d, sd %s", gp+1, number.Short(g.SD))
	if g.Collapsed {
		title += ", collapsed"
	}
	return title
}

// UnitsCSV writes one row for every GP of every layer, both counted from 1.
func UnitsCSV(out io.Writer, layers []Panel) error {
	t := figure.NewTable(out, "layer", "gp", "mean", "sd", "min", "max", "share", "collapsed")
	for _, p := range layers {
		for i, g := range p.GPs {
			t.Row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), figure.Exact(g.Mean), figure.Exact(g.SD),
				figure.Exact(g.Min), figure.Exact(g.Max), figure.Exact(g.Share),
				strconv.FormatBool(g.Collapsed))
		}
	}
	return t.Close()
}

// CSV writes every point of the sampled functions of the layer.
func (p Panel) CSV(out io.Writer) error { return CurvesCSV(out, []Panel{p}) }

// CurvesCSV writes every point of the sampled functions of every layer.
func CurvesCSV(out io.Writer, layers []Panel) error {
	t := figure.NewTable(out, "layer", "gp", "sample", "x", "value")
	for _, p := range layers {
		for i, g := range p.GPs {
			for k, curve := range g.Curves {
				for j, v := range curve[:min(len(curve), len(p.Grid))] {
					t.Row(strconv.Itoa(p.Index+1), strconv.Itoa(i+1), strconv.Itoa(k+1),
						figure.Exact(p.Grid[j]), figure.Exact(v))
				}
			}
		}
	}
	return t.Close()
}
