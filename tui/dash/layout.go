package dash

import "dgplab/tui/kit"

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
	rect kit.Rect
	bare bool
}

// layout says where everything on the dashboard goes. A region without cells is
// not drawn.
type layout struct {
	header, tabs, footer kit.Rect
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
)

// arrange places the dashboard in w x h cells. It depends on nothing else.
func arrange(w, h int, focus panelID, zoomed bool) layout {
	if w <= 0 || h <= 0 {
		return layout{}
	}
	headerHeight, footerHeight := edges(h)
	var l layout
	l.header = kit.Area(0, 0, w, headerHeight)
	l.footer = kit.Area(0, h-footerHeight, w, footerHeight)
	body := kit.Area(0, headerHeight, w, h-headerHeight-footerHeight)
	if w < kit.BareWidth || body.H <= 0 {
		l.header.H = h - footerHeight
		return l
	}
	if !zoomed && w >= fourPanelsWidth && body.H >= fourPanelsHeight {
		top, bottom := body.Stacked()
		a, b := top.Beside()
		c, d := bottom.Beside()
		l.panels = []placed{{panelELBO, a, false}, {panelValidation, b, false}, {panelCovariance, c, false}, {panelLayers, d, false}}
		return l
	}
	if !zoomed && w >= tabsWidth && body.H > tabsHeight {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	if !zoomed && w >= twoPanelsWidth && body.H >= twoPanelsHeight {
		l.panels = pair(body, focus)
		return l
	}
	bare := body.W < kit.FrameWidth || body.H < kit.FrameHeight
	l.panels = []placed{{focus, body, bare}}
	return l
}

// pair shows the focused panel with its relative: the curves on top of each
// other, so that their steps line up, the two views of the posterior side by side.
func pair(body kit.Rect, focus panelID) []placed {
	if focus == panelELBO || focus == panelValidation {
		top, bottom := body.Stacked()
		return []placed{{panelELBO, top, false}, {panelValidation, bottom, false}}
	}
	left, right := body.Beside()
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
		if p.rect.Contains(x, y) {
			return p.id, true
		}
	}
	return 0, false
}
