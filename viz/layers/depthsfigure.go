package layers

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot"

	"dgplab/viz/figure"
)

// Figure returns functions by depth as small charts: a column for each depth and a row
// for each kind, at most so many columns as charts of a layer have.
func (p Depths) Figure(o figure.Options) (*figure.Figure, error) {
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
					chart, err = smallPlot(p.Chart(kind, depth), k.Name+", "+DepthName(depth), p.Along)
					if err != nil {
						return nil, err
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
		return nil, fmt.Errorf("prior: %w: no functions", figure.ErrNothing)
	}
	return figure.Tile(plots, columns, o), nil
}

// CSV writes every point of functions by depth; depths and curves count from 1.
func (p Depths) CSV(out io.Writer) error {
	t := figure.NewTable(out, "prior", "layers", "curve", "x", "value")
	for _, kind := range p.Kinds {
		for depth, list := range kind.Depths {
			for c, curve := range list {
				for i, v := range curve[:min(len(curve), len(p.Grid))] {
					t.Row(kind.Name, strconv.Itoa(depth+1), strconv.Itoa(c+1),
						figure.Exact(p.Grid[i]), figure.Exact(v))
				}
			}
		}
	}
	return t.Close()
}
