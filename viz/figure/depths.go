package figure

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot"

	"dgplab/viz/layers"
)

// Depths writes functions by depth as small charts: a column for each depth and a row
// for each kind, at most so many columns as charts of a layer have.
func Depths(out io.Writer, format Format, p layers.Depths, o Options) error {
	depths := p.Deepest()
	columns := min(depths, layerColumns)
	var plots []*plot.Plot
	drawn := 0
	for first := 0; first < depths; first += columns {
		for kind, k := range p.Kinds {
			for depth := first; depth < first+columns; depth++ {
				var chart *plot.Plot
				if depth < len(k.Depths) {
					var err error
					chart, err = smallPlot(p.Chart(kind, depth), k.Name+", "+layers.DepthName(depth), p.Along)
					if err != nil {
						return err
					}
				}
				if chart != nil {
					drawn++
				}
				plots = append(plots, chart)
			}
		}
	}
	if drawn == 0 {
		return fmt.Errorf("prior: %w: no functions", ErrNothing)
	}
	return tile(out, format, plots, columns, o)
}

// DepthsCSV writes every point of functions by depth; depths and curves count from 1.
func DepthsCSV(out io.Writer, p layers.Depths) error {
	t := NewTable(out, "prior", "layers", "curve", "x", "value")
	for _, kind := range p.Kinds {
		for depth, list := range kind.Depths {
			for c, curve := range list {
				for i, v := range curve[:min(len(curve), len(p.Grid))] {
					t.Row(kind.Name, strconv.Itoa(depth+1), strconv.Itoa(c+1), Exact(p.Grid[i]), Exact(v))
				}
			}
		}
	}
	return t.Close()
}
