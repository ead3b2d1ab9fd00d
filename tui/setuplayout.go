package tui

// part is a section of the set-up and where it is. A bare part has no border.
type part struct {
	id   section
	rect rect
	bare bool
}

// inner returns the region inside the border.
func (p part) inner() rect {
	if p.bare {
		return p.rect
	}
	return rect{p.rect.x + 2, p.rect.y + 1, max(p.rect.w-4, 0), max(p.rect.h-2, 0)}
}

// setupLayout says where everything on the set-up screen goes. A region without
// cells is not drawn.
type setupLayout struct {
	header, tabs, plan, footer rect
	parts                      []part
	planBare                   bool
}

// The sizes at which the set-up gives something up, in this order as the terminal
// shrinks: three parts become one with tabs, the plan loses its border, then
// lines, then goes; the footer, the tabs and the borders follow, and last the
// part, which leaves one line.
const (
	threePartsWidth, threePartsHeight = 96, 26
	planLines                         = 4 // inside its border
)

// arrangeSetup places the set-up screen in w x h cells.
func arrangeSetup(w, h int, focus section) setupLayout {
	if w <= 0 || h <= 0 {
		return setupLayout{}
	}
	var l setupLayout
	l.header = rect{0, 0, w, 1}
	body := rect{0, 1, w, h - 1}
	if h >= 5 {
		l.footer = rect{0, h - 1, w, 1}
		body.h--
	}
	if w < barePanelWidth || body.h <= 0 {
		l.header.h, l.footer.h = h, 0
		return l
	}
	if w >= threePartsWidth && h >= threePartsHeight {
		return l.three(body)
	}
	if h >= 7 {
		l.tabs = rect{0, body.y, w, 1}
		body.y, body.h = body.y+1, body.h-1
	}
	switch {
	case body.h >= 18:
		l.plan = rect{0, body.y + body.h - planLines - 2, w, planLines + 2}
	case body.h >= 12:
		l.plan, l.planBare = rect{1, body.y + body.h - 3, w - 1, 3}, true
	case body.h >= 7:
		l.plan, l.planBare = rect{1, body.y + body.h - 1, w - 1, 1}, true
	}
	body.h -= l.plan.h
	l.parts = []part{{focus, body, body.w < frameWidth || body.h < frameHeight}}
	return l
}

// three places data sets above families on the left, the form on the right and
// the plan below.
func (l setupLayout) three(body rect) setupLayout {
	l.plan = rect{0, body.y + body.h - planLines - 2, body.w, planLines + 2}
	body.h -= l.plan.h
	left := rect{body.x, body.y, body.w * 9 / 20, body.h}
	right := rect{left.w, body.y, body.w - left.w, body.h}
	data, families := left, left
	data.h = (left.h + 1) / 2
	families.y, families.h = data.y+data.h, left.h-data.h
	l.parts = []part{{sectionData, data, false}, {sectionFamily, families, false}, {sectionForm, right, false}}
	return l
}
