package viz

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// CriticalDifference shows the average ranks of methods, and which of them a test
// does not tell apart, after Demsar ("Statistical Comparisons of Classifiers over
// Multiple Data Sets", 2006). As text, every method has a line of its own, the
// best on top, with its mark on a common axis of ranks; lines on the right join
// methods that are not told apart, and a ruler shows the critical difference.
type CriticalDifference struct {
	// Labels and Ranks are those of the methods, [K]; 1 is the best rank.
	Labels []string
	Ranks  []float64
	// CD is the critical difference; no ruler is drawn unless it is positive.
	CD float64
	// Groups hold the indices of methods that are not told apart.
	Groups [][]int
	// Note stands behind the critical difference, for example the P of a test.
	Note string
}

// Order returns the indices of the methods by ascending rank; those without a
// finite rank come last. Methods without a rank or a label are left out.
func (c CriticalDifference) Order() []int {
	order := make([]int, min(len(c.Labels), len(c.Ranks)))
	for i := range order {
		order[i] = i
	}
	key := func(i int) float64 {
		if !finite(c.Ranks[i]) {
			return math.Inf(1)
		}
		return c.Ranks[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	return order
}

// Range returns the ends of the axis of ranks: from 1 to the number of methods,
// wider where a rank lies outside.
func (c CriticalDifference) Range() (lo, hi float64) {
	order := c.Order()
	lo, hi = 1, math.Max(2, float64(len(order)))
	for _, i := range order {
		if r := c.Ranks[i]; finite(r) {
			lo, hi = math.Min(lo, r), math.Max(hi, r)
		}
	}
	return lo, hi
}

// ruled says whether there is a critical difference to be drawn.
func (c CriticalDifference) ruled() bool { return finite(c.CD) && c.CD > 0 }

// Render draws the diagram as w x h cells. With too little room it leaves out, in
// this order: the axis, the note, the ruler, then methods, with a line that says
// how many; and in width the plot, then parts of labels, groups and ranks.
func (c CriticalDifference) Render(style Style, w, h int) string {
	if w < 1 || h < 1 {
		return ""
	}
	cv := newCanvas(style, w, h)
	order := c.Order()
	if len(order) == 0 {
		cv.text(0, 0, truncate("no ranks", w), ink{fg: style.Dim()})
		return cv.String()
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
		cv.text(0, y, truncate("… "+strconv.Itoa(len(order)-l.shown)+" more", w), ink{fg: style.Dim()})
	}
	if l.ruler {
		c.drawRuler(cv, l, y)
		y++
	}
	if l.note {
		cv.text(0, y, truncate(c.Note, w), ink{fg: style.Dim()})
	}
	return cv.String()
}

// cdLayout is what goes where; a width of zero leaves a part out.
type cdLayout struct {
	label, rank       int // widths
	rankAt            int // column of the ranks
	plot, plotAt      int // width and first column
	groups, groupsAt  int // how many are shown, and the first column
	top, shown        int // line of the first method, number of methods
	axis, ruler, note bool
	lo, hi            float64
}

const (
	leastPlot  = 12 // columns of a plot that is worth its room
	leastLabel = 8  // columns that a label keeps in favour of a plot
	groupWidth = 2  // columns for each group
	axisHeight = 2
)

// layout fits the parts into w x h.
func (c CriticalDifference) layout(order []int, w, h int) cdLayout {
	var l cdLayout
	l.lo, l.hi = c.Range()
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
	if l.axis = take(l.plot > 0, axisHeight); l.axis {
		l.top = axisHeight
	}
	if l.shown = len(order); h < len(order) {
		l.shown = max(1, h-1)
	}
	return l
}

// columns shares out the width.
func (l *cdLayout) columns(c CriticalDifference, order []int, w int) {
	wanted := 0
	for _, i := range order {
		wanted = max(wanted, width(c.Labels[i]))
		l.rank = max(l.rank, width(rankText(c.Ranks[i])))
	}
	if c.ruled() {
		wanted, l.rank = max(wanted, width("CD")), max(l.rank, width(rankText(c.CD)))
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
	if w < l.rank+gap+2 { // A few letters say more than a rank.
		l.rank = 0
		l.label = w
		return
	}
	rest := w - l.rank - gap
	if rest-groups >= min(wanted, 4) { // All groups or none: some would mislead.
		rest -= groups
		l.groups = len(c.Groups)
	}
	l.label = min(wanted, rest)
	l.rankAt = l.label + gap
	l.groupsAt = l.rankAt + l.rank
}

// rankText is an average rank as people write it.
func rankText(rank float64) string {
	if !finite(rank) || math.Abs(rank) >= 1e4 {
		return Short(rank)
	}
	return strconv.FormatFloat(rank, 'f', 2, 64)
}

// column returns where a rank lies in the plot.
func (l cdLayout) column(rank float64) int {
	return l.plotAt + int(math.Round(unit(rank, l.lo, l.hi)*float64(l.plot-1)))
}

// drawAxis draws the labels and the line of the axis.
func (c CriticalDifference) drawAxis(cv *canvas, l cdLayout) {
	faint := ink{fg: cv.style.Faint()}
	for x := range l.plot {
		cv.put(l.plotAt+x, 1, '─', faint)
	}
	end := l.plotAt // behind the last label
	for _, t := range linearTicks(l.lo, l.hi, max(1, l.plot/6), 1) {
		x, n := l.column(t.At), width(t.Label)
		cv.put(x, 1, '┴', faint)
		at := min(max(x-n/2, l.plotAt), l.plotAt+l.plot-n)
		if at > end || at == l.plotAt && end == at {
			cv.text(at, 0, t.Label, ink{fg: cv.style.Dim()})
			end = at + n
		}
	}
	cv.textRight(l.rankAt+l.rank, 0, "rank", ink{fg: cv.style.Dim()})
}

// drawMethod draws the line of method i.
func (c CriticalDifference) drawMethod(cv *canvas, l cdLayout, line, i int) {
	y := l.top + line
	cv.text(0, y, truncate(c.Labels[i], l.label), ink{})
	if l.rank > 0 {
		cv.textRight(l.rankAt+l.rank, y, rankText(c.Ranks[i]), ink{})
	}
	if l.plot == 0 {
		return
	}
	for x := range l.plot {
		cv.put(l.plotAt+x, y, '·', ink{fg: cv.style.Faint()})
	}
	if finite(c.Ranks[i]) {
		cv.text(l.column(c.Ranks[i]), y, cv.style.RunMarker(i), ink{fg: cv.style.RunColor(i), bold: true})
	} else {
		cv.put(l.plotAt+l.plot-1, y, '×', ink{fg: cv.style.Bad()})
	}
}

// drawGroups draws a line beside the methods of each group.
func (c CriticalDifference) drawGroups(cv *canvas, l cdLayout, order []int) {
	for g := range l.groups {
		for line, i := range order {
			if slices.Contains(c.Groups[g], i) {
				cv.put(l.groupsAt+g*groupWidth+1, l.top+line, '┃', ink{bold: true})
			}
		}
	}
}

// drawRuler draws the critical difference to the scale of the axis. One that is
// longer than the axis is cut, with … at its end.
func (c CriticalDifference) drawRuler(cv *canvas, l cdLayout, y int) {
	dim := ink{fg: cv.style.Dim()}
	name := "critical difference"
	if width(name) > l.label {
		name = "CD"
	}
	cv.text(0, y, truncate(name, l.label), dim)
	cv.textRight(l.rankAt+l.rank, y, rankText(c.CD), dim)
	if l.plot == 0 {
		return
	}
	end, tip := l.plotAt+l.plot-1, '…'
	if c.CD <= l.hi-l.lo {
		end, tip = l.column(l.lo+c.CD), '┤'
	}
	for x := l.plotAt; x < end; x++ {
		cv.put(x, y, '─', ink{})
	}
	cv.put(l.plotAt, y, '├', ink{})
	cv.put(end, y, tip, ink{})
}
