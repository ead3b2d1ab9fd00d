package viz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"image"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"dgplab/viz"
	"dgplab/viz/figure"
)

// drawing is the content of an SVG file. Positions are in points from its lower left corner.
type drawing struct {
	width    float64
	texts    []written
	shapes   []shape
	pictures []picture
}

// written holds a text that begins at x, y.
type written struct {
	text    string
	x, y    float64
	upright bool // not rotated
	size    vg.Length
}

// middle returns the x of the middle of an upright text.
func (w written) middle() float64 {
	return w.x + figure.TextStyle(w.size, figure.Ink).Width(w.text).Points()/2
}

// shape is a path.
type shape struct {
	points plotter.XYs
	style  string
}

// picture is an image in its rectangle.
type picture struct {
	image.Image
	x, y, w, h float64
}

// draw draws a figure.
func draw(t *testing.T, p viz.Picture, o figure.Options) drawing {
	t.Helper()
	var b bytes.Buffer
	if err := export(&b, figure.SVG, p, o); err != nil {
		t.Fatal(err)
	}
	return readDrawing(t, b.Bytes())
}

// readDrawing reads an SVG file as gonum/plot writes it.
func readDrawing(t *testing.T, data []byte) (d drawing) {
	t.Helper()
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.TrimRight(text, "ptx"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var turns []float64 // rotations of the groups around an element, in radians
	var styles []string // of the groups around an element
	within := false
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return d
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			a := map[string]string{}
			for _, attr := range e.Attr {
				a[attr.Name.Local] = attr.Value
			}
			switch e.Name.Local {
			case "svg":
				d.width = number(a["width"])
			case "g":
				turn := 0.0
				if degrees, ok := strings.CutPrefix(a["transform"], "rotate("); ok {
					turn = number(strings.TrimSuffix(degrees, ")")) * math.Pi / 180
				}
				turns = append(turns, turn)
				styles = append(styles, a["style"])
			case "text":
				within = true
				turn := turns[len(turns)-1]
				sin, cos := math.Sincos(turn)
				x := number(a["x"])
				y := -number(a["y"])
				size := number(fontSize.FindStringSubmatch(a["style"])[1])
				w := written{x: x*cos - y*sin, y: x*sin + y*cos, upright: turn == 0, size: vg.Points(size)}
				d.texts = append(d.texts, w)
			case "path":
				d.shapes = append(d.shapes, readPath(a["d"], a["style"]+styles[len(styles)-1], number)...)
			case "image":
				_, code, _ := strings.Cut(a["href"], ";base64,")
				img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(code)))
				if err != nil {
					t.Fatal(err)
				}
				p := picture{img, number(a["x"]), number(a["y"]), number(a["width"]), number(a["height"])}
				p.y = -p.y - p.h
				d.pictures = append(d.pictures, p)
			}
		case xml.CharData:
			if within {
				d.texts[len(d.texts)-1].text += string(e)
			}
		case xml.EndElement:
			within = false
			if e.Name.Local == "g" {
				turns = turns[:len(turns)-1]
				styles = styles[:len(styles)-1]
			}
		}
	}
}

var (
	fontSize    = regexp.MustCompile(`font-size:([0-9.]+)`)
	pathCommand = regexp.MustCompile(`([MLAZ])([^MLAZ]*)`)
)

// readPath returns the pieces of a path with their corners. An arc counts as its end.
func readPath(text, style string, number func(string) float64) (list []shape) {
	for _, c := range pathCommand.FindAllStringSubmatch(text, -1) {
		if c[1] == "Z" {
			continue
		}
		if c[1] == "M" {
			list = append(list, shape{style: style})
		}
		words := strings.Fields(c[2])
		x, y, _ := strings.Cut(words[len(words)-1], ",")
		last := &list[len(list)-1]
		last.points = append(last.points, plotter.XY{X: number(x), Y: number(y)})
	}
	return list
}

// plotted is a pair of axes.
type plotted struct {
	x, y   axis
	points plotter.XYs // everything drawn between the axes, in points
}

// axis is a line with ticks.
type axis struct {
	at, from, to  float64
	places, value []float64 // positions and values of ticks
}

// place returns the position of a value on the axis.
func (a axis) place(v float64) float64 {
	last := len(a.value) - 1
	return a.places[0] + (v-a.value[0])/(a.value[last]-a.value[0])*(a.places[last]-a.places[0])
}

// valueAt returns the value at a position.
func (a axis) valueAt(place float64) float64 {
	last := len(a.value) - 1
	return a.value[0] + (place-a.places[0])/(a.places[last]-a.places[0])*(a.value[last]-a.value[0])
}

// axisStyle is the style of axes and ticks, and gridStyle is the style of grids.
const axisStyle, gridStyle = "stroke:#606060;stroke-width:0.70866", "stroke:#E8E8E8"

// ofAxis reports whether a shape is an axis or a tick.
func (s shape) ofAxis() bool {
	if len(s.points) != 2 || !strings.Contains(s.style, axisStyle) {
		return false
	}
	return s.points[0].X == s.points[1].X || s.points[0].Y == s.points[1].Y
}

// charts finds the axes of a drawing and the points between them: corners of lines and areas, and
// centres of marks.
func (d drawing) charts(t *testing.T) (list []plotted) {
	t.Helper()
	var x, y axis
	for _, s := range d.shapes {
		if !s.ofAxis() {
			continue
		}
		const longest = 4 // the longest tick
		a, b := s.points[0], s.points[1]
		switch {
		case a.X == b.X && b.Y-a.Y < longest:
			x.places = append(x.places, a.X)
		case a.Y == b.Y && b.X-a.X < longest:
			y.places = append(y.places, a.Y)
		case a.Y == b.Y:
			x.at, x.from, x.to = a.Y, a.X, b.X
		default:
			y.at, y.from, y.to = a.X, a.Y, b.Y
			if len(x.places) > 0 { // otherwise a colour bar
				list = append(list, plotted{x: x, y: y})
			}
			x, y = axis{}, axis{}
		}
	}
	for i := range list {
		c := &list[i]
		for k, at := range c.x.places {
			v := d.label(t, k, func(w written) bool {
				return math.Abs(w.middle()-at) < 1 && w.y < c.x.at && w.y > c.x.at-20
			})
			c.x.value = append(c.x.value, v)
		}
		for k, at := range c.y.places {
			v := d.label(t, k, func(w written) bool {
				return math.Abs(w.y+3-at) < 2 && w.x < c.y.at && w.x > c.y.at-60
			})
			c.y.value = append(c.y.value, v)
		}
		if len(c.x.places) < 2 || len(c.y.places) < 2 {
			t.Fatalf("chart %d has the ticks %v and %v", i, c.x.value, c.y.value)
		}
		c.points = d.between(*c)
	}
	return list
}

// label returns the number of the k-th tick of an axis: its label, or k if the label is a name.
func (d drawing) label(t *testing.T, k int, here func(written) bool) float64 {
	t.Helper()
	for _, w := range d.texts {
		if w.upright && w.size == figure.TickSize && here(w) {
			v, err := strconv.ParseFloat(w.text, 64)
			if err != nil {
				return float64(k)
			}
			return v
		}
	}
	t.Fatalf("tick %d has no label", k)
	return 0
}

// between returns the points drawn between axes.
func (d drawing) between(c plotted) (list plotter.XYs) {
	for _, s := range d.shapes {
		if s.ofAxis() || strings.Contains(s.style, gridStyle) {
			continue
		}
		var middle plotter.XY
		for _, p := range s.points {
			middle.X += p.X / float64(len(s.points))
			middle.Y += p.Y / float64(len(s.points))
		}
		if len(s.points) == 3 { // two halves of a circle, both starting at one side
			middle = plotter.XY{X: (s.points[0].X + s.points[1].X) / 2, Y: s.points[0].Y}
		}
		for _, p := range append(s.points, middle) {
			if p.X >= c.x.from-1 && p.X <= c.x.to+1 && p.Y >= c.y.from-1 && p.Y <= c.y.to+1 {
				list = append(list, p)
			}
		}
	}
	return list
}

// shows reports whether something is drawn within about a tenth of a millimetre of a point of a chart.
func (c plotted) shows(x, y float64) bool {
	for _, p := range c.points {
		if math.Hypot(p.X-c.x.place(x), p.Y-c.y.place(y)) < 0.3 {
			return true
		}
	}
	return false
}
