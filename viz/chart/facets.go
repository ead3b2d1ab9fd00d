package chart

import (
	"fmt"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Facets are charts side by side on one scale. The legend of a chart describes that chart only.
type Facets struct {
	Charts []Chart
	// Legend returns the legend that all charts share.
	Legend func(style canvas.Style) []canvas.Part
	// Name and Empty are as in Chart.
	Name, Empty string
}

// Render draws the charts as h lines of w cells. A single chart has its own legend. Several charts
// share a legend on a line below them.
func (f Facets) Render(style canvas.Style, w, h int) []string {
	n := len(f.Charts)
	switch {
	case f.Empty != "":
		return canvas.Empty(style, w, h, f.Empty)
	case n == 1:
		c := f.Charts[0]
		own := c.Legend
		c.Legend = func(style canvas.Style) []canvas.Part { return append(own(style), f.Legend(style)...) }
		return c.Render(style, w, h)
	}
	least := tileHeight(n, w, h)
	return Tiles{N: n, Draw: func(i, w, h int) *canvas.Canvas {
		c := f.Charts[i]
		c.YName = ""
		return c.canvas(style, w, h, least)
	}, Legend: func() []canvas.Part {
		y := f.Charts[0].YName
		name := canvas.Note(2, canvas.Ink{FG: style.Dim()}, y, canvas.Truncate(y, 10), "")
		return append([]canvas.Part{name}, f.Legend(style)...)
	}}.Render(style, w, h)
}

// Figure returns the charts side by side with the longest of their legends.
func (f Facets) Figure(o figure.Options) (*figure.Figure, error) {
	if f.Empty != "" {
		return nil, fmt.Errorf("%s: %w: %s", f.Name, figure.ErrNothing, f.Empty)
	}
	var plots []*figure.Plot
	for i := range f.Charts {
		p, err := f.Charts[i].Plot(o)
		if err != nil {
			return nil, err
		}
		p.Title.Text = f.Charts[i].Page.Title
		p.Title.TextStyle.Font.Size = figure.LabelSize
		plots = append(plots, p)
	}
	return figure.Arrange(plots, o), nil
}

// Grid returns a figure of small charts in columns, each with its title. The position of a chart
// without anything to draw stays blank. It returns an error if no chart has anything to draw.
func Grid(name string, charts []*Chart, columns int, o figure.Options) (*figure.Figure, error) {
	var plots []*figure.Plot
	drawn := false
	for _, c := range charts {
		if c.Empty != "" {
			plots = append(plots, nil)
			continue
		}
		p, err := c.Plot(o)
		if err != nil {
			return nil, err
		}
		p.Title.Text = c.Page.Title
		p.Title.TextStyle.Font.Size = figure.LabelSize
		if columns > figure.ArrangedColumns {
			p.X.Label.TextStyle.Font.Size = figure.TickSize
		}
		plots = append(plots, p)
		drawn = true
	}
	if !drawn {
		return nil, fmt.Errorf("%s: %w", name, figure.ErrNothing)
	}
	return figure.Tile(plots, columns, o), nil
}
