package plots

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Trend is the line through a cloud of points.
type Trend int

const (
	// NoTrend draws no line.
	NoTrend Trend = iota
	// RunningMean is the mean of y. The mean of squared errors should equal the predicted variance.
	RunningMean
	// RunningMedian is the median of y, which is robust against large values. The median of squared
	// Gaussian errors is 0.455 of the variance.
	RunningMedian
)

// String returns the name of the trend in a legend.
func (t Trend) String() string {
	switch t {
	case RunningMean:
		return "running mean"
	case RunningMedian:
		return "running median"
	default:
		return "no trend"
	}
}

// Cloud holds the points of one run. X and Y have the same length; surplus values are ignored.
type Cloud struct {
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step string
	X, Y        []float64
	// Run selects colour and marker; see Style.RunColor.
	Run int
	// Of is the number of points from which the points were sampled. The legend shows it if it is greater
	// than the number of points.
	Of int
}

// Scatter shows points in a plane: a marker for each of few points, the number per cell for many points of
// one cloud, and a dot for each of many points of several clouds. On a logarithmic y axis the lowest
// hundredth of many points is drawn on the lower edge, because squared errors can be arbitrarily small. The
// legend counts these points.
type Scatter struct {
	Clouds       []Cloud
	XName, YName string
	// XShort is a shorter XName for narrow charts.
	XShort string
	// Points names the points. The default is "points".
	Points string
	// LogX and LogY make an axis logarithmic. Points that are not positive are omitted and counted.
	LogX, LogY bool
	// Diagonal draws the line y = x if the ranges of the points overlap.
	Diagonal bool
	// Trend is computed in bins of x with equal numbers of points.
	Trend Trend
	// Names are written next to the points, which have a cross.
	Names []PointName
}

// PointName is the name of a point.
type PointName struct {
	X, Y float64
	Text string
}

// nameMarks marks points with their names.
type nameMarks []PointName

// Text writes the names in the order of the list, each to the right of its point or else to the left. A name
// without room is omitted.
func (list nameMarks) Text(plot *canvas.Canvas, p *chart.Plane) {
	taken := make([]bool, plot.W*plot.H)
	for _, at := range list {
		x := p.Col(at.X, plot)
		y := p.Row(at.Y, plot)
		plot.Put(x, y, '×', canvas.Ink{Bold: true})
		taken[y*plot.W+x] = true
	}
	for _, at := range list {
		x := p.Col(at.X, plot)
		y := p.Row(at.Y, plot)
		n := canvas.Width(at.Text)
		for _, from := range []int{x + 1, x - n} {
			if from < 0 || from+n > plot.W || slices.Contains(taken[y*plot.W+from:y*plot.W+from+n], true) {
				continue
			}
			for k := range n {
				taken[y*plot.W+from+k] = true
			}
			plot.Text(from, y, at.Text, canvas.Ink{FG: plot.Style.Dim()})
			break
		}
	}
}

// Figure writes the names like Text.
func (list nameMarks) Figure(to *figure.Plot, p *chart.Plane) { to.Add(writtenNames{list, p}) }

// writtenNames writes names beside points in a figure.
type writtenNames struct {
	list  nameMarks
	plane *chart.Plane
}

// nameGap is the distance of a name from its point.
const nameGap = 1.2 * vg.Millimeter

// Plot implements plot.Plotter.
func (n writtenNames) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := figure.TextStyle(figure.TickSize, figure.Ink)
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	height := style.Height("0")
	var taken []vg.Rectangle
	for _, name := range n.list {
		at := vg.Point{X: x(n.plane.X.Forward(name.X)), Y: y(n.plane.Y.Forward(name.Y))}
		width := style.Width(name.Text)
		for _, from := range []vg.Length{at.X + nameGap, at.X - nameGap - width} {
			box := vg.Rectangle{
				Min: vg.Point{X: from, Y: at.Y - height/2},
				Max: vg.Point{X: from + width, Y: at.Y + height/2},
			}
			overlaps := func(other vg.Rectangle) bool {
				return box.Min.X < other.Max.X && other.Min.X < box.Max.X &&
					box.Min.Y < other.Max.Y && other.Min.Y < box.Max.Y
			}
			if from < c.Min.X || from+width > c.Max.X || slices.ContainsFunc(taken, overlaps) {
				continue
			}
			taken = append(taken, box)
			c.FillText(style, vg.Point{X: from, Y: at.Y}, name.Text)
			break
		}
	}
}

// trendBins is the maximum number of bins of a trend, and leastInBin is the minimum number of
// points in a bin.
const (
	trendBins  = 16
	leastInBin = 5
)

// In text, each point has a marker if there are at least as many cells as points and at most fewInCell points
// in a cell. In a figure, circles are larger for up to fewPoints points.
const fewInCell, fewPoints = 9, 400

// scatterLayout is a Scatter with sorted points. It implements chart.Mark for the clouds.
type scatterLayout struct {
	Scatter
	// clouds holds the drawn points, sorted by x.
	clouds                 []Cloud
	total                  int
	most                   int  // the most points in a cell, once drawn
	few                    bool // whether each point has a marker, once drawn
	notFinite, notPositive int
	below                  int // the number of points drawn on the lower edge
}

// Render draws the chart as h lines of w cells.
func (s Scatter) Render(style canvas.Style, w, h int) []string { return s.chart().Render(style, w, h) }

// Figure returns the chart as a figure. Logarithmic axes show logarithms to base 10.
func (s Scatter) Figure(o figure.Options) (*figure.Figure, error) { return s.chart().Figure(o) }

// CSV writes the points of all clouds.
func (s Scatter) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", s.XName, s.YName)
	for _, c := range s.Clouds {
		for k := range min(len(c.X), len(c.Y)) {
			t.Row(titled(c.Label, c.Step), figure.Exact(c.X[k]), figure.Exact(c.Y[k]))
		}
	}
	return t.Close()
}

// chart describes the clouds, then the diagonal, then the trends.
func (s Scatter) chart() *chart.Chart {
	l := &scatterLayout{Scatter: s}
	var xs, ys [][]float64
	for _, c := range s.Clouds {
		points := l.usable(c)
		slices.SortFunc(points, func(a, b chart.XY) int {
			return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
		})
		l.total += len(points)
		c.X = make([]float64, len(points))
		c.Y = make([]float64, len(points))
		for i, p := range points {
			c.X[i], c.Y[i] = p.X, p.Y
		}
		l.clouds = append(l.clouds, c)
		xs = append(xs, c.X)
		ys = append(ys, c.Y)
	}
	c := &chart.Chart{Name: "scatter", Legend: l.legend,
		Page: chart.Page{W: 13, H: 10, NX: 5, NY: 5, Pad: [2]float64{0.03, 0.03}}}
	if l.total == 0 {
		c.Empty = "no points yet"
		return c
	}
	c.XName, c.XShort, c.YName = s.XName, s.XShort, s.YName
	c.X, _ = chart.FitValues(xs, s.LogX)
	c.Y, _ = chart.FitValues(ys, s.LogY)
	whole := c.Y
	c.Page.Y = &whole
	if s.LogY {
		l.raiseFloor(&c.Y, ys)
	}
	c.Marks = []chart.Mark{l}
	if s.Diagonal {
		x := slices.Concat(xs...)
		y := slices.Concat(ys...)
		from := max(slices.Min(x), slices.Min(y))
		to := min(slices.Max(x), slices.Max(y))
		l.Diagonal = from < to
		if l.Diagonal {
			c.Marks = append(c.Marks, chart.Diagonal{Name: "y = x", Bold: true, From: from, To: to})
		}
	}
	var markers chart.Markers
	name := s.Trend.String()
	for i, cloud := range l.clouds {
		trend := chart.RunLine(name, cloud.Run, s.Trend.through(cloud.X, cloud.Y))
		if len(trend.XY) > 0 {
			trend.Index, trend.Count, trend.Corners = i, len(l.clouds), true
			c.Marks = append(c.Marks, trend)
			markers = append(markers, trend)
			name = "" // Only the first mark has a legend entry.
		}
	}
	c.Marks = append(c.Marks, markers)
	names := slices.DeleteFunc(slices.Clone(s.Names), func(n PointName) bool {
		return !canvas.Finite(n.X) || !canvas.Finite(n.Y) || s.LogX && n.X <= 0 || s.LogY && n.Y <= 0
	})
	if len(names) > 0 {
		c.Marks = append(c.Marks, nameMarks(names))
	}
	return c
}

// raiseFloor raises the lower end of y to the smallest hundredth of the values. With a few dozen values it
// skips the two smallest if they would fill a quarter of the axis, because an error that is almost 0 by
// chance has no meaning.
func (l *scatterLayout) raiseFloor(y *chart.Scale, ys [][]float64) {
	all := slices.Concat(ys...)
	slices.Sort(all)
	n := len(all) / 100
	if few := min(len(all)/20, 2); y.Forward(all[few])-y.Forward(all[0]) > (y.Hi-y.Lo)/4 {
		n = max(n, few)
	}
	if n == 0 || all[n] == all[len(all)-1] {
		return
	}
	y.Lo = y.Forward(all[n])
	l.below, _ = slices.BinarySearch(all, all[n])
}

// usable returns the points of a cloud that the axes can show, and counts the others.
func (l *scatterLayout) usable(c Cloud) []chart.XY {
	var out []chart.XY
	for i := range min(len(c.X), len(c.Y)) {
		x, y := c.X[i], c.Y[i]
		switch {
		case !canvas.Finite(x) || !canvas.Finite(y):
			l.notFinite++
		case l.LogX && x <= 0 || l.LogY && y <= 0:
			l.notPositive++
		default:
			out = append(out, chart.XY{X: x, Y: y})
		}
	}
	return out
}

// through returns the trend of points that are sorted by x: the median of x and the mean or median of y in
// bins with equal numbers of points. It returns nil for NoTrend and for too few points.
func (t Trend) through(x, y []float64) []chart.XY {
	bins := min(trendBins, len(x)/leastInBin)
	if t == NoTrend || bins < 2 {
		return nil
	}
	var out []chart.XY
	for i := range bins {
		lo := i * len(x) / bins
		hi := (i + 1) * len(x) / bins
		p := chart.XY{X: median(x[lo:hi])}
		if t == RunningMedian {
			sorted := slices.Clone(y[lo:hi])
			slices.Sort(sorted)
			p.Y = median(sorted)
		} else {
			for k, v := range y[lo:hi] {
				p.Y += (v - p.Y) / float64(k+1)
			}
		}
		if canvas.Finite(p.Y) {
			out = append(out, p)
		}
	}
	return out
}

// median returns the median of sorted values. It panics without values.
func median(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// densityRunes and densityASCII are the glyphs of cells with few to many points.
var (
	densityRunes = [...]rune{'·', '░', '▒', '▓', '█'}
	densityASCII = [...]rune{'.', ':', 'o', 'O', '@'}
)

// cloudRunes holds the glyphs for several clouds with many points, used in rotation.
var cloudRunes = [...]rune{'·', ':', '\'', ','}

// glyph returns the glyph of the points of cloud i in a cell of a density.
func (l *scatterLayout) glyph(style canvas.Style, i, step int) rune {
	switch {
	case l.few:
		return canvas.SmallMarker(l.clouds[i].Run)
	case len(l.clouds) > 1:
		return cloudRunes[i%len(cloudRunes)]
	}
	return densityRune(style, step)
}

// density returns the index in densityRunes for a count of at least 1 if the largest count is most: 0 for a
// single point, and one more for each factor of 2 or more.
func density(count, most int) int {
	top := len(densityRunes) - 1
	step := math.Max(1, math.Log2(float64(most))/float64(top))
	return min(top, int(math.Log2(float64(count))/step+1e-9))
}

func densityRune(style canvas.Style, step int) rune {
	if style.ASCII {
		return densityASCII[step]
	}
	return densityRunes[step]
}

// Text draws the clouds, brighter where there are more points.
func (l *scatterLayout) Text(cv *canvas.Canvas, p *chart.Plane) {
	counts := make([][]int, len(l.clouds))
	for i, c := range l.clouds {
		counts[i] = make([]int, cv.W*cv.H)
		for k, x := range c.X {
			counts[i][p.Row(c.Y[k], cv)*cv.W+p.Col(x, cv)]++
		}
		l.most = max(l.most, slices.Max(counts[i]))
	}
	l.few = l.total <= cv.W*cv.H && l.most <= fewInCell
	for i, c := range l.clouds {
		most := slices.Max(counts[i])
		for k, n := range counts[i] {
			if n == 0 {
				continue
			}
			step := density(n, most)
			fade := 0.45 - 0.35*float64(step)/float64(len(densityRunes)-1)
			if l.few {
				fade /= 2
			}
			look := canvas.Ink{FG: cv.Style.Tint(cv.Style.RunColor(c.Run), fade)}
			cv.Put(k%cv.W, k/cv.W, l.glyph(cv.Style, i, step), look)
		}
	}
}

// Figure adds the clouds.
func (l *scatterLayout) Figure(to *figure.Plot, p *chart.Plane) {
	radius := 0.5
	if l.total <= fewPoints {
		radius = 0.8
	}
	for _, c := range l.clouds {
		m := chart.Points{Name: titled(c.Label, c.Step), XY: chart.Join(c.X, c.Y),
			Color: chart.Run(c.Run).Fade(0, 150), Radius: radius, Shape: figure.Shape(c.Run)}
		m.Figure(to, p)
	}
}

// diagonal returns the legend entry of the line y = x.
func diagonal(style canvas.Style) canvas.Part {
	return canvas.Note(3, canvas.Ink{FG: style.Dim()}, "╱ y = x", "╱ y=x", "")
}

// legend lists the clouds, the trend and the diagonal, with the numbers of points that are not drawn or are
// moved to the edge.
func (l *scatterLayout) legend(style canvas.Style) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for i, c := range l.clouds {
		n := strconv.Itoa(len(c.X)) + " " + cmp.Or(l.Points, "points")
		if c.Of > len(c.X)+l.notFinite+l.notPositive {
			n = strconv.Itoa(len(c.X)) + " of " + strconv.Itoa(c.Of) + " " + cmp.Or(l.Points, "points")
		}
		name := canvas.Label(style, c.Run, c.Label, c.Step)
		if len(l.clouds) > 1 && !l.few {
			name.Mark.Text += string(cloudRunes[i%len(cloudRunes)]) + " "
		}
		name.Details = []canvas.Span{canvas.Text(n, dim)}
		parts = append(parts, name.Part())
	}
	if l.Trend != NoTrend {
		name := l.Trend.String()
		parts = append(parts, canvas.Note(1, dim, "─ "+name, "─ "+name[len("running "):], ""))
	}
	if l.Diagonal {
		parts = append(parts, diagonal(style))
	}
	if len(l.clouds) == 1 && l.most > 1 && !l.few {
		first := densityRune(style, 0)
		last := densityRune(style, density(l.most, l.most))
		text := string(first) + " 1  " + string(last) + " " + strconv.Itoa(l.most)
		parts = append(parts, canvas.Note(0, dim, text+" in a cell", text, ""))
	}
	if l.below > 0 {
		n := strconv.Itoa(l.below)
		parts = append(parts, canvas.Note(1, dim, n+" on the lower edge", n+" at edge"))
	}
	return append(parts, chart.LeftOut(style, l.notPositive, l.notFinite)...)
}
