package plots

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Levels shows predictions at the levels of a category. The row of a level and run has the mean, its ranges
// and the points of the level. The x of the fits is 0, 1, ... for the levels. XName names the category, and
// YName names the predicted values, which are on the horizontal axis.
type Levels struct {
	Fits
	Names []string
	// Counts are the numbers of training rows with each level. The rarest levels are omitted if there is no
	// room.
	Counts []int
	// More is the number of levels that are not in Names.
	More int
}

// problem returns the reason why the levels cannot be drawn, or "".
func (l Levels) problem() string {
	if len(l.List) == 0 || len(l.Names) == 0 {
		return "no predictions yet"
	}
	lengths := []int{len(l.Counts)}
	for _, f := range l.List {
		lengths = append(lengths, len(f.Mean))
		for _, r := range f.Ranges {
			lengths = append(lengths, len(r.Lo), len(r.Hi))
		}
		for _, d := range f.Draws {
			lengths = append(lengths, len(d))
		}
	}
	if slices.ContainsFunc(lengths, func(n int) bool { return n != len(l.Names) }) {
		return "predictions do not match the levels"
	}
	return ""
}

// leastLevels is the minimum width of the axis next to the names of levels, and countsWidth is the minimum
// width of a picture with counts.
const leastLevels, countsWidth = 20, 48

// Render draws the levels as h lines of w cells. Levels without room are counted on the last line.
func (l Levels) Render(style canvas.Style, w, h int) []string {
	c := l.chart()
	if c.Empty != "" || w < 1 || h < 1 {
		return c.Render(style, w, h)
	}
	names, counts := 0, 0
	for k, name := range l.Names {
		names = max(names, canvas.Width(name))
		if w >= countsWidth {
			counts = max(counts, canvas.Width(countText(l.Counts[k]))+1)
		}
	}
	names = min(names, max(w-counts-leastLevels-1, w/3))
	left := names + counts + 1
	cv := canvas.New(style, w, h)
	top := chart.LegendRows(h)
	var rows levelRows
	c.Marks = []chart.Mark{chart.OnText(func(plot *canvas.Canvas, p *chart.Plane) {
		rows = l.rows(plot.H)
		l.draw(plot, p, rows)
	})}
	if w > left && h > top {
		cv.Blit(left, top, c.Draw(style, w-left, h-top))
	}
	dim := canvas.Ink{FG: style.Dim()}
	for position, k := range rows.shown {
		y := top + rows.first(position) + (rows.height-1)/2
		cv.Text(0, y, canvas.Truncate(l.Names[k], names), canvas.Ink{})
		if counts > 0 {
			cv.TextRight(left-1, y, countText(l.Counts[k]), dim)
		}
	}
	if hidden := len(l.Names) - len(rows.shown) + l.More; hidden > 0 && rows.note >= 0 {
		levels := " rarer levels"
		if hidden == 1 {
			levels = " rarer level"
		}
		text := "… " + strconv.Itoa(hidden) + levels + " not shown"
		cv.Text(0, top+rows.note, canvas.Truncate(text, w), dim)
	}
	if top > 0 {
		canvas.DrawLegend(cv, 0, 0, w, l.legend(style))
	}
	return cv.Lines()
}

// countText describes the number of training rows of a level.
func countText(n int) string { return "n=" + strconv.Itoa(n) }

// levelRows divides the lines of a plot among levels.
type levelRows struct {
	shown []int // levels with room, ascending
	// thick is the number of lines for a run, height is the number of lines for a level, and gap is the
	// number of blank lines between levels.
	thick, height, gap int
	// note is the line with the number of omitted levels, or -1 if no level is omitted.
	note int
}

// first returns the first line of a level, given its position among the visible levels.
func (r levelRows) first(position int) int { return position * (r.height + r.gap) }

// mostThick is the maximum number of lines for a run at a level.
const mostThick = 5

// rows divides the lines of a plot. It prefers thick rows with gaps.
func (l Levels) rows(lines int) levelRows {
	n := len(l.Names)
	runs := len(l.List)
	r := levelRows{thick: 1, note: -1}
	if l.More > 0 {
		lines--
		r.note = lines
	}
	for thick := mostThick; thick >= 1; thick-- {
		if n*(runs*thick+1)-1 <= lines {
			r.thick, r.gap = thick, 1
			break
		}
	}
	r.height = runs * r.thick
	most := n
	if r.gap == 0 && n*r.height > lines {
		if r.note < 0 {
			lines--
			r.note = lines
		}
		most = max(lines/r.height, 1)
	}
	byCount := make([]int, n)
	for k := range byCount {
		byCount[k] = k
	}
	slices.SortStableFunc(byCount, func(a, b int) int { return cmp.Compare(l.Counts[b], l.Counts[a]) })
	r.shown = slices.Sorted(slices.Values(byCount[:most]))
	return r
}

// chart returns a chart with the axis of the predicted values, without marks.
func (l Levels) chart() *chart.Chart {
	c := &chart.Chart{Name: "levels", Empty: l.problem(), PadX: 0.03,
		Plane: chart.Plane{XName: l.YName}}
	if c.Empty != "" {
		return c
	}
	var values [][]float64
	for _, f := range l.List {
		values = append(values, f.Mean)
		values = append(values, f.Draws...)
		for _, r := range f.Ranges {
			values = append(values, r.Lo, r.Hi)
		}
		for _, o := range f.Observations {
			values = append(values, o.ofLevels(len(l.Names)))
		}
	}
	var ok bool
	c.X, ok = chart.FitValues(values, false)
	if !ok {
		c.Empty = "no predictions yet"
	}
	return c
}

// ofLevels returns the values of the points that have one of n levels.
func (o Observations) ofLevels(n int) (list []float64) {
	for k := range n {
		list = append(list, o.at(k)...)
	}
	return list
}

// at returns the finite values of the points of a level.
func (o Observations) at(level int) (list []float64) {
	for _, p := range chart.Join(o.X, o.Y) {
		if p.X == float64(level) && canvas.Finite(p.Y) {
			list = append(list, p.Y)
		}
	}
	return list
}

// drawGlyph is the glyph of a sample of a function at a level.
const drawGlyph = '╎'

// draw draws the ranges of every level, then the draws, points and means.
func (l Levels) draw(plot *canvas.Canvas, p *chart.Plane, rows levelRows) {
	for position, k := range rows.shown {
		for i, f := range l.List {
			first := rows.first(position) + i*rows.thick
			f.drawRanges(plot, p, k, first, rows.thick)
			faint := canvas.Ink{FG: drawColor(f.Run).Text(plot.Style)}
			for _, d := range f.Draws {
				drawUpright(plot, p, d[k], first, rows.thick, drawGlyph, faint)
			}
			for kind, o := range f.Observations {
				glyph := cloudGlyphs[kind%len(cloudGlyphs)]
				look := canvas.Ink{FG: plot.Style.Dim()}
				if kind%len(cloudGlyphs) > 0 {
					look = canvas.Ink{Bold: true}
				}
				for m, v := range o.at(k) {
					plot.Put(p.Col(v, plot), first+m%rows.thick, glyph, look)
				}
			}
			look := canvas.Ink{FG: plot.Style.RunColor(f.Run), Bold: true}
			drawUpright(plot, p, f.Mean[k], first, rows.thick, '│', look)
			if canvas.Finite(f.Mean[k]) {
				plot.Put(p.Col(f.Mean[k], plot), first+(rows.thick-1)/2, canvas.Marker(f.Run), look)
			}
		}
	}
}

// drawUpright draws a glyph at a value on all lines of a row.
func drawUpright(
	plot *canvas.Canvas, p *chart.Plane, v float64, first, lines int, glyph rune, look canvas.Ink,
) {
	for y := first; y < first+lines && canvas.Finite(v); y++ {
		plot.Put(p.Col(v, plot), y, glyph, look)
	}
}

// drawRanges shades every column of a row in the colour of the narrowest range that contains it.
func (f Fit) drawRanges(plot *canvas.Canvas, p *chart.Plane, level, first, lines int) {
	const eighths = 8
	for x := range plot.W {
		for i, r := range slices.Backward(f.Ranges) {
			lo := r.Lo[level]
			hi := r.Hi[level]
			if !canvas.Finite(lo) || !canvas.Finite(hi) || x < p.Col(lo, plot) || x > p.Col(hi, plot) {
				continue
			}
			color, glyph := chart.RangeLook(plot.Style, chart.Run(f.Run), i, len(f.Ranges))
			bottom := plot.H - first - lines
			plot.Shade(x, eighths*bottom, eighths*(bottom+lines), color, glyph)
			break
		}
	}
}

// legend names the runs and explains the glyphs.
func (l Levels) legend(style canvas.Style) (parts []canvas.Part) {
	for _, f := range l.List {
		parts = append(parts, nameParts(style, f.Run, f.Label, f.Step)...)
	}
	return append(parts, l.glyphs(style, string(canvas.Marker(l.fullest().Run)), string(drawGlyph))...)
}

// Figure returns the levels as a figure, the first level at the top.
func (l Levels) Figure(o figure.Options) (*figure.Figure, error) {
	c := l.chart()
	n := float64(len(l.Names))
	runs := float64(len(l.List))
	c.Page = chart.Page{H: 3 + 0.5*n + 0.5*n*runs, NX: 6}
	c.Y = chart.Scale{Lo: -n + 0.5, Hi: 0.5}
	c.YName = l.XName
	c.YTicks = func(int) (ticks []chart.Tick) {
		for k, name := range l.Names {
			ticks = append(ticks, chart.Tick{At: -float64(k), Label: name})
		}
		return ticks
	}
	if c.Empty == "" {
		for i, f := range l.List {
			c.Marks = append(c.Marks, l.figureMarks(f, (runs-1)/2-float64(i), levelShare/runs)...)
		}
	}
	return c.Figure(o)
}

// levelShare is the share of the distance between two levels of a figure that the rows fill, and pointLines
// is the number of heights over which the points of a row are spread.
const levelShare, pointLines = 0.8, 5

// figureMarks returns the marks of a run in a figure, whose rows have a height and lie above the
// levels by a number of rows.
func (l Levels) figureMarks(f Fit, above, height float64) (marks []chart.Mark) {
	at := func(level int) float64 { return -float64(level) + above*height }
	for i, r := range f.Ranges {
		color := chart.Run(f.Run).Fade(0, uint8(min(90*(i+1), 255)))
		name := r.Name
		for k := range l.Names {
			if canvas.Finite(r.Lo[k]) && canvas.Finite(r.Hi[k]) {
				marks = append(marks, chart.Line{Name: name, Color: color, Width: 1.2 * float64(i+1),
					XY: []chart.XY{{X: r.Lo[k], Y: at(k)}, {X: r.Hi[k], Y: at(k)}}})
				name = "" // Only the first mark has a legend entry.
			}
		}
	}
	draws := chart.Whiskers{Name: f.DrawsName, Color: drawColor(f.Run), Width: 1. / 5}
	for _, d := range f.Draws {
		for k := range l.Names {
			draws.List = append(draws.List, chart.Whisker{
				X: d[k], Lo: at(k) - height/4, Mid: at(k), Hi: at(k) + height/4,
			})
		}
	}
	if len(draws.List) > 0 {
		marks = append(marks, draws)
	}
	for i, o := range f.Observations {
		points := observationPoints(i, o)
		for k := range l.Names {
			for m, v := range o.at(k) {
				up := (float64(m%pointLines)/(pointLines-1) - 0.5) * height / 2
				points.XY = append(points.XY, chart.XY{X: v, Y: at(k) + up})
			}
		}
		marks = append(marks, points)
	}
	name := f.MeanName
	if f.Label != "" {
		name = f.Label + ", " + name
	}
	means := chart.Points{Name: name, Color: chart.Run(f.Run), Radius: 1.1}
	for k, v := range f.Mean {
		if canvas.Finite(v) {
			means.XY = append(means.XY, chart.XY{X: v, Y: at(k)})
		}
	}
	return append(marks, means)
}

// CSV writes every value and every point of every fit, with the names of the levels.
func (l Levels) CSV(out io.Writer) error {
	if problem := l.problem(); problem != "" {
		return fmt.Errorf("levels: %w: %s", figure.ErrNothing, problem)
	}
	return l.csv(out, func(x float64) string {
		if k := int(x); x == math.Trunc(x) && k >= 0 && k < len(l.Names) {
			return l.Names[k]
		}
		return ""
	})
}
