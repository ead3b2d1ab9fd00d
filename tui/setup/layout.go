package setup

import (
	"dgplab/tui/kit"
)

// part is a section of the set-up and where it is.
type part = kit.Placed[section]

// layout says where everything on the set-up screen goes. A region without
// cells is not drawn.
type layout struct {
	header, tabs, plan, footer kit.Rect
	parts                      []part
	planBare                   bool
}

// The sizes at which the set-up gives something up, in this order as the terminal
// shrinks: three parts become one with tabs, the plan loses its border, then
// lines, then goes; the footer, the tabs and the borders follow, and last the
// part, which leaves one line.
const threePartsWidth, threePartsHeight = 96, 26

// arrange places the set-up screen in w x h cells.
func arrange(w, h int, focus section) layout {
	var l layout
	var body kit.Rect
	if l.header, l.footer, body = kit.Edges(w, h); body.Empty() {
		return l
	}
	if w >= threePartsWidth && h >= threePartsHeight {
		return l.three(body)
	}
	if h >= 7 {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.plan, l.planBare, body = kit.CutPlan(body, 7)
	l.parts = []part{kit.Place(focus, body)}
	return l
}

// three places data sets above families on the left, the form on the right and
// the plan below.
func (l layout) three(body kit.Rect) layout {
	l.plan, l.planBare, body = kit.CutPlan(body, 7)
	left := kit.Area(body.X, body.Y, body.W*9/20, body.H)
	right := kit.Area(left.W, body.Y, body.W-left.W, body.H)
	data, families := left, left
	data.H = (left.H + 1) / 2
	families.Y, families.H = data.Y+data.H, left.H-data.H
	l.parts = []part{kit.Place(sectionData, data), kit.Place(sectionFamily, families), kit.Place(sectionForm, right)}
	return l
}
