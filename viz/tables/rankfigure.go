package tables

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// The dimensions of a critical-difference diagram.
const (
	cdLine     = 5.5 * vg.Millimeter // distance between methods with names of one line
	cdGroup    = 2 * vg.Millimeter   // distance between groups
	cdHead     = 14 * vg.Millimeter  // room above the axis for ruler and labels
	cdNames    = 0.25                // share of the width for names on each side
	cdTick     = 1.5 * vg.Millimeter
	cdThick    = 1.1 * vg.Millimeter
	cdThin     = vg.Millimeter / 4
	cdLeast    = 5.2 * vg.Centimeter // minimum height of the figure
	cdMost     = 40                  // maximum number of methods
	cdNameSize = figure.LabelSize
)

// Figure returns the diagram of Demsar (2006, section 3.2.2): an axis of average ranks with 1 on
// the left, a line from every method to its rank with the better half on the left, thick lines that
// join groups, and the critical difference above the axis. All ranks must be finite.
func (c RankDiagram) Figure(o figure.Options) (*figure.Figure, error) {
	order := c.order()
	if len(order) == 0 {
		return nil, fmt.Errorf("critical difference: %w: no ranks", figure.ErrNothing)
	}
	if len(order) > cdMost {
		return nil, fmt.Errorf("critical difference: %d methods are too many to draw; at most %d",
			len(order), cdMost)
	}
	for _, i := range order {
		if !canvas.Finite(c.Ranks[i]) || math.Abs(c.Ranks[i]) > 1e6 {
			return nil, fmt.Errorf("critical difference: %w: the rank of %s is %v",
				figure.ErrNothing, c.Labels[i], c.Ranks[i])
		}
	}
	d := cdDrawing{RankDiagram: c, order: order}
	d.lo, d.hi = c.axisEnds()
	title := vg.Length(0)
	if o.Title != "" {
		title = 8 * vg.Millimeter
	}
	note := vg.Length(0)
	if c.Note != "" {
		note = 6 * vg.Millimeter
	}
	width := vg.Length(o.Share()) * figure.PageWidth
	d.names = cdNames * width
	d.line = cdLine
	for i, label := range c.Labels[:len(c.Ranks)] {
		label = fmt.Sprintf("%s (%.2f)", label, c.Ranks[i])
		label = figure.Wrap(label, cdNameSize, d.names-2*vg.Millimeter)
		d.labels = append(d.labels, label)
		d.line = max(d.line, cdText(cdNameSize, draw.XLeft, draw.YCenter).Height(label)+2*vg.Millimeter)
	}
	height := 8*vg.Millimeter + title + cdHead + vg.Length(len(c.Groups)+1)*cdGroup +
		vg.Length((len(order)+1)/2)*d.line + note
	height = max(height, cdLeast)
	return figure.New(width, height, func(dc draw.Canvas) {
		if o.Title != "" {
			s := cdText(figure.TitleSize, draw.XCenter, draw.YTop)
			dc.FillText(s, vg.Point{X: dc.Center().X, Y: dc.Max.Y}, o.Title)
		}
		if c.Note != "" {
			s := cdText(figure.TickSize, draw.XLeft, draw.YBottom)
			s.Color = figure.Soft
			dc.FillText(s, dc.Min, c.Note)
		}
		d.Canvas, d.axis = dc, dc.Max.Y-title-cdHead
		d.left, d.right = dc.Min.X+d.names, dc.Max.X-d.names
		d.drawAxis()
		d.drawRuler()
		d.drawGroups()
		d.drawMethods()
	}), nil
}

// cdText returns an aligned text style.
func cdText(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	s := figure.TextStyle(size, figure.Ink)
	s.XAlign, s.YAlign = x, y
	return s
}

// cdDrawing is a diagram on a canvas.
type cdDrawing struct {
	RankDiagram
	draw.Canvas
	order       []int
	lo, hi      float64
	axis        vg.Length // height of the axis on the canvas
	left, right vg.Length // the ends of the axis
	names       vg.Length // room for names on each side
	line        vg.Length // distance between methods
	labels      []string  // names of the methods with their ranks
}

// x returns the position of a rank.
func (d *cdDrawing) x(rank float64) vg.Length {
	return d.left + (d.right-d.left)*vg.Length((rank-d.lo)/(d.hi-d.lo))
}

// stroke draws a straight line.
func (d *cdDrawing) stroke(width vg.Length, points ...vg.Point) {
	d.StrokeLines(draw.LineStyle{Color: figure.Ink, Width: width}, points)
}

func (d *cdDrawing) drawAxis() {
	d.stroke(cdThin, vg.Point{X: d.left, Y: d.axis}, vg.Point{X: d.right, Y: d.axis})
	labels := cdText(figure.TickSize, draw.XCenter, draw.YBottom)
	for _, t := range chart.Steps.Ticks(d.lo, d.hi, 10) {
		d.stroke(cdThin, vg.Point{X: d.x(t.At), Y: d.axis}, vg.Point{X: d.x(t.At), Y: d.axis + cdTick})
		d.FillText(labels, vg.Point{X: d.x(t.At), Y: d.axis + 1.3*cdTick}, t.Label)
	}
}

// drawRuler draws the critical difference above the axis, at most as long as the axis.
func (d *cdDrawing) drawRuler() {
	if !canvas.Finite(d.CD) || d.CD <= 0 {
		return
	}
	y := d.axis + 8*vg.Millimeter
	name := "CD = " + strconv.FormatFloat(d.CD, 'f', 2, 64)
	end := d.right
	if d.CD <= d.hi-d.lo {
		end = d.x(d.lo + d.CD)
		d.stroke(cdThin, vg.Point{X: end, Y: y - cdTick/2}, vg.Point{X: end, Y: y + cdTick/2})
	} else {
		name += ", longer than the axis"
	}
	d.stroke(cdThin, vg.Point{X: d.left, Y: y - cdTick/2}, vg.Point{X: d.left, Y: y + cdTick/2})
	d.stroke(cdThin, vg.Point{X: d.left, Y: y}, vg.Point{X: end, Y: y})
	d.FillText(cdText(figure.TickSize, draw.XLeft, draw.YBottom), vg.Point{X: d.left, Y: y + cdTick}, name)
}

// drawGroups draws a thick line from the first to the last rank of each group.
func (d *cdDrawing) drawGroups() {
	for g, group := range d.Groups {
		lo := math.Inf(1)
		hi := math.Inf(-1)
		for _, i := range group {
			if i >= 0 && i < len(d.Ranks) {
				lo = math.Min(lo, d.Ranks[i])
				hi = math.Max(hi, d.Ranks[i])
			}
		}
		if lo > hi {
			continue
		}
		y := d.axis - vg.Length(g+1)*cdGroup
		over := vg.Length(vg.Millimeter)
		d.stroke(cdThick, vg.Point{X: d.x(lo) - over, Y: y}, vg.Point{X: d.x(hi) + over, Y: y})
	}
}

// drawMethods draws a line from each name to its rank, with the outermost ranks on top.
func (d *cdDrawing) drawMethods() {
	n := len(d.order)
	for k, i := range d.order {
		x := d.x(d.Ranks[i])
		row := k
		align := draw.XRight
		side := d.left
		name := vg.Length(-2 * vg.Millimeter)
		if k >= (n+1)/2 {
			row = n - 1 - k
			align = draw.XLeft
			side = d.right
			name = -name
		}
		y := d.axis - vg.Length(len(d.Groups)+1)*cdGroup - (vg.Length(row)+0.5)*d.line
		look := draw.LineStyle{Color: figure.RunColor(i, 255), Width: 2 * cdThin}
		d.StrokeLines(look, []vg.Point{{X: x, Y: d.axis}, {X: x, Y: y}, {X: side + name/2, Y: y}})
		s := cdText(cdNameSize, align, draw.YCenter)
		d.FillText(s, vg.Point{X: side + name, Y: y}, d.labels[i])
	}
}

// CSV writes the average rank of every method.
func (c RankDiagram) CSV(out io.Writer) error {
	t := figure.NewTable(out, "method", "rank")
	for i, name := range c.Labels[:min(len(c.Labels), len(c.Ranks))] {
		t.Row(name, figure.Exact(c.Ranks[i]))
	}
	return t.Close()
}
