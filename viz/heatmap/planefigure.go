package heatmap

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Figure returns the map as a figure, with the contour of its level, its points and a colour bar.
func (m PlaneMap) Figure(o figure.Options) (*figure.Figure, error) {
	const w, h = 13 * vg.Centimeter, 10 * vg.Centimeter
	p, err := m.chart().Plot(o)
	if err != nil {
		return nil, err
	}
	p.Title.Text = o.Title
	if m.Classes != nil {
		addClasses(p, m)
		return figure.Single(w, h, p, o), nil
	}
	room := vg.Length(o.Share())*figure.PageWidth - 2*figure.Margin - colorBarWidth
	p.Title.Text = figure.Wrap(o.Title, figure.TitleSize, room)
	lo, hi, _ := m.colorRange()
	bar := colorBar(m.Name, lo, hi, false)
	bar.Title.Text = ""
	height := func(room vg.Length) vg.Length { return p.HeightAt(room-colorBarWidth, w, h) }
	return figure.WithLegend([]*figure.Plot{p}, o, height, besideBar(p, bar, vg.Centimeter)), nil
}

// Figure adds the colours, the contour and the points.
func (l *planeContent) Figure(to *figure.Plot, p *chart.Plane) {
	to.Add(plotter.NewImage(planeImage(l.PlaneMap, l.lo, l.hi), p.X.Lo, p.Y.Lo, p.X.Hi, p.Y.Hi))
	addContour(to, l.PlaneMap, l.lo, l.hi)
	addPoints(to, l.PlaneMap, l.lo, l.hi)
}

// planeWidth and planeHeight are the size of the image in pixels.
const planeWidth, planeHeight = 320, 240

// imageShades is the number of colours of an image, which is then small in a file.
const imageShades = 240

// planeImage returns the colours of a map. The largest y is on top.
func planeImage(m PlaneMap, lo, hi float64) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, planeWidth, planeHeight), nil)
	shade := (hi - lo) / imageShades
	index := map[color.RGBA]uint8{}
	xs, ys := m.scales()
	for row := range planeHeight {
		t := (float64(row) + 0.5) / planeHeight
		y := ys.Hi*(1-t) + ys.Lo*t
		for col := range planeWidth {
			s := (float64(col) + 0.5) / planeWidth
			v := m.at(xs.Lo*(1-s)+xs.Hi*s, y)
			if m.Classes == nil && shade > 0 {
				v = lo + shade*math.Round((v-lo)/shade)
			}
			c := planeColor(m, v, lo, hi)
			at, known := index[c]
			if !known {
				at = uint8(len(img.Palette))
				index[c] = at
				img.Palette = append(img.Palette, c)
			}
			img.SetColorIndex(col, row, at)
		}
	}
	return img
}

// planeColor returns the colour of a value. Classes have pale colours.
func planeColor(m PlaneMap, v, lo, hi float64) color.RGBA {
	if m.Classes == nil || !canvas.Finite(v) {
		return HeatColor(v, lo, hi)
	}
	r, g, b, _ := figure.Paper.RunColor(int(v)).RGB()
	pale := func(c uint8) uint8 { return 255 - (255-c)/2 }
	return color.RGBA{R: pale(r), G: pale(g), B: pale(b), A: 255}
}

// addClasses adds legend entries for the colours and the points of classes.
func addClasses(p *figure.Plot, m PlaneMap) {
	for k, name := range m.Classes {
		color := planeColor(m, float64(k), 0, 0)
		entry := []plot.Thumbnailer{&plotter.Line{
			LineStyle: draw.LineStyle{Color: color, Width: 3 * vg.Millimeter},
		}}
		if k < len(m.Points) && m.Points[k].Label == name {
			entry = append(entry, pointsKey(k, readable(color)))
		}
		p.AddEntry(name, entry...)
	}
}

// pointsKey returns the legend symbol of group i of points.
func pointsKey(i int, color color.Color) plot.Thumbnailer {
	return &plotter.Scatter{
		GlyphStyle: draw.GlyphStyle{
			Color:  color,
			Radius: vg.Millimeter * 0.8,
			Shape:  pointShapes[i%len(pointShapes)],
		},
	}
}

// grid is a map as gonum/plot draws contours of it.
type grid struct{ PlaneMap }

func (g grid) Dims() (c, r int)   { return len(g.PlaneMap.X), len(g.PlaneMap.Y) }
func (g grid) Z(c, r int) float64 { return g.Values[r*len(g.PlaneMap.X)+c] }
func (g grid) X(c int) float64    { return g.PlaneMap.X[c] }
func (g grid) Y(r int) float64    { return g.PlaneMap.Y[r] }

// oneColor is a palette of one colour.
type oneColor struct{ color.Color }

func (c oneColor) Colors() []color.Color { return []color.Color{c.Color} }

var _ palette.Palette = oneColor{}

// addContour adds the contour of the level if values lie on both sides of it. There is none between
// the levels of a category.
func addContour(p *figure.Plot, m PlaneMap, lo, hi float64) {
	if !(m.Level > lo && m.Level < hi) || m.XLevels != nil || m.YLevels != nil {
		return
	}
	for _, v := range m.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return // A contour cannot pass such a value.
		}
	}
	c := plotter.NewContour(grid{m}, []float64{m.Level}, oneColor{color.Black})
	c.LineStyles = []draw.LineStyle{{Color: color.Black, Width: vg.Millimeter / 3}}
	p.Add(contour{c})
}

// contour draws the lines of a contour in a fixed order. gonum/plot draws them in random order, so the bytes
// of equal figures would differ.
type contour struct{ *plotter.Contour }

// Plot draws the lines.
func (l contour) Plot(c draw.Canvas, p *plot.Plot) {
	var drawn recorder.Canvas
	l.Contour.Plot(draw.Canvas{Canvas: &drawn, Rectangle: c.Rectangle}, p)
	var lines []*recorder.Stroke
	for _, action := range drawn.Actions {
		line, ok := action.(*recorder.Stroke)
		if ok {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, func(a, b *recorder.Stroke) int { return strings.Compare(a.Call(), b.Call()) })
	c.SetLineStyle(l.LineStyles[0])
	for _, line := range lines {
		c.Stroke(line.Path)
	}
}

// addPoints adds the points that lie on the map.
func addPoints(p *figure.Plot, m PlaneMap, lo, hi float64) {
	groups := m.Points
	if len(m.Marks.X) > 0 {
		groups = append(groups[:len(groups):len(groups)], m.Marks)
	}
	xs, ys := m.scales()
	for i, group := range groups {
		var list plotter.XYs
		for k := range min(len(group.X), len(group.Y)) {
			if x, y := group.X[k], group.Y[k]; inside(x, xs) && inside(y, ys) {
				list = append(list, plotter.XY{X: x, Y: y})
			}
		}
		if len(list) == 0 {
			continue
		}
		shape := pointShapes[i%len(pointShapes)]
		p.Add(&plotter.Scatter{XYs: list, GlyphStyleFunc: func(k int) draw.GlyphStyle {
			below := planeColor(m, m.at(list[k].X, list[k].Y), lo, hi)
			return draw.GlyphStyle{Color: readable(below), Radius: vg.Millimeter * 0.8, Shape: shape}
		}})
		if group.Label != "" && (m.Classes == nil || i >= len(m.Classes)) {
			p.AddEntry(group.Label, pointsKey(i, figure.Ink))
		}
	}
}

// pointShapes are the shapes of groups of points in turn.
var pointShapes = []draw.GlyphDrawer{draw.PlusGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{},
	draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CircleGlyph{}, draw.BoxGlyph{}}

// readable returns black or white, whichever is legible on a colour (luma of Rec. 601).
func readable(on color.RGBA) color.Color {
	if 299*int(on.R)+587*int(on.G)+114*int(on.B) > 128*1000 {
		return color.Black
	}
	return color.White
}

// CSV writes every value of the map. Classes and levels are written by name.
func (m PlaneMap) CSV(out io.Writer) error {
	if problem := m.problem(); problem != "" {
		return fmt.Errorf("plane: %w: %s", figure.ErrNothing, problem)
	}
	t := figure.NewTable(out, m.XName, m.YName, m.Name)
	for j, y := range m.Y {
		for i, x := range m.X {
			v := m.Values[j*len(m.X)+i]
			text := figure.Exact(v)
			if m.Classes != nil && v >= 0 && v < float64(len(m.Classes)) {
				text = m.Classes[int(v)]
			}
			t.Row(levelName(m.XLevels, i, x), levelName(m.YLevels, j, y), text)
		}
	}
	return t.Close()
}

// levelName returns the name of a level, or the number v if the axis has no levels.
func levelName(levels []string, k int, v float64) string {
	if levels != nil {
		return levels[k]
	}
	return figure.Exact(v)
}
