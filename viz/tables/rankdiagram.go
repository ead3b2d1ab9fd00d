package tables

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// RankDiagram shows average ranks of methods and groups of methods that do not differ significantly (Demsar,
// "Statistical Comparisons of Classifiers over Multiple Data Sets", 2006). The text has a line for every
// method, the best on top, with a mark on a common axis of ranks. Lines on the right join groups, and a ruler
// shows the critical difference.
type RankDiagram struct {
	// Labels and Ranks have a value for each method, [K]. 1 is the best rank.
	Labels []string
	Ranks  []float64
	// CD is the critical difference. A ruler is drawn if it is positive.
	CD float64
	// Groups holds the indices of methods that do not differ significantly.
	Groups [][]int
	// Note follows the critical difference, for example the P value of a test.
	Note string
}

// order returns the indices of the methods by ascending rank. Methods without a finite rank come last.
// Methods without a rank or a label are omitted.
func (c RankDiagram) order() []int {
	order := make([]int, min(len(c.Labels), len(c.Ranks)))
	for i := range order {
		order[i] = i
	}
	key := func(i int) float64 {
		if !canvas.Finite(c.Ranks[i]) {
			return math.Inf(1)
		}
		return c.Ranks[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	return order
}

// axisEnds returns the ends of the axis: 1 and the number of methods, extended to ranks outside this range.
func (c RankDiagram) axisEnds() (lo, hi float64) {
	order := c.order()
	lo, hi = 1, math.Max(2, float64(len(order)))
	for _, i := range order {
		if r := c.Ranks[i]; canvas.Finite(r) {
			lo = math.Min(lo, r)
			hi = math.Max(hi, r)
		}
	}
	return lo, hi
}

// ruled reports whether there is a critical difference to draw.
func (c RankDiagram) ruled() bool { return canvas.Finite(c.CD) && c.CD > 0 }

// Render draws the diagram as h lines of w cells. If the height is too small, it omits the axis, the note,
// the ruler, then methods, with a line that counts them. If the width is too small, it omits the plot, then
// parts of labels, groups and ranks.
func (c RankDiagram) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	cv := canvas.New(style, w, h)
	order := c.order()
	if len(order) == 0 {
		cv.Text(0, 0, canvas.Truncate("no ranks", w), canvas.Ink{FG: style.Dim()})
		return cv.Lines()
	}
	l := c.layout(order, w, h)
	if l.axis {
		c.drawAxis(cv, l)
	}
	for line, i := range order[:l.shown] {
		c.drawMethod(cv, l, line, i)
	}
	c.drawGroups(cv, l, order[:l.shown])
	y := l.top + l.shown
	if l.shown < len(order) {
		cv.Text(0, y, canvas.Truncate("… "+strconv.Itoa(len(order)-l.shown)+" more", w), canvas.Ink{
			FG: style.Dim(),
		})
	}
	if l.ruler {
		c.drawRuler(cv, l, y)
		y++
	}
	if l.note {
		cv.Text(0, y, canvas.Truncate(c.Note, w), canvas.Ink{FG: style.Dim()})
	}
	return cv.Lines()
}

// cdLayout is the layout of a diagram. Parts with a width of zero are omitted.
type cdLayout struct {
	label, rank       int // widths
	rankAt            int // the column of the ranks
	plot, plotAt      int // width and first column of the plot
	groups, groupsAt  int // the number of groups shown and their first column
	top, shown        int // the line of the first method and the number of methods
	axis, ruler, note bool
	lo, hi            float64
}

const (
	leastPlot  = 12 // minimum width of a useful plot
	leastLabel = 8  // minimum width of a label next to a plot
	groupWidth = 2  // columns per group
	axisHeight = 2
)

// layout fits the parts into w x h cells.
func (c RankDiagram) layout(order []int, w, h int) cdLayout {
	var l cdLayout
	l.lo, l.hi = c.axisEnds()
	l.columns(c, order, w)
	spare := h - len(order)
	take := func(want bool, lines int) bool {
		if !want || spare < lines {
			return false
		}
		spare -= lines
		return true
	}
	l.ruler = take(c.ruled() && l.rank > 0, 1)
	l.note = take(c.Note != "", 1)
	l.axis = take(l.plot > 0, axisHeight)
	if l.axis {
		l.top = axisHeight
	}
	l.shown = len(order)
	if h < len(order) {
		l.shown = max(1, h-1)
	}
	return l
}

// columns distributes the width.
func (l *cdLayout) columns(c RankDiagram, order []int, w int) {
	wanted := 0
	for _, i := range order {
		wanted = max(wanted, canvas.Width(c.Labels[i]))
		l.rank = max(l.rank, canvas.Width(rankText(c.Ranks[i])))
	}
	if c.ruled() {
		wanted = max(wanted, canvas.Width("CD"))
		l.rank = max(l.rank, canvas.Width(rankText(c.CD)))
	}
	const gap = 2
	groups := len(c.Groups) * groupWidth
	if rest := w - l.rank - groups - leastPlot - 2*gap; rest >= min(wanted, leastLabel) {
		l.label = min(wanted, rest)
		l.rankAt = l.label + gap
		l.plotAt = l.rankAt + l.rank + gap
		l.plot = w - groups - l.plotAt
		l.groups, l.groupsAt = len(c.Groups), w-groups
		return
	}
	if w < l.rank+gap+2 { // A few letters of the label are more useful than the rank.
		l.rank = 0
		l.label = w
		return
	}
	rest := w - l.rank - gap
	if rest-groups >= min(wanted, 4) { // Showing only some of the groups would mislead.
		rest -= groups
		l.groups = len(c.Groups)
	}
	l.label = min(wanted, rest)
	l.rankAt = l.label + gap
	l.groupsAt = l.rankAt + l.rank
}

// rankText formats an average rank.
func rankText(rank float64) string {
	if !canvas.Finite(rank) || math.Abs(rank) >= 1e4 {
		return canvas.Number(rank)
	}
	return strconv.FormatFloat(rank, 'f', 2, 64)
}

// column returns the column of a rank in the plot.
func (l cdLayout) column(rank float64) int {
	return l.plotAt + int(math.Round(canvas.Fraction(rank, l.lo, l.hi)*float64(l.plot-1)))
}

// drawAxis draws the labels and the line of the axis.
func (c RankDiagram) drawAxis(cv *canvas.Canvas, l cdLayout) {
	faint := canvas.Ink{FG: cv.Style.Faint()}
	for x := range l.plot {
		cv.Put(l.plotAt+x, 1, '─', faint)
	}
	end := l.plotAt // the column after the last label
	for _, t := range chart.LinearTicks(l.lo, l.hi, max(1, l.plot/4), 1) {
		x := l.column(t.At)
		n := canvas.Width(t.Label)
		cv.Put(x, 1, '┴', faint)
		at := min(max(x-n/2, l.plotAt), l.plotAt+l.plot-n)
		if at > end || at == l.plotAt && end == at {
			cv.Text(at, 0, t.Label, canvas.Ink{FG: cv.Style.Dim()})
			end = at + n
		}
	}
	cv.TextRight(l.rankAt+l.rank, 0, "rank", canvas.Ink{FG: cv.Style.Dim()})
}

// drawMethod draws the line of method i.
func (c RankDiagram) drawMethod(cv *canvas.Canvas, l cdLayout, line, i int) {
	y := l.top + line
	cv.Text(0, y, canvas.Shorten(c.Labels[i], l.label), canvas.Ink{})
	if l.rank > 0 {
		cv.TextRight(l.rankAt+l.rank, y, rankText(c.Ranks[i]), canvas.Ink{})
	}
	if l.plot == 0 {
		return
	}
	for x := range l.plot {
		cv.Put(l.plotAt+x, y, '·', canvas.Ink{FG: cv.Style.Faint()})
	}
	if canvas.Finite(c.Ranks[i]) {
		cv.Text(l.column(c.Ranks[i]), y, cv.Style.RunMarker(i), canvas.Ink{
			FG:   cv.Style.RunColor(i),
			Bold: true,
		})
	} else {
		cv.Put(l.plotAt+l.plot-1, y, '×', canvas.Ink{FG: cv.Style.Bad()})
	}
}

// drawGroups draws a line next to the methods of each group.
func (c RankDiagram) drawGroups(cv *canvas.Canvas, l cdLayout, order []int) {
	for g := range l.groups {
		for line, i := range order {
			if slices.Contains(c.Groups[g], i) {
				cv.Put(l.groupsAt+g*groupWidth+1, l.top+line, '┃', canvas.Ink{Bold: true})
			}
		}
	}
}

// drawRuler draws the critical difference on the scale of the axis. A longer one is cut and ends in
// ….
func (c RankDiagram) drawRuler(cv *canvas.Canvas, l cdLayout, y int) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	name := "critical difference"
	if canvas.Width(name) > l.label {
		name = "CD"
	}
	cv.Text(0, y, canvas.Truncate(name, l.label), dim)
	cv.TextRight(l.rankAt+l.rank, y, rankText(c.CD), dim)
	if l.plot == 0 {
		return
	}
	end, tip := l.plotAt+l.plot-1, '…'
	if c.CD <= l.hi-l.lo {
		end, tip = l.column(l.lo+c.CD), '┤'
	}
	for x := l.plotAt; x < end; x++ {
		cv.Put(x, y, '─', canvas.Ink{})
	}
	cv.Put(l.plotAt, y, '├', canvas.Ink{})
	cv.Put(end, y, tip, canvas.Ink{})
}
