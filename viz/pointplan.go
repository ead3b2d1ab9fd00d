package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// PlanPoints is one cloud or one series of error bars of a PointPlan.
type PlanPoints struct {
	Label  string
	Run    int
	Points []XY
	// Lower and Upper are the ends of the bars of the points, NaN where there is
	// none; nil without bars.
	Lower, Upper []float64
	// Line is the trend, or joins the points; nil for none.
	Line []XY
}

// PointPlan is a Scatter or ErrorBars ready to be drawn by other means than text.
// All places are in units of the axes, which are straight from X0 to X1 and from
// Y0 to Y1: on a logarithmic axis they are powers of ten.
type PointPlan struct {
	Series         []PlanPoints
	X0, X1, Y0, Y1 float64
	XTicks, YTicks []Tick
	XName, YName   string
	// Reference is the line y = x, nil for none.
	Reference []XY
	// Notes say what is drawn and what is left out.
	Notes []string
}

// plan starts a plan from the axes of a plane.
func (p *plane) plan(xTicks, yTicks int) PointPlan {
	out := PointPlan{X0: p.x.lo, X1: p.x.hi, Y0: p.y.lo, Y1: p.y.hi, XName: p.xName, YName: p.yName, XTicks: p.xTicks, YTicks: p.y.ticks(yTicks)}
	if out.XTicks == nil {
		out.XTicks = p.x.ticks(xTicks)
	}
	return out
}

// at returns where a point lies on the axes, clipped to them.
func (p *plane) at(x, y float64) XY {
	clip := func(s *scale, v float64) float64 { return max(s.lo, min(s.forward(v), s.hi)) }
	return XY{clip(&p.x, x), clip(&p.y, y)}
}

// note adds a count with its words to the notes, unless it is 0.
func (p *PointPlan) note(n int, words string) {
	if n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d %s", n, words))
	}
}

// Plan returns the means and bars with about as many ticks as given. ok is false
// when there is no point to draw.
func (b ErrorBars) Plan(xTicks, yTicks int) (plan PointPlan, ok bool) {
	l, ok := b.measure()
	if !ok {
		return PointPlan{}, false
	}
	plan = l.plan(xTicks, yTicks)
	for _, s := range b.Series {
		points := PlanPoints{Label: s.Label, Run: s.Run}
		sorted := slices.Clone(s.Points)
		slices.SortStableFunc(sorted, func(a, b ErrorPoint) int { return cmp.Compare(a.X, b.X) })
		for _, p := range sorted {
			if !b.shown(p) {
				continue
			}
			at, lower, upper := l.at(p.X, p.Mean), math.NaN(), math.NaN()
			if lo, hi, ok := p.bar(); ok {
				lower, upper = l.at(p.X, lo).Y, l.at(p.X, hi).Y
			}
			points.Points = append(points.Points, at)
			points.Lower, points.Upper = append(points.Lower, lower), append(points.Upper, upper)
		}
		if b.Categories == nil {
			points.Line = points.Points
		}
		plan.Series = append(plan.Series, points)
	}
	plan.Notes = append(plan.Notes, "mean ± s.e., n = "+countText(l.least, l.most))
	if l.most > 1 {
		plan.note(l.single, "without s.e. (n = 1)")
	}
	plan.note(l.notPositive, "not positive")
	plan.note(l.notFinite, "not finite")
	return plan, true
}

// Plan returns the clouds, thinned evenly to at most the given number of points
// each, with trends of all points. ok is false when there is no point to draw.
func (s Scatter) Plan(most, xTicks, yTicks int) (plan PointPlan, ok bool) {
	l, ok := s.measure()
	if !ok {
		return PointPlan{}, false
	}
	plan = l.plan(xTicks, yTicks)
	for i, c := range l.clouds {
		points := PlanPoints{Label: c.Label, Run: c.Run}
		n := min(len(c.X), max(most, 1))
		for k := range n {
			at := k * len(c.X) / n
			points.Points = append(points.Points, l.at(c.X[at], c.Y[at]))
		}
		for _, p := range l.trends[i] {
			points.Line = append(points.Line, l.at(p.X, p.Y))
		}
		if all := max(c.Of, len(c.X)); n < all {
			plan.Notes = append(plan.Notes, fmt.Sprintf("%d of %d points", n, all))
		}
		plan.Series = append(plan.Series, points)
	}
	if s.Trend != NoTrend {
		plan.Notes = append(plan.Notes, "line: "+s.Trend.String())
	}
	plan.note(l.below, "on the lower edge")
	plan.note(l.notPositive, "not positive")
	plan.note(l.notFinite, "not finite")
	if s.Diagonal {
		plan.Reference = l.reference()
	}
	return plan, true
}

// reference returns the line y = x where it lies within both axes.
func (l *scatterLayout) reference() []XY {
	const steps = 200
	var out []XY
	for i := range steps + 1 {
		t := float64(i) / steps
		if y, ok := l.onDiagonal(t); ok {
			out = append(out, XY{l.x.lo*(1-t) + l.x.hi*t, y})
		}
	}
	return out
}
