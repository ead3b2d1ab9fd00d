package dash

import (
	"fmt"
	"slices"

	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// placed is a panel with its rectangle.
type placed = kit.Placed[*board.Panel]

// layout holds the rectangles of all elements of the dashboard. Empty rectangles are not drawn.
type layout struct {
	header, footer kit.Rect
	// pages is the rectangle of the tabs of pages. tabs is the rectangle of the tabs of panels, which is
	// empty if all panels are on the screen. Both are on one line.
	pages, tabs         kit.Rect
	pageTabs, panelTabs kit.Tabs
	panels              []placed
}

// The sizes below which the dashboard drops elements. As the terminal shrinks, four panels become two, then
// one with tabs. Then the tabs, the second footer line, the border and the footer are dropped, and finally
// the panel, so that only status lines remain. The pictures of viz drop their axes themselves.
const (
	fourPanelsWidth, fourPanelsHeight = 96, 24 // of the body
	twoPanelsWidth, twoPanelsHeight   = 64, 15
	tabsWidth, tabsHeight             = 34, 5
)

// arrange places the dashboard in w x h cells: the header for the given number of runs, the tabs of the
// pages, and the panels of the visible page, with the focus on the panel with index focus. It is a pure
// function.
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
		l.placeTabs(strip, pages, tabs, focus)
	}
	return l
}

// leastWidth is the minimum width of panels in a row of more than two. leastHeight is the minimum height of a
// tall panel, which fills any height, above or below a short one. On a screen with room for only one panel it
// is leastBelow.
const leastWidth, leastHeight, leastBelow = 36, 9, 7

// split places as many panels as fit. First come rows of tables and messages, with the height that they
// need. Below them are two columns above a row of the other panels, or of the panels around the focus; or a
// pair of panels; or a single panel. Short panels share columns.
func split(body kit.Rect, tabs []tab, focus int, zoomed bool) []placed {
	if zoomed || body.W < tabsWidth || body.H < twoPanelsHeight {
		return []placed{kit.Place(tabs[focus].panel, body)}
	}
	grid := body.W >= fourPanelsWidth && body.H >= fourPanelsHeight
	var rows []placed
	for len(tabs) > 1 && tabs[0].row && tabs[0].lines(body.W) > 0 {
		top := body
		top.H = min(tabs[0].framed(body.W), body.H/2)
		rows = append(rows, kit.Place(tabs[0].panel, top))
		body.Y, body.H = body.Y+top.H, body.H-top.H
		tabs, focus = tabs[1:], max(focus-1, 0)
	}
	need := tabs[focus].framed(body.W)
	switch {
	case grid && len(tabs) > 2:
		return append(rows, columnsOf(body, tabs, focus)...)
	case len(tabs) > 1 && body.W >= twoPanelsWidth && body.H >= twoPanelsHeight:
		first := min(focus/2*2, len(tabs)-2)
		return append(rows, pair(body, tabs[first], tabs[first+1])...)
	case len(tabs) > 1 && need > 0 && need+leastBelow <= body.H:
		next := focus + 1
		if next == len(tabs) {
			next = focus - 1
		}
		return append(rows, stack{tabs: []tab{tabs[focus], tabs[next]}, heights: []int{need, 0}, short: need}.
			place(body)...)
	}
	return append(rows, kit.Place(tabs[focus].panel, body))
}

// framed returns the height of a panel of w cells, including its border, or 0 if it fills any height.
func (t tab) framed(w int) int { return kit.FramedHeight(t.lines(w - 4)) }

// stack is a column in a row: short panels and at most one tall panel.
type stack struct {
	tabs    []tab
	heights []int // 0 for the tall panel
	short   int   // total height of the short panels
	tall    int   // number of tall panels
}

// stacks distributes panels over columns of w x h cells. A short panel joins the last column with room for
// it. A tall panel joins the first column of short panels.
func stacks(tabs []tab, w, h int) (list []stack) {
	for _, t := range tabs {
		need := t.framed(w)
		if need > h {
			need = 0 // The panel fills the column.
		}
		at := -1
		for i, c := range list {
			if need > 0 && c.short+need+c.tall*leastHeight <= h ||
				need == 0 && at < 0 && c.tall == 0 && c.short+leastHeight <= h {
				at = i
			}
		}
		if at < 0 {
			at = len(list)
			list = append(list, stack{})
		}
		c := &list[at]
		c.tabs = append(c.tabs, t)
		c.heights = append(c.heights, need)
		c.short += need
		if need == 0 {
			c.tall++
		}
	}
	return list
}

// has reports whether a column has a panel.
func (c stack) has(p *board.Panel) bool {
	return slices.ContainsFunc(c.tabs, func(t tab) bool { return t.panel == p })
}

// columnsOf places panels in one row of at most two columns, or in two rows. The first row has two columns,
// and the second row has the columns around the focus.
func columnsOf(body kit.Rect, tabs []tab, focus int) []placed {
	list := stacks(tabs, body.W/2, body.H/2)
	if len(list) <= 2 {
		return beside(body, list)
	}
	n := max(body.W/leastWidth, 2)
	list = stacks(tabs, body.W/min(n, len(list)-2), body.H/2)
	if len(list) <= 2 {
		return beside(body, list)
	}
	at := slices.IndexFunc(list, func(c stack) bool { return c.has(tabs[focus].panel) })
	first, second := list[:2], around(list[2:], at-2, n)
	top, bottom := body.Shared(rowHeight(first), rowHeight(second))
	if rowHeight(first) == 0 && rowHeight(second) == 0 {
		top, bottom = shareDetails(body, first, second)
	}
	return append(beside(top, first), beside(bottom, second)...)
}

// leastDetailed is the height that a row keeps if the other row can use more than half of the height.
const leastDetailed = 20

// shareDetails splits the body between two rows. They get half each, unless a row has a panel that needs
// height for its details; such a row gets as much height as it can use.
func shareDetails(body kit.Rect, first, second []stack) (top, bottom kit.Rect) {
	top, bottom = body.Stacked()
	most := body.H - leastDetailed
	if need := detailHeight(first, body.W, most); need > top.H {
		return body.Shared(0, body.H-need)
	}
	if need := detailHeight(second, body.W, most); need > bottom.H {
		return body.Shared(body.H-need, 0)
	}
	return top, bottom
}

// detailHeight returns the height, at most h, that a row of w cells can use for details.
func detailHeight(row []stack, w, h int) (used int) {
	for _, c := range row {
		for _, t := range c.tabs {
			inner := kit.Area(0, 0, w/len(row), h-c.short).Inner()
			if n := t.uses(inner.W, inner.H); n > 0 {
				used = max(used, c.short+kit.FramedHeight(n))
			}
		}
	}
	return used
}

// rowHeight returns the height that the columns of a row need, or 0 if a column fills any height.
func rowHeight(row []stack) (h int) {
	for _, c := range row {
		if c.tall > 0 {
			return 0
		}
		h = max(h, c.short)
	}
	return h
}

// around returns at most n columns that form a row, including the given column. Each column belongs to
// exactly one row. A negative index is treated as 0.
func around(list []stack, at, n int) []stack {
	first := min(max(at/n*n, 0), max(len(list)-n, 0))
	return list[first:min(first+n, len(list))]
}

// beside places columns side by side.
func beside(r kit.Rect, row []stack) (list []placed) {
	for i, c := range row {
		from := i * r.W / len(row)
		to := (i + 1) * r.W / len(row)
		list = append(list, c.place(kit.Area(r.X+from, r.Y, to-from, r.H))...)
	}
	return list
}

// place stacks the panels of a column. The tall panel gets the remaining height, or the last panel if there
// is no tall one.
func (c stack) place(r kit.Rect) (list []placed) {
	grows := slices.Index(c.heights, 0)
	if grows < 0 {
		grows = len(c.heights) - 1
	}
	rest := r.H - c.short
	for i, t := range c.tabs {
		r.H = c.heights[i]
		if i == grows {
			r.H += rest
		}
		list = append(list, kit.Place(t.panel, r))
		r.Y += r.H
	}
	return list
}

// pair places two panels: stacked if one of them needs the width or is short, and otherwise side by side.
func pair(body kit.Rect, a, b tab) []placed {
	m := a.framed(body.W)
	n := b.framed(body.W)
	half, rest := body.Stacked()
	short := m > 0 && m <= half.H || n > 0 && n <= rest.H
	if !short && !a.panel.Wide {
		left, right := body.Beside()
		return []placed{kit.Place(a.panel, left), kit.Place(b.panel, right)}
	}
	first, second := body.Shared(m, n)
	return []placed{kit.Place(a.panel, first), kit.Place(b.panel, second)}
}

// placeTabs places the tabs of the pages at the left end of a line, and the tabs of the panels at the right
// end unless all panels are on the screen. On a narrow line, first the names become short. Then unavailable
// pages lose their names, then all pages except the visible one, and finally only the focused panel has a
// tab.
func (l *layout) placeTabs(strip kit.Rect, pages pageTabs, tabs []tab, focus int) {
	one := kit.Tabs{fmt.Sprintf("%s %d/%d", tabs[focus].short, focus+1, len(tabs))}
	for _, names := range []struct{ pages, panels kit.Tabs }{
		{pages.long, panelTabs(tabs, false)}, {pages.short, panelTabs(tabs, false)},
		{pages.short, panelTabs(tabs, true)}, {pages.brief, panelTabs(tabs, true)},
		{pages.named(), panelTabs(tabs, true)}, {pages.numbers, panelTabs(tabs, true)},
		{pages.named(), one}, {pages.numbers, one}, {pages.numbers, nil},
	} {
		if len(l.panels) == len(tabs) {
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

// mostRows is the maximum number of runs or groups that have their own lines in the header.
const mostRows = 8

// edges returns the heights of the header and the footer on a screen of at least one line. If there is room,
// the header has a line for each of several runs.
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
	}
	return 1, 0
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
