// Package points draws what is not a line: clouds of points with a trend, and means
// with their standard errors.
package points

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Trend is the line through a cloud of points.
type Trend int

const (
	// NoTrend draws none.
	NoTrend Trend = iota
	// RunningMean is the mean of y. Of squared errors it should be the predicted
	// variance.
	RunningMean
	// RunningMedian is the median of y, which few large values do not move. Of
	// squared Gaussian errors it is 0.455 of the variance.
	RunningMedian
)

// String returns the name of the trend as a legend says it.
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

// Cloud is the points of one run. X and Y have the same length; of a longer one
// the rest is ignored.
type Cloud struct {
	Label string
	X, Y  []float64
	// Run picks colour and marker; see Style.RunColor.
	Run int
	// Of is the number of points that these were picked from, 0 for no more than
	// these; the legend says it.
	Of int
}

// Scatter shows points in a plane: few by a marker for each, many of one cloud by how many
// fall into a cell, and of several by a dot for each. On a logarithmic y axis the lowest hundredth
// of many points is drawn on the lower edge, since squared errors reach down to
// any size; the legend says so.
type Scatter struct {
	Clouds       []Cloud
	XName, YName string
	// XShort is XName in fewer words, for where that has no room.
	XShort string
	// LogX and LogY make an axis logarithmic; points that are not positive there
	// are left out and counted.
	LogX, LogY bool
	// Diagonal draws the line y = x.
	Diagonal bool
	// Trend is taken over bins of x with equally many points.
	Trend Trend
}

// trendBins is the most bins of a trend, and leastInBin the fewest points of one.
const (
	trendBins  = 16
	leastInBin = 5
)

// Points are few where a plot has so many cells for each, and no cell has more points.
const cellsOfPoint, fewInCell = 1, 9

// scatterLayout is a Scatter, measured.
type scatterLayout struct {
	Scatter
	axes.Plane
	// clouds holds the points that are drawn, sorted by x; X and Y are original.
	clouds                 []Cloud
	trends                 [][]axes.XY
	most                   int  // points in a cell, once drawn
	few                    bool // for the plot that was drawn
	notFinite, notPositive int
	below                  int // points drawn on the lower edge
}

// Render draws the chart as w x h cells.
func (s Scatter) Render(style canvas.Style, w, h int) []string {
	l, ok := s.measure()
	if !ok {
		return canvas.Empty(style, w, h, "no points yet")
	}
	return l.Chart(style, w, h, l.draw, l.legend)
}

// measure sorts out the points that can be drawn; ok is false without any.
func (s Scatter) measure() (*scatterLayout, bool) {
	l := &scatterLayout{Scatter: s}
	l.Plane.XName, l.Plane.XShort, l.Plane.YName = s.XName, s.XShort, s.YName
	var xs, ys [][]float64
	total := 0
	for _, c := range s.Clouds {
		points := l.usable(c)
		slices.SortFunc(points, func(a, b axes.XY) int {
			if o := cmp.Compare(a.X, b.X); o != 0 {
				return o
			}
			return cmp.Compare(a.Y, b.Y)
		})
		total += len(points)
		c.X = make([]float64, len(points))
		c.Y = make([]float64, len(points))
		for i, p := range points {
			c.X[i], c.Y[i] = p.X, p.Y
		}
		l.clouds = append(l.clouds, c)
		l.trends = append(l.trends, s.Trend.through(c.X, c.Y))
		xs = append(xs, c.X)
		ys = append(ys, c.Y)
	}
	l.X, _ = axes.FitValues(xs, s.LogX)
	l.Y, _ = axes.FitValues(ys, s.LogY)
	if s.LogY {
		l.raiseFloor(ys)
	}
	return l, total > 0
}

// Trends returns the trend through each cloud, in the units of the points; none where there
// is no trend, or too few points.
func (s Scatter) Trends() [][]axes.XY {
	l, _ := s.measure()
	return l.trends
}

// raiseFloor lets the y axis begin at the least hundredth of the values. Of a few dozen it
// begins behind the two least where these would take a quarter of it: an error that happens to
// be almost 0 says nothing.
func (l *scatterLayout) raiseFloor(ys [][]float64) {
	all := slices.Concat(ys...)
	slices.Sort(all)
	n := len(all) / 100
	if few := min(len(all)/20, 2); n < few && l.Y.Forward(all[few])-l.Y.Forward(all[0]) > (l.Y.Hi-l.Y.Lo)/4 {
		n = few
	}
	if n == 0 || all[n] == all[len(all)-1] {
		return
	}
	l.Y.Lo = l.Y.Forward(all[n])
	l.below, _ = slices.BinarySearch(all, all[n])
}

// usable returns the points that the axes can show, and counts the others.
func (l *scatterLayout) usable(c Cloud) []axes.XY {
	var out []axes.XY
	for i := range min(len(c.X), len(c.Y)) {
		x, y := c.X[i], c.Y[i]
		switch {
		case !number.Finite(x) || !number.Finite(y):
			l.notFinite++
		case l.LogX && x <= 0 || l.LogY && y <= 0:
			l.notPositive++
		default:
			out = append(out, axes.XY{X: x, Y: y})
		}
	}
	return out
}

// through returns the trend of points that are sorted by x: for each of equally
// large bins the median of x, and mean or median of y.
func (t Trend) through(x, y []float64) []axes.XY {
	bins := min(trendBins, len(x)/leastInBin)
	if t == NoTrend || bins < 2 {
		return nil
	}
	var out []axes.XY
	for i := range bins {
		lo := i * len(x) / bins
		hi := (i + 1) * len(x) / bins
		p := axes.XY{X: median(x[lo:hi]), Y: 0}
		if t == RunningMedian {
			sorted := slices.Clone(y[lo:hi])
			slices.Sort(sorted)
			p.Y = median(sorted)
		} else {
			for k, v := range y[lo:hi] {
				p.Y += (v - p.Y) / float64(k+1)
			}
		}
		if number.Finite(p.Y) {
			out = append(out, p)
		}
	}
	return out
}

// median returns the median of sorted values, of which there is at least one.
func median(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// densityRunes stand for cells with few to many points.
var densityRunes = [...]rune{'·', '░', '▒', '▓', '█'}

// densityASCII are the same where only ASCII is wanted.
var densityASCII = [...]rune{'.', ':', 'o', 'O', '@'}

// cloudRunes are the points of several clouds, in turn, where these have many.
var cloudRunes = [...]rune{'·', ':', '\'', ','}

// glyph returns that of the points of cloud i, of a cell with a density.
func (l *scatterLayout) glyph(style canvas.Style, i, step int) rune {
	switch {
	case l.few:
		return canvas.SmallMarker(l.clouds[i].Run)
	case len(l.clouds) > 1:
		return cloudRunes[i%len(cloudRunes)]
	}
	return densityRune(style, step)
}

// density returns the step of densityRunes for a count of at least 1, where the
// greatest is most: a single point has the first, and each further one stands
// for a factor of at least 2.
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

// count returns how many points of cloud i fall into every cell of a plot.
func (l *scatterLayout) count(i int, cv *canvas.Canvas) []int {
	out := make([]int, cv.W*cv.H)
	c := &l.clouds[i]
	for k, x := range c.X {
		out[l.Row(c.Y[k], cv)*cv.W+l.Col(x, cv)]++
	}
	return out
}

// draw draws the clouds, the diagonal over them, then the trends.
func (l *scatterLayout) draw(cv *canvas.Canvas) {
	total := 0
	for i, c := range l.clouds {
		total = total + len(c.X)
		l.most = max(l.most, slices.Max(l.count(i, cv)))
	}
	l.few = cellsOfPoint*total <= cv.W*cv.H && l.most <= fewInCell
	for i := range l.clouds {
		l.drawCloud(cv, i)
	}
	if l.Diagonal {
		l.drawDiagonal(cv)
	}
	for i, trend := range l.trends {
		l.drawTrend(cv, i, trend)
	}
}

// drawCloud draws the points of a cloud, brighter where there are more.
func (l *scatterLayout) drawCloud(cv *canvas.Canvas, i int) {
	counts := l.count(i, cv)
	most := slices.Max(counts)
	run := l.clouds[i].Run
	for k, n := range counts {
		if n == 0 {
			continue
		}
		step := density(n, most)
		fade := 0.45 - 0.35*float64(step)/float64(len(densityRunes)-1)
		if l.few {
			fade /= 2
		}
		cv.Put(k%cv.W, k/cv.W, l.glyph(cv.Style, i, step), canvas.Ink{
			FG: cv.Style.Tint(cv.Style.RunColor(run), fade),
		})
	}
}

// drawDiagonal draws y = x, one cell in every column that it passes.
func (l *scatterLayout) drawDiagonal(cv *canvas.Canvas) {
	look := canvas.Ink{FG: cv.Style.Dim(), Bold: true}
	rows := func(w, h int) []int {
		rows := make([]int, w)
		for x := range rows {
			rows[x] = -1
			if y, ok := l.onDiagonal(number.Unit(float64(x), 0, float64(w-1))); ok {
				rows[x] = int(number.Unit(y, l.Y.Lo, l.Y.Hi)*float64(h-1) + 0.5)
			}
		}
		return rows
	}
	if cv.Style.Dots() {
		canvas.DrawLine(cv, look, rows)
		return
	}
	for x, row := range rows(cv.W, cv.H) {
		if row >= 0 {
			cv.Put(x, cv.H-1-row, '╱', look)
		}
	}
}

// onDiagonal returns the height of y = x at the share t, 0 to 1, of the x axis;
// ok is false where it is not on the y axis.
func (l *scatterLayout) onDiagonal(t float64) (y float64, ok bool) {
	v := l.X.Lo*(1-t) + l.X.Hi*t
	if l.X.Kind == axes.Log {
		v = l.X.Inverse(v)
	}
	if !number.Finite(v) || l.Y.Kind == axes.Log && v <= 0 {
		return 0, false
	}
	y = l.Y.Forward(v)
	return y, y >= l.Y.Lo && y <= l.Y.Hi
}

// drawTrend draws the line of the trend of cloud i, with the marker of its run where there
// are several.
func (l *scatterLayout) drawTrend(cv *canvas.Canvas, i int, trend []axes.XY) {
	run := l.clouds[i].Run
	var points []axes.XY
	for _, p := range trend {
		points = append(points, axes.XY{
			X: number.Unit(l.X.Forward(p.X), l.X.Lo, l.X.Hi),
			Y: number.Unit(l.Y.Forward(p.Y), l.Y.Lo, l.Y.Hi),
		})
	}
	look := canvas.Ink{FG: cv.Style.RunColor(run), Bold: true}
	rows := func(w, h int) []int { return joined(points, w, h) }
	canvas.DrawLine(cv, look, rows)
	if len(l.clouds) > 1 {
		canvas.DrawMarkers(cv, rows(cv.W, cv.H), run, i, len(l.clouds))
	}
}

// legend lists the clouds and everything that is drawn besides.
func (l *scatterLayout) legend(style canvas.Style) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for i, c := range l.clouds {
		n := strconv.Itoa(len(c.X)) + " points"
		if c.Of > len(c.X)+l.notFinite+l.notPositive {
			n = strconv.Itoa(len(c.X)) + " of " + strconv.Itoa(c.Of) + " points"
		}
		m := canvas.Mark(style, c.Run)
		if len(l.clouds) > 1 && !l.few {
			m.Text += string(cloudRunes[i%len(cloudRunes)]) + " "
		}
		p := canvas.Part{Variants: [][]canvas.Span{
			{m, canvas.Plain(c.Label), canvas.Text("  "+n, dim)},
			{m, canvas.Plain(c.Label), canvas.Text(" n="+strconv.Itoa(len(c.X)), dim)},
		}, Keep: 2, Cut: 3}
		p.Variants = append(p.Variants, canvas.Names(m, c.Label, 5)...)
		parts = append(parts, p)
	}
	if l.Trend != NoTrend {
		name := l.Trend.String()
		parts = append(parts, canvas.Note(1, dim, "─ "+name, "─ "+name[len("running "):], ""))
	}
	if l.Diagonal {
		parts = append(parts, canvas.Note(1, dim, "╱ y = x", "╱ y=x", ""))
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
	return append(parts, axes.LeftOut(style, l.notPositive, l.notFinite)...)
}
