package board

import (
	"math"
	"slices"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz/chart"
)

// The zoom factors of keys and wheel, and the distance of a pan as a share of the window.
const (
	keyFactor   = 2.0
	wheelFactor = 1.25
	panShare    = 0.25
)

// curveActions holds the actions of the curves.
var curveActions = []kit.Action{ActZoomIn, ActZoomOut, ActPanLeft, ActPanRight, ActZoomReset, ActFollow,
	kit.ActXAxis, ActLogX, ActYAxis, ActSmoother, ActRougher, ActClip, ActPerPoint, ActGroup}

// Act changes the curves. It returns a message, unless a panel on the screen shows the change.
func (m curveMover) Act(on Screen, act kit.Action) (message string, taken bool) {
	if !slices.Contains(curveActions, act) {
		return "", false
	}
	message, changed := m.board.changeCurves(act)
	objectiveOnly := act == ActPerPoint || act == ActSmoother || act == ActRougher
	if changed && (on.Shows(m.panels[ofObjective]) || on.Shows(m.panels[ofValidation]) && !objectiveOnly) {
		message = ""
	}
	return message, true
}

// changeCurves performs an action. It returns the new state in words, or the reason why nothing has changed.
func (b *Board) changeCurves(act kit.Action) (message string, changed bool) {
	l := b.curves
	switch act {
	case kit.ActXAxis:
		l.Kept = true
		b.turnXAxis(l.X.next())
		return "horizontal axis: " + l.X.String(), true
	case ActLogX:
		l.Kept = true
		b.turnXAxis(l.X ^ xLog)
		return "horizontal axis: " + l.X.String(), true
	case ActYAxis:
		l.Y = (l.Y + 1) % chart.Kind(len(yNames))
		return "vertical axis: " + yNames[l.Y], true
	case ActSmoother, ActRougher:
		by := map[kit.Action]int{ActSmoother: 1, ActRougher: -1}[act]
		l.Smoothing = min(max(l.Smoothing+by, 0), len(strengths)-1)
		return "smoothing " + smoothingText(l.strength()), true
	case ActClip:
		l.Range = nextRange[l.Range]
		return "vertical axis: " + rangeNames[l.Range], true
	case ActPerPoint:
		l.PerPoint = !l.PerPoint
		return b.objectiveName() + ": " + l.objective(), true
	case ActGroup:
		if b.ManyRuns() {
			return "more than four runs are drawn in groups", false
		}
		l.Grouped = !l.Grouped
		if l.Grouped && len(b.Groups) == len(b.Runs) {
			return "no two of these runs differ only in the seed", false
		}
		return "seeds grouped: " + onOff(l.Grouped), true
	}
	return b.moveWindow(act)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// moveWindow zooms or pans.
func (b *Board) moveWindow(act kit.Action) (message string, changed bool) {
	span := b.wholeSpan()
	switch act {
	case ActZoomIn:
		b.curves.window = b.curves.window.zoomed(span, b.about(), 1/keyFactor)
	case ActZoomOut:
		b.curves.window = b.curves.window.zoomed(span, b.about(), keyFactor)
	case ActZoomReset:
		b.curves.window = window{}
	case ActPanLeft, ActPanRight, ActFollow:
		if !b.curves.window.on {
			return "all steps are shown; " + b.Key(ActZoomIn) + " zooms in", false
		}
		switch act {
		case ActPanLeft:
			b.curves.window = b.curves.window.panned(span, -panShare)
		case ActPanRight:
			b.curves.window = b.curves.window.panned(span, panShare)
		default:
			b.curves.window = b.curves.window.following(span)
		}
	}
	if !b.curves.window.on {
		return "all steps are shown", true
	}
	return "curves " + b.curves.window.String(), true
}

// about returns the position around which keys zoom: the cursor if it is in the window, otherwise the newest
// point if the window ends there, and otherwise the middle.
func (b *Board) about() float64 {
	span := b.wholeSpan()
	now := b.curves.window.at(span)
	switch {
	case b.curves.cursor.on && b.curves.cursor.x >= now[0] && b.curves.cursor.x <= now[1]:
		return b.curves.cursor.x
	case now[1] >= span[1]:
		return span[1]
	}
	return now[0]/2 + now[1]/2
}

// chooseXAxis chooses the horizontal axis unless the user has: time if runs of several families are on the
// board, because their steps cost different times, and otherwise steps.
func (b *Board) chooseXAxis() {
	if b.curves.Kept {
		return
	}
	to := xSteps
	family := ""
	for _, r := range b.Runs {
		switch {
		case r.Snapshot == nil:
		case family == "":
			family = r.Snapshot.Family
		case family != r.Snapshot.Family:
			to = xTime
		}
	}
	if to != b.curves.X {
		b.turnXAxis(to)
	}
}

// turnXAxis changes the horizontal axis. The window and the cursor stay at the same points.
func (b *Board) turnXAxis(to xAxis) {
	from := b.curves.X
	b.curves.X = to
	b.curves.cursor.x = b.translated(b.curves.cursor.x, from, to)
	b.curves.window.lo = b.translated(b.curves.window.lo, from, to)
	b.curves.window.hi = b.translated(b.curves.window.hi, from, to)
	if b.curves.window.on && !(b.curves.window.lo < b.curves.window.hi) {
		b.curves.window = window{}
	}
}

// translated converts a position on the horizontal axis to another axis. It uses the curve of the
// selected run, or the nearest curve if x lies outside of it.
func (b *Board) translated(x float64, from, to xAxis) float64 {
	var best *session.Snapshot
	far := math.Inf(1)
	for k := range b.Runs {
		s := b.Runs[(b.Chosen+k)%len(b.Runs)].Snapshot
		if s == nil || len(s.Curve) == 0 {
			continue
		}
		lo := from.of(s, &s.Curve[0])
		hi := from.of(s, &s.Curve[len(s.Curve)-1])
		if beside := max(lo-x, x-hi, 0); beside < far {
			best, far = s, beside
		}
	}
	if best == nil {
		return x
	}
	return where(best, x, from, to)
}

// moveCursor moves the cursor of the curves by about a column to the nearest point. A new cursor
// appears at the newest visible point.
func (m curveMover) moveCursor(on Screen, by int) string {
	c := m.board.curve(m.of)
	shown := m.board.shownRange(m.of)
	from := m.cursor.x
	columns := max(on.Inside(on.Focused()).W, 1)
	step := float64(by) * (shown[1] - shown[0]) / float64(columns)
	if !m.cursor.on || from < shown[0] || from > shown[1] {
		from, step = shown[1], 0
		if by > 0 && m.cursor.on && m.cursor.x < shown[0] {
			from = shown[0]
		}
	}
	x, ok := c.MoveCursor(from, step)
	if !ok {
		return "there are no points yet"
	}
	m.cursor = curveCursor{true, x}
	return ""
}
