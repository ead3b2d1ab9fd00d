package heatmap

import (
	"math"
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// PlaneMap is a quantity on a grid over a plane, interpolated linearly.
type PlaneMap struct {
	// X and Y are the grid: rising values, at least two of each.
	X, Y []float64
	// Values are [len(Y)][len(X)], rows with rising y.
	Values       []float64
	XName, YName string
	// XLevels and YLevels, if not nil, name the grid values 0, 1, 2... of a category. Each level has a
	// column or a row of its own, and values are not interpolated between levels.
	XLevels, YLevels []string
	// XDates is set if x is time.
	XDates chart.Dates
	// Name names the quantity.
	Name string
	// Lo and Hi fix the colour range. Unless Lo is below Hi, the values set the range.
	Lo, Hi float64
	// Level is the level of the contour, which is drawn if values lie on both sides. NaN means
	// none.
	Level float64
	// Classes, if not nil, makes the values indices of these classes. Each class has a colour and a
	// letter, and values are not interpolated.
	Classes []string
	// Points are drawn over the map. They are a part of Of points.
	Points []Points
	Of     int
	// Marks are other places on the map, drawn as diamonds.
	Marks Points
	// Title and Run name the map among maps of several runs; see Style.RunColor. Step is the step of
	// the model, for example "at step 290".
	Title, Step string
	Run         int
}

// Points are points of one group. Groups have the glyphs + and × in turn; a single group has ∙.
type Points struct {
	Label string
	X, Y  []float64
}

// problem returns the reason why the map cannot be drawn, or "".
func (m PlaneMap) problem() string {
	if len(m.Values) == 0 {
		return "no predictions yet"
	}
	if len(m.X) < 2 || len(m.Y) < 2 || len(m.Values) != len(m.X)*len(m.Y) || !rises(m.X) || !rises(m.Y) {
		return "values do not match the grid"
	}
	if m.XLevels != nil && len(m.XLevels) != len(m.X) || m.YLevels != nil && len(m.YLevels) != len(m.Y) {
		return "levels do not match the grid"
	}
	return ""
}

// scales returns the ranges of the axes. Those of levels extend by half a level on both sides.
func (m PlaneMap) scales() (x, y chart.Scale) {
	return axisScale(m.X, m.XLevels), axisScale(m.Y, m.YLevels)
}

func axisScale(grid []float64, levels []string) chart.Scale {
	s := chart.Scale{Lo: grid[0], Hi: grid[len(grid)-1]}
	if levels != nil {
		s.Lo, s.Hi = s.Lo-0.5, s.Hi+0.5
	}
	return s
}

// levelTicks returns a function that returns a tick for each level, or nil if there are none. Names
// are shortened to their share of about n labels of ten cells.
func levelTicks(levels []string, share bool) func(n int) []chart.Tick {
	if levels == nil {
		return nil
	}
	return func(n int) (ticks []chart.Tick) {
		const cells, gap, least = 10, 2, 3
		for k, name := range levels {
			if share {
				name = canvas.Truncate(name, max(cells*n/len(levels)-gap, least))
			}
			ticks = append(ticks, chart.Tick{At: float64(k), Label: name})
		}
		return ticks
	}
}

// mostTick is the maximum width of the name of a level beside the vertical axis.
const mostTick = 14

// yTicks returns the ticks of the vertical axis if it has levels.
func (m PlaneMap) yTicks() func(n int) []chart.Tick {
	names := slices.Clone(m.YLevels)
	for k := range names {
		names[k] = canvas.Truncate(names[k], mostTick)
	}
	return levelTicks(names, false)
}

// rises reports whether values are finite and rise, with finite differences.
func rises(values []float64) bool {
	for i, v := range values {
		if !canvas.Finite(v) || i > 0 && v <= values[i-1] {
			return false
		}
	}
	return canvas.Finite(values[len(values)-1] - values[0])
}

// colorRange returns the colour range and the number of values that are not finite. Without a
// finite value the range is 0 to 0.
func (m PlaneMap) colorRange() (lo, hi float64, notFinite int) {
	e := chart.NewExtent()
	for _, v := range m.Values {
		if canvas.Finite(v) {
			e.Add(v)
		}
	}
	notFinite = len(m.Values) - e.N
	switch {
	case m.Lo < m.Hi && canvas.Finite(m.Lo) && canvas.Finite(m.Hi):
		return m.Lo, m.Hi, notFinite
	case e.N == 0:
		return 0, 0, notFinite
	}
	return e.Lo, e.Hi, notFinite
}

// at returns the value at a position by bilinear interpolation. Outside the grid it is the value at
// the edge.
func (m PlaneMap) at(x, y float64) float64 { return m.mixed(placeOn(m.X, x), placeOn(m.Y, y)) }

// mixed returns the value at a column and a row by bilinear interpolation.
func (m PlaneMap) mixed(col, row gridPlace) float64 {
	s, t := col.share, row.share
	if m.Classes != nil || m.XLevels != nil {
		s = math.Round(s)
	}
	if m.Classes != nil || m.YLevels != nil {
		t = math.Round(t)
	}
	first := row.first*len(m.X) + col.first
	second := first + len(m.X)
	return mix(mix(m.Values[first], m.Values[first+1], s), mix(m.Values[second], m.Values[second+1], s), t)
}

// mix interpolates between a and b. At t = 0 and t = 1 the other value is ignored, even if it is
// not finite.
func mix(a, b, t float64) float64 {
	switch t {
	case 0:
		return a
	case 1:
		return b
	}
	return a*(1-t) + b*t
}

// gridPlace is a place in the interval of a grid that begins at value number first: its share of
// the interval, from 0 to 1.
type gridPlace struct {
	first int
	share float64
}

// placeOn returns the place of v on a grid.
func placeOn(grid []float64, v float64) gridPlace {
	i := 0
	for i+2 < len(grid) && grid[i+1] <= v {
		i++
	}
	return gridPlace{i, canvas.Fraction(v, grid[i], grid[i+1])}
}

// chart describes the map. Its only mark is a planeContent.
func (m PlaneMap) chart() *chart.Chart {
	c := &chart.Chart{Name: "plane", Empty: m.problem(), Page: chart.Page{NX: 6, NY: 6, Filled: true}}
	if c.Empty != "" {
		return c
	}
	content := &planeContent{PlaneMap: m}
	content.lo, content.hi, content.notFinite = m.colorRange()
	c.X, c.Y = m.scales()
	c.XTicks = levelTicks(m.XLevels, true)
	c.YTicks = m.yTicks()
	c.XName, c.YName, c.XDates = m.XName, m.YName, m.XDates
	c.Marks = []chart.Mark{content}
	c.Legend = content.legend
	return c
}

// Render draws the map as h lines of w cells. TrueColor and ANSI256 have two rows of pixels per
// cell. Terminals with fewer colours use shade characters.
func (m PlaneMap) Render(style canvas.Style, w, h int) []string { return m.chart().Render(style, w, h) }
