// Package chart draws pictures with an x and a y axis: marks between axes, alone or as facets on one
// scale. A chart is described once. One renderer draws it as text, another as a figure. The example
// describes a whole picture.
//
// A Scale is fitted to data and converts values to positions. An Axis names the unit of x and places
// ticks at round values. A Plane is a pair of scales with names.
package chart

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// Mark is something drawn between the axes. Coordinates are values: both methods place them by the
// scales of the plane.
type Mark interface {
	// Text draws the mark on the plot of a text picture.
	Text(plot *canvas.Canvas, p *Plane)
	// Figure adds the mark and its legend entry to a figure.
	Figure(plot *figure.Plot, p *Plane)
}

// Chart is a pair of axes with marks, drawn in the order of the list.
type Chart struct {
	// Plane holds the names of the axes and the ranges of the data.
	Plane
	Marks []Mark
	// PadX and PadY widen the ranges by a share at both ends.
	PadX, PadY float64
	// Legend returns the legend of the text. It is called after the marks are drawn. It may be nil.
	Legend func(style canvas.Style) []canvas.Part
	// Page describes the figure.
	Page Page
	// Name is the subject of error messages.
	Name string
	// Empty is the reason why there is nothing to draw, or "" if there is something.
	Empty string
	// Err is returned by Figure if it is not nil.
	Err error
}

// Page holds the properties of the figure of a chart.
type Page struct {
	// W and H are the proportions, without the legend. H is also the maximum height in centimetres. If W is
	// 0, the height does not depend on the width.
	W, H float64
	// NX and NY are the approximate numbers of ticks in a figure of the width of a page.
	NX, NY int
	// XName and YName, if not empty, replace the names of the axes.
	XName, YName string
	// Filled is set if marks hide the grid. It is then left out.
	Filled bool
	// Title is the title of a facet.
	Title string
	// Pad is the minimum padding of x and y in the figure, and Top is additional padding above y.
	Pad [2]float64
	Top float64
	// Y, if not nil, replaces the range of y.
	Y *Scale
}

// Render draws the chart as h lines of w cells.
func (c *Chart) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	return c.Draw(style, w, h).Lines()
}

// Draw draws the chart on a canvas. w and h are at least 1.
func (c *Chart) Draw(style canvas.Style, w, h int) *canvas.Canvas {
	return c.canvas(style, w, h, tileHeight(1, w, h))
}

// XAt returns the value at a column of the chart drawn in w x h cells. ok is false beside the plot.
func (c *Chart) XAt(w, h, column int) (x float64, ok bool) {
	p := c.padded(tileHeight(1, w, h))
	f := p.frame(w, h, c.Legend != nil)
	if column < f.left || column >= w || h < 1 {
		return 0, false
	}
	return valueOf(&p.X, column-f.left, f.w), true
}

// A rug takes markRoom rows. axisRows is the number of rows of a chart outside its plot.
const markRoom, axisRows = 1.2, 4

// canvas draws the chart. Its scale has room for a rug if the chart has at least `least` rows.
func (c *Chart) canvas(style canvas.Style, w, h, least int) *canvas.Canvas {
	if c.Empty != "" {
		cv := canvas.New(style, w, h)
		cv.Message(c.Empty)
		return cv
	}
	p := c.padded(least)
	return p.draw(style, w, h, func(plot *canvas.Canvas) {
		for _, m := range c.Marks {
			m.Text(plot, &p)
		}
	}, c.Legend)
}

// padded returns the plane with the padding of a text picture. A rug has room in a chart of at least
// the given number of rows.
func (c *Chart) padded(least int) Plane {
	p := c.Plane
	p.X.Pad(c.PadX)
	p.Y.Pad(c.PadY)
	if c.hasRug() {
		p.Y.padBelow(markRoom / float64(max(least-axisRows, 2)))
	}
	return p
}

func (c *Chart) hasRug() bool {
	for _, m := range c.Marks {
		if r, ok := m.(Rug); ok && len(r.X) > 0 {
			return true
		}
	}
	return false
}

// Figure returns the chart as a figure.
func (c *Chart) Figure(o figure.Options) (*figure.Figure, error) {
	p, err := c.Plot(o)
	if err != nil {
		return nil, err
	}
	p.Title.Text = o.Title
	h := vg.Length(c.Page.H) * vg.Centimeter
	if c.Page.W == 0 {
		return figure.Rows(h, p, o), nil
	}
	return figure.Single(vg.Length(c.Page.W)*vg.Centimeter, h, p, o), nil
}

// fewestTicks is the minimum number of ticks in a narrow figure.
const fewestTicks = 4

// Plot returns the chart as a plot without a title. Logarithmic axes show logarithms, unless XTicks
// are given. A narrow figure has fewer ticks.
func (c *Chart) Plot(o figure.Options) (*figure.Plot, error) {
	if c.Empty != "" {
		return nil, fmt.Errorf("%s: %w: %s", c.Name, figure.ErrNothing, c.Empty)
	}
	if c.Err != nil {
		return nil, c.Err
	}
	page := c.Plane
	if c.Page.Y != nil {
		page.Y = *c.Page.Y
	}
	x, y := &page.X, &page.Y
	d := max(math.Abs(x.Lo)*0.05, 1e-6)
	if x.Lo == x.Hi {
		x.Lo, x.Hi = x.Lo-d, x.Hi+d
	}
	if err := figure.CheckRange(c.Name, x.Lo, x.Hi, y.Lo, y.Hi); err != nil {
		return nil, err
	}
	nx := max(fewestTicks, int(float64(c.Page.NX)*o.Share()))
	p := figure.NewPlot()
	p.X.Label.Text = cmp.Or(c.Page.XName, c.xName())
	if x.Kind == Log && c.XTicks == nil {
		p.X.Label.Text = "log10 of " + p.X.Label.Text
	}
	p.Y.Label.Text = cmp.Or(c.Page.YName, c.YName)
	if y.Kind == Log {
		p.Y.Label.Text = "log10 of " + p.Y.Label.Text
	}
	switch {
	case c.XTicks != nil || c.XDates.Known():
		p.X.Tick.Marker = Ticks(c.xTicks(nx, int(dateCells*o.Share())))
	default:
		p.X.Tick.Marker = Ticks(Plain.Ticks(x.Lo, x.Hi, nx))
	}
	if c.YTicks != nil {
		p.Y.Tick.Marker = Ticks(c.YTicks(c.Page.NY))
	} else {
		p.Y.Tick.Marker = Ticks(Plain.Ticks(y.Lo, y.Hi, c.Page.NY))
	}
	if !c.Page.Filled {
		figure.AddGrid(p)
	}
	x.Pad(max(c.PadX, c.Page.Pad[0]))
	y.Pad(max(c.PadY, c.Page.Pad[1]))
	y.Hi += c.Page.Top * (y.Hi - y.Lo)
	for _, m := range c.Marks {
		m.Figure(p, &page)
	}
	p.X.Min, p.X.Max = x.Lo, x.Hi
	p.Y.Min, p.Y.Max = y.Lo, y.Hi
	return p, nil
}

// dateCells is the width of a figure, in the cells that dates are spaced by.
const dateCells = 80
