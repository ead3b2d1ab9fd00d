package tui

// rect is a region of the screen in cells.
type rect struct{ x, y, w, h int }

// contains reports whether the cell (x, y) is inside.
func (r rect) contains(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// empty reports whether the region has no cell.
func (r rect) empty() bool { return r.w <= 0 || r.h <= 0 }

// split cuts r into two beside each other.
func (r rect) beside() (left, right rect) {
	half := r.w / 2
	return rect{r.x, r.y, half, r.h}, rect{r.x + half, r.y, r.w - half, r.h}
}

// stacked cuts r into two on top of each other.
func (r rect) stacked() (top, bottom rect) {
	half := (r.h + 1) / 2
	return rect{r.x, r.y, r.w, half}, rect{r.x, r.y + half, r.w, r.h - half}
}

// panelID names a panel of the dashboard, in the order of tab.
type panelID int

const (
	panelELBO panelID = iota
	panelValidation
	panelCovariance
	panelLayers
	numPanels
)

// placed is a panel and where it is. A bare panel has no border.
type placed struct {
	id   panelID
	rect rect
	bare bool
}

// layout says where everything on the dashboard goes. A region without cells is
// not drawn.
type layout struct {
	header, tabs, footer rect
	panels               []placed
}

// The sizes at which the dashboard gives something up, in this order as the
// terminal shrinks: four panels become two, then one with tabs; the tabs go, the
// second footer line, the border, the footer, and last the panel, which leaves
// lines of state. A panel drops its axes by itself (viz).
const (
	fourPanelsWidth, fourPanelsHeight = 96, 24 // of the body
	twoPanelsWidth, twoPanelsHeight   = 64, 15
	tabsWidth, tabsHeight             = 34, 5
	frameWidth, frameHeight           = 16, 5
	barePanelWidth                    = 12
)

// arrange places the dashboard in w x h cells. It depends on nothing else.
func arrange(w, h int, focus panelID, zoomed bool) layout {
	if w <= 0 || h <= 0 {
		return layout{}
	}
	headerHeight, footerHeight := edges(h)
	var l layout
	l.header = rect{0, 0, w, headerHeight}
	l.footer = rect{0, h - footerHeight, w, footerHeight}
	body := rect{0, headerHeight, w, h - headerHeight - footerHeight}
	if w < barePanelWidth || body.h <= 0 {
		l.header.h = h - footerHeight
		return l
	}
	if !zoomed && w >= fourPanelsWidth && body.h >= fourPanelsHeight {
		top, bottom := body.stacked()
		a, b := top.beside()
		c, d := bottom.beside()
		l.panels = []placed{{panelELBO, a, false}, {panelValidation, b, false}, {panelCovariance, c, false}, {panelLayers, d, false}}
		return l
	}
	if !zoomed && w >= tabsWidth && body.h > tabsHeight {
		l.tabs = rect{0, body.y, w, 1}
		body.y, body.h = body.y+1, body.h-1
	}
	if !zoomed && w >= twoPanelsWidth && body.h >= twoPanelsHeight {
		l.panels = pair(body, focus)
		return l
	}
	bare := body.w < frameWidth || body.h < frameHeight
	l.panels = []placed{{focus, body, bare}}
	return l
}

// pair shows the focused panel with its relative: the curves on top of each
// other, so that their steps line up, the two views of the posterior side by side.
func pair(body rect, focus panelID) []placed {
	if focus == panelELBO || focus == panelValidation {
		top, bottom := body.stacked()
		return []placed{{panelELBO, top, false}, {panelValidation, bottom, false}}
	}
	left, right := body.beside()
	return []placed{{panelCovariance, left, false}, {panelLayers, right, false}}
}

// edges returns the heights of header and footer on a screen of h lines.
func edges(h int) (header, footer int) {
	switch {
	case h >= 30:
		return 3, 2
	case h >= 18:
		return 2, 2
	case h >= 12:
		return 2, 1
	case h >= 7:
		return 1, 1
	case h >= 4:
		return 1, 0
	}
	return min(h, 1), 0
}

// at returns the panel at the cell (x, y).
func (l layout) at(x, y int) (panelID, bool) {
	for _, p := range l.panels {
		if p.rect.contains(x, y) {
			return p.id, true
		}
	}
	return 0, false
}
