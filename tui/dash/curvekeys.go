package dash

import (
	"math"

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

// curveBindings holds the keys of the curves.
var curveBindings = []kit.Binding{
	kit.Bind(kit.Curves, actZoomIn, "]", "zoom in",
		"Zoom in around the cursor, as the mouse wheel does. New points do not move the window.",
		"]"),
	kit.Bind(kit.Curves, actZoomOut, "[", "", "Zoom out.", "["),
	kit.Bind(kit.Curves, actPanLeft, "<", "", "Move the zoomed curves to earlier steps.", "<", "shift+left"),
	kit.Bind(kit.Curves, actPanRight, ">", "",
		"Move the zoomed curves to later steps. At the newest step they follow the training.",
		">", "shift+right"),
	kit.Bind(kit.Curves, actWhole, "0", "", "Show all steps.", "0"),
	kit.Bind(kit.Curves, actFollow, "f", "",
		"Make the zoomed curves follow the newest step, or stop following.",
		"f"),
	kit.Bind(kit.Curves, kit.ActXAxis, "x", "x axis",
		"Draw curves over steps, epochs or training time (without pauses).",
		"x"),
	kit.Bind(kit.Curves, actLogX, "X", "",
		"Draw curves over the logarithm of steps, epochs or time, or over their values.",
		"X"),
	kit.Bind(kit.Curves, actYAxis, "l", "y axis",
		"Change the vertical axis of the curves: linear, symmetric log, gap to the best on a log axis.", "l"),
	kit.Bind(kit.Curves, actSmoother, "+", "",
		"Smooth the objective more; the raw curve stays visible.", "+", "="),
	kit.Bind(kit.Curves, actRougher, "+-", "smooth", "Smooth the objective less.", "-", "_"),
	kit.Bind(kit.Curves, actClip, "c", "",
		"Fit the vertical axis to recent values, to all values except outliers, or to all. Points outside "+
			"are marked and counted.", "c"),
	kit.Bind(kit.Curves, actPerPoint, "p", "", "Show the objective per data point or as a sum.", "p"),
	kit.Bind(kit.Curves, actGroup, "g", "",
		"Draw runs that differ only in the seed as one curve (mean and standard error), or separately.", "g"),
}

// curveKey performs the action of a key of the curves. It returns a message, or "" if a panel on
// the screen shows the change.
func (v *curveView) curveKey(on screen, act kit.Action) string {
	note := on.board().changeCurves(act)
	objectiveOnly := act == actPerPoint || act == actSmoother || act == actRougher
	if on.shows(v.panels[ofObjective]) || on.shows(v.panels[ofValidation]) && !objectiveOnly {
		if note != nothingToMove && note != nothingToGroup && note != alwaysGrouped {
			return ""
		}
	}
	return note
}

// Messages for keys that have no effect.
const (
	nothingToMove  = "all steps are shown; ] zooms in"
	alwaysGrouped  = "more than four runs are drawn in groups"
	nothingToGroup = "no two of these runs differ only in the seed"
)

// changeCurves performs an action and returns its result as a message.
func (b *Board) changeCurves(act kit.Action) string {
	l := b.curves
	switch act {
	case kit.ActXAxis:
		b.turnXAxis(l.X.next())
		return "horizontal axis: " + l.X.String()
	case actLogX:
		b.turnXAxis(l.X ^ xLog)
		return "horizontal axis: " + l.X.String()
	case actYAxis:
		l.Y = (l.Y + 1) % chart.Kind(len(yNames))
		return "vertical axis: " + yNames[l.Y]
	case actSmoother, actRougher:
		by := map[kit.Action]int{actSmoother: 1, actRougher: -1}[act]
		l.Smoothing = min(max(l.Smoothing+by, 0), len(strengths)-1)
		return "smoothing " + smoothingText(l.strength())
	case actClip:
		l.Range = nextRange[l.Range]
		return "vertical axis: " + rangeNames[l.Range]
	case actPerPoint:
		l.PerPoint = !l.PerPoint
		return b.objectiveName() + ": " + l.objective()
	case actGroup:
		if b.ManyRuns() {
			return alwaysGrouped
		}
		l.Grouped = !l.Grouped
		if l.Grouped && len(b.Groups) == len(b.Runs) {
			return nothingToGroup
		}
		return "seeds grouped: " + onOff(l.Grouped)
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
func (b *Board) moveWindow(act kit.Action) string {
	span := b.wholeSpan()
	switch act {
	case actZoomIn:
		b.curves.window = b.curves.window.zoomed(span, b.about(), 1/keyFactor)
	case actZoomOut:
		b.curves.window = b.curves.window.zoomed(span, b.about(), keyFactor)
	case actWhole:
		b.curves.window = window{}
	case actPanLeft, actPanRight, actFollow:
		if !b.curves.window.on {
			return nothingToMove
		}
		switch act {
		case actPanLeft:
			b.curves.window = b.curves.window.panned(span, -panShare)
		case actPanRight:
			b.curves.window = b.curves.window.panned(span, panShare)
		default:
			b.curves.window = b.curves.window.following(span)
		}
	}
	if !b.curves.window.on {
		return "all steps are shown"
	}
	return "curves " + b.curves.window.String()
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
func (m curveMover) moveCursor(on screen, by int) string {
	c := on.board().curve(m.of)
	shown := on.board().shownRange(m.of)
	from := m.cursor.x
	columns := max(on.inside(on.focused()).W, 1)
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
