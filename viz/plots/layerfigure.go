package plots

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// layerColumns is the maximum number of charts side by side in a figure.
const layerColumns = 4

// Figure returns the sampled functions of all GPs of the layer as small charts side by side.
func (p Layer) Figure(o figure.Options) (*figure.Figure, error) {
	var charts []*chart.Chart
	for i, g := range p.GPs {
		if c := smallChart(p.curve(i), gpTitle(i, g), p.XName); c.Empty == "" {
			charts = append(charts, c)
		}
	}
	columns := min(len(charts), layerColumns)
	if len(charts) > layerColumns {
		columns = min(layerColumns, int(math.Ceil(math.Sqrt(float64(len(charts))))))
	}
	return chart.Grid(fmt.Sprintf("layer %d", p.Index+1), charts, columns, o)
}

// smallChart returns a curve as a chart of a figure with several charts.
func smallChart(c curves.Curve, title, along string) *chart.Chart {
	small := c.Chart(400, 4, 4)
	small.Name, small.Page.Title, small.Page.XName = title, title, along
	return small
}

// gpTitle returns the title of the chart of a GP.
func gpTitle(gp int, g LayerGP) string {
	title := fmt.Sprintf("GP %d, sd %s", gp+1, canvas.Number(g.SD))
	if g.Collapsed {
		title += ", collapsed"
	}
	return title
}

// LayerGPsCSV writes one row for every GP of every layer, both counted from 1.
func LayerGPsCSV(out io.Writer, layers []Layer) error {
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
func (p Layer) CSV(out io.Writer) error { return LayerCurvesCSV(out, []Layer{p}) }

// LayerCurvesCSV writes every point of the sampled functions of every layer.
func LayerCurvesCSV(out io.Writer, layers []Layer) error {
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
