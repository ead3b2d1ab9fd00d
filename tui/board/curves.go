package board

import (
	"math"
	"slices"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// hasCurve reports whether a run has points to draw.
func hasCurve(s *session.Snapshot) bool { return len(s.Curve) > 0 }

// newCurvePanel returns a panel with the curves of a quantity of all runs. Both panels of curves have the
// same window and cursor. They are stacked to align their steps.
func newCurvePanel(b *Board, of quantity) *Panel {
	p := &Panel{
		Wide:     true,
		absent:   func(b *Board) string { return unless(b.anyRun(hasCurve), b.noDataYet("the first step")) },
		picture:  func(b *Board) viz.Picture { return b.curve(of) },
		footnote: func(b *Board) string { return b.curvesLeftOut(of) },
		All:      true,
		Mover:    curveMover{b, b.curves, of},
	}
	b.curves.panels[of] = p
	return p
}

// curveMover moves the cursor and the window of a panel of curves.
type curveMover struct {
	board *Board
	*curveView
	of quantity
}

// Move moves the cursor.
func (m curveMover) Move(on Screen, across, down int) (message string, taken bool) {
	if across == 0 {
		return "", false
	}
	return m.moveCursor(on, across), true
}

// Point zooms around the mouse, or moves the cursor to it.
func (m curveMover) Point(_ Screen, inside kit.Rect, x, wheel int) (taken bool) {
	b := m.board
	if len(b.Runs) == 0 {
		return true
	}
	c := b.curve(m.of)
	at, ok := c.XAt(inside.W, inside.H, x-inside.X)
	if !ok {
		return true
	}
	switch {
	case wheel < 0:
		m.window = m.window.zoomed(b.wholeSpan(), at, 1/wheelFactor)
	case wheel > 0:
		m.window = m.window.zoomed(b.wholeSpan(), at, wheelFactor)
	default:
		if nearest, found := c.MoveCursor(at, 0); found {
			m.cursor = curveCursor{true, nearest}
		}
	}
	return true
}

// HasCursor reports whether the curves have a cursor.
func (m curveMover) HasCursor() bool { return m.cursor.on }

// RemoveCursor removes the cursor of the curves.
func (m curveMover) RemoveCursor() { m.cursor = curveCursor{} }

// points returns the prepared points of a run.
func (b *Board) points(of quantity, r *Run) *curves.Prepared {
	return r.curves[of].take(r.Snapshot, b.curves.pointRule(of, r.Snapshot))
}

// curveFigure returns the figure of the curves as the screen shows them, without the cursor.
func (b *Board) curveFigure(of quantity, name, y string) report.Figure {
	c := b.curve(of)
	c.Cursor = nil
	if !b.curves.window.on {
		c.Zoom = [2]float64{}
	}
	return report.Figure{Name: name, Picture: c, Options: figure.Options{Title: b.exportTitle(), Y: y}}
}

// curveNotes returns notes on axes, range and grouping. Notes on default settings come last.
func (b *Board) curveNotes() []string {
	var list []string
	switch {
	case b.ManyRuns():
		list = append(list, "runs grouped")
	case b.curves.Grouped:
		list = append(list, "seeds grouped")
	}
	if b.curves.Range != firstSettings.Range {
		list = append(list, rangeNames[b.curves.Range])
	}
	if w := b.curves.window.String(); w != "" {
		list = append(list, w)
	}
	return append(list, yNames[b.curves.Y], "over "+b.curves.X.String())
}

// curve returns the curves of a quantity for all runs that fit on the same axis.
func (b *Board) curve(of quantity) curves.Curve {
	c := curves.Curve{
		X:     b.curves.X.viz(),
		Scale: b.curves.Y,
		Range: b.curves.Range,
		Zoom:  b.shownRange(of),
		Means: true,
	}
	if b.curves.window.on && c.Range == curves.Recent {
		c.Range = curves.Whole // A zoomed curve is shown entirely.
	}
	if of == ofValidation {
		c.Best = chart.Highest
	}
	if b.curves.cursor.on {
		c.Cursor = &b.curves.cursor.x
	}
	names := b.groupBriefs()
	for k, g := range b.curveGroups() {
		var members []curves.Series
		for _, i := range g {
			if r := b.Runs[i]; b.drawsCurve(of, r) {
				m := b.curves.pointRule(of, r.Snapshot)
				c.Smoothing = max(c.Smoothing, m.strength)
				members = append(members, curves.Series{Label: b.curveLabel(of, r),
					Run: r.Index, Exact: m.strength == 0,
					Prepared: b.points(of, r)})
			}
		}
		if len(g) > 1 && len(members) > 0 {
			first := b.Runs[g[0]]
			c.Groups = append(c.Groups, curves.Group{
				Label:   names[k],
				Of:      b.memberNoun(g),
				Run:     first.Index,
				Members: members,
			})
		} else {
			c.Series = append(c.Series, members...)
		}
	}
	return c
}

// curveGroups returns lists of the indices of runs that are drawn together.
func (b *Board) curveGroups() [][]int {
	if b.grouped() {
		return b.Groups
	}
	var list [][]int
	for i := range b.Runs {
		list = append(list, []int{i})
	}
	return list
}

// curveLabel returns the name of a run in a legend. A single run is named after the quantity.
func (b *Board) curveLabel(of quantity, r *Run) string {
	switch {
	case len(b.Runs) > 1:
		return r.Brief
	case of == ofValidation:
		return "validation"
	}
	return b.objectiveName()
}

// drawsCurve reports whether the curve of a run is drawn.
func (b *Board) drawsCurve(of quantity, r *Run) bool {
	return r.Snapshot != nil && hasCurve(r.Snapshot) && of.measured(r.Snapshot) && b.leftOutCurve(of, r) == ""
}

// measured reports whether a run has a value of the quantity.
func (of quantity) measured(s *session.Snapshot) bool {
	if of != ofValidation {
		return true
	}
	without := s.Data.N > 0 && s.Data.Validation == 0
	return !without && slices.ContainsFunc(s.Curve, func(p rundir.Point) bool {
		return !math.IsNaN(p.ValLogLik)
	})
}

// span returns the range of the horizontal axis covered by the drawn curves of the given quantities, or 0 to
// 0 if there are no curves.
func (b *Board) span(of ...quantity) [2]float64 {
	var span [2]float64
	first := true
	for _, r := range b.Runs {
		if !slices.ContainsFunc(of, func(of quantity) bool { return b.drawsCurve(of, r) }) {
			continue
		}
		c := r.Snapshot.Curve
		lo := b.curves.X.of(r.Snapshot, &c[0])
		hi := b.curves.X.of(r.Snapshot, &c[len(c)-1])
		if first {
			span, first = [2]float64{lo, hi}, false
		}
		span = [2]float64{min(span[0], lo), max(span[1], hi)}
	}
	return span
}

// wholeSpan returns the span of the curves in all panels.
func (d *Board) wholeSpan() [2]float64 { return d.span(ofObjective, ofValidation) }

// shownRange returns the visible range of the horizontal axis. Without a window, each panel shows the span of
// its own curves.
func (b *Board) shownRange(of quantity) [2]float64 {
	if !b.curves.window.on {
		return b.span(of)
	}
	return b.curves.window.at(b.wholeSpan())
}
