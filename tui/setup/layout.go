package setup

import (
	"dgplab/tui/kit"
)

// part is a section of the set-up and where it is.
type part = kit.Placed[int]

// The sizes at which the set-up gives something up, in this order as the terminal
// shrinks: three parts become one with tabs, the plan loses its border, then
// lines, then goes; the footer, the tabs and the borders follow, and last the
// part, which leaves one line.
const threePartsWidth, threePartsHeight = 96, 26

// arrange places the set-up screen in w x h cells.
func arrange(w, h int, focus section) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if body.Empty() {
		return l
	}
	if w < threePartsWidth || h < threePartsHeight {
		body = l.CutPlan(l.CutTabs(body, h), 7)
		l.Parts = []part{kit.Place(int(focus), body)}
		return l
	}
	// Data sets above families on the left, the form on the right and the plan below.
	body = l.CutPlan(body, 7)
	left := kit.Area(body.X, body.Y, body.W*9/20, body.H)
	right := kit.Area(left.W, body.Y, body.W-left.W, body.H)
	data, families := left.Stacked()
	l.Parts = []part{kit.Place(int(sectionData), data), kit.Place(int(sectionFamily), families),
		kit.Place(int(sectionForm), right)}
	return l
}

// arrangePage places the page of columns in w x h cells, above the plan.
func arrangePage(w, h int) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if !body.Empty() {
		body = l.CutPlan(body, 7)
		l.Parts = []part{kit.Place(int(sectionData), body)}
	}
	return l
}

// arrange returns where everything is now.
func (s *Setup) arrange() kit.Layout {
	if s.page.IsOpen() {
		return arrangePage(s.w, s.h)
	}
	return arrange(s.w, s.h, s.section)
}
