package setup

import (
	"dgplab/tui/kit"
)

// part is a section with its region.
type part = kit.Placed[int]

// The minimum size for all three parts. As the terminal shrinks, they share one panel with tabs. The plan
// loses its border, then lines, and is then dropped. Then the footer, the tabs and the borders are dropped,
// and finally everything except the header.
const threePartsWidth, threePartsHeight = 96, 26

// arrange returns the layout of w x h cells.
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
	// The data sets are above the families on the left, the form is on the right, and the plan is below.
	body = l.CutPlan(body, 7)
	left := kit.Area(body.X, body.Y, body.W*9/20, body.H)
	right := kit.Area(left.W, body.Y, body.W-left.W, body.H)
	data, families := left.Stacked()
	l.Parts = []part{kit.Place(int(sectionData), data), kit.Place(int(sectionFamily), families),
		kit.Place(int(sectionForm), right)}
	return l
}

// arrangePage returns the layout of the columns page above the plan.
func arrangePage(w, h int) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if !body.Empty() {
		body = l.CutPlan(body, 7)
		l.Parts = []part{kit.Place(int(sectionData), body)}
	}
	return l
}

// arrange returns the current layout.
func (s *Setup) arrange() kit.Layout {
	if s.page.IsOpen() {
		return arrangePage(s.w, s.h)
	}
	return arrange(s.w, s.h, s.section)
}
