package dash

import (
	"fmt"

	"dgplab/tui/kit"
)

// placed is a panel with its rectangle.
type placed = kit.Placed[*panel]

// layout holds the rectangles of everything on the dashboard. An empty region is not drawn.
type layout struct {
	header, footer kit.Rect
	// pages is the rectangle for the tabs of pages. tabs is the one for the tabs of panels, empty
	// if all panels are on the screen. Both are on one line.
	pages, tabs         kit.Rect
	pageTabs, panelTabs kit.Tabs
	panels              []placed
}

// The sizes below which the dashboard drops elements, in this order as the terminal shrinks: four
// panels become two, then one with tabs; then the tabs, the second footer line, the border and the
// footer are dropped, and finally the panel, which leaves the status lines. A panel drops its axes
// itself (see viz).
const (
	fourPanelsWidth, fourPanelsHeight = 96, 24 // of the body
	twoPanelsWidth, twoPanelsHeight   = 64, 15
	tabsWidth, tabsHeight             = 34, 5
)

// arrange places the dashboard in w x h cells: the header of a number of runs, the tabs of the
// pages, and the panels of the shown page, with the focus on panel number focus. The result depends
// on nothing else.
func arrange(w, h, runs int, pages pageTabs, tabs []tab, focus int, zoomed bool) layout {
	if w <= 0 || h <= 0 {
		return layout{}
	}
	headerHeight, footerHeight := edges(h, runs)
	var l layout
	l.header = kit.Area(0, 0, w, headerHeight)
	l.footer = kit.Area(0, h-footerHeight, w, footerHeight)
	body := kit.Area(0, headerHeight, w, h-headerHeight-footerHeight)
	if w < kit.BareWidth || body.H <= 0 {
		l.header.H = h - footerHeight
		return l
	}
	strip := kit.Area(0, body.Y, w, 0)
	if w >= tabsWidth && body.H > tabsHeight {
		strip.H = 1
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.panels = split(body, tabs, focus, zoomed)
	if strip.H > 0 {
		l.placeTabs(strip, pages, tabs)
	}
	return l
}

// leastWidth is the minimum width of panels in a row of more than two.
const leastWidth = 36

// split places as many panels as fit: two panels above a row of the others, or of the others around
// the focus; or a pair; or a single panel.
func split(body kit.Rect, tabs []tab, focus int, zoomed bool) []placed {
	if !zoomed && len(tabs) > 2 && body.W >= fourPanelsWidth && body.H >= fourPanelsHeight {
		top, bottom := body.Stacked()
		return append(beside(top, tabs[:2]),
			beside(bottom, around(tabs[2:], focus-2, max(body.W/leastWidth, 2)))...)
	}
	first := focus / 2 * 2
	if !zoomed && first+1 < len(tabs) && body.W >= twoPanelsWidth && body.H >= twoPanelsHeight {
		return pair(body, tabs[first], tabs[first+1])
	}
	return []placed{kit.Place(tabs[focus].panel, body)}
}

// around returns at most n tabs of one row, including tab number at. Every panel belongs to one
// row. A negative at is treated as 0.
func around(tabs []tab, at, n int) []tab {
	first := min(max(at, 0)/n*n, max(len(tabs)-n, 0))
	return tabs[first:min(first+n, len(tabs))]
}

// beside places panels side by side.
func beside(r kit.Rect, tabs []tab) (row []placed) {
	for i, t := range tabs {
		from := i * r.W / len(tabs)
		to := (i + 1) * r.W / len(tabs)
		row = append(row, kit.Place(t.panel, kit.Area(r.X+from, r.Y, to-from, r.H)))
	}
	return row
}

// pair places two panels: stacked if they need the width, else side by side.
func pair(body kit.Rect, a, b tab) []placed {
	if !a.panel.wide {
		return beside(body, []tab{a, b})
	}
	first, second := body.Stacked()
	return []placed{kit.Place(a.panel, first), kit.Place(b.panel, second)}
}

// placeTabs places the tabs of the pages at the left end of a line, and the tabs of the panels at
// the right end unless all panels are on the screen. A narrow line has short names, and finally
// only the number of the page.
func (l *layout) placeTabs(strip kit.Rect, pages pageTabs, tabs []tab) {
	number := kit.Tabs{fmt.Sprintf("%d/%d", pages.at+1, len(pages.long))}
	all := len(l.panels) == len(tabs)
	for _, names := range []struct{ pages, panels kit.Tabs }{
		{pages.long, panelTabs(tabs, false)}, {pages.short, panelTabs(tabs, false)},
		{pages.short, panelTabs(tabs, true)}, {number, panelTabs(tabs, true)},
	} {
		if all {
			names.panels = nil
		}
		right := tabsRoom(names.panels)
		l.pageTabs, l.panelTabs = names.pages, names.panels
		l.pages = kit.Area(strip.X, strip.Y, strip.W-right, 1)
		l.tabs = kit.Area(strip.X+strip.W-right, strip.Y, right, 1)
		if tabsRoom(names.pages)+right <= strip.W {
			return
		}
	}
}

// mostRows is the largest number of runs or groups with individual lines in the header.
const mostRows = 8

// edges returns the heights of header and footer on a screen of h lines. The header of several runs
// has a line for each if there is room.
func edges(h, runs int) (header, footer int) {
	runs = min(max(runs, 1), mostRows)
	switch {
	case h >= 30 && runs == 1:
		return 3, 2
	case h >= 30:
		return runs + 1, 2
	case h >= 18:
		return max(runs, 2), 2
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
func (l layout) at(x, y int) (placed, bool) {
	for _, p := range l.panels {
		if p.Rect.Contains(x, y) {
			return p, true
		}
	}
	return placed{}, false
}
