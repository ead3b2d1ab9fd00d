package sweep

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/compare"
	"dgplab/tui/kit"
)

// turn shows a page.
func (p *Progress) turn(to page) tea.Cmd {
	p.on = to
	return p.compareAgain()
}

// actCompare performs an action on the comparison page, and reports whether the action belongs to
// that page.
func (p *Progress) actCompare(act kit.Action) (cmd tea.Cmd, did bool) {
	c := &p.comparing
	switch act {
	case kit.ActBack:
		if !c.whole || !p.roomForSections() {
			return p.turn(pageCells), true
		}
		c.whole = false
	case kit.ActOpen:
		c.whole = !c.whole
	case kit.ActFocusNext:
		c.focus = (c.focus + 1) % numSections
	case kit.ActFocusPrevious:
		c.focus = (c.focus + numSections - 1) % numSections
	case kit.ActUp, kit.ActDown, kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast:
		s := &c.windows[c.focus]
		s.top = act.Moved(s.top, s.n-s.h+1, s.h)
	default:
		return nil, false
	}
	return nil, true
}

// mouseCompare focuses the clicked section or scrolls the section under the pointer.
func (p *Progress) mouseCompare(x, y, wheel int) {
	b, isTab, ok := p.arrangeSections().At(x, y, sectionTabs)
	switch {
	case !ok:
	case wheel == 0:
		p.comparing.focus = section(b.ID)
	case !isTab:
		p.comparing.windows[b.ID].top += wheel
	}
}

// rankBy switches between ranks by split and by data set.
func (p *Progress) rankBy() tea.Cmd {
	c := &p.comparing
	if c.blocks == compare.BySplit {
		c.blocks = compare.ByDataset
	} else {
		c.blocks = compare.BySplit
	}
	return p.compareAgain()
}

// cellActions are available only on the cells page, and comparisonActions only on the comparison page.
var (
	cellActions       = []kit.Action{kit.ActXAxis, actLogAxis}
	comparisonActions = []kit.Action{kit.ActLeft, kit.ActRight, actRanksBy}
)

// zoomNow implements Now for the key that enlarges a section.
func (p *Progress) zoomNow() (word, reason string) {
	switch {
	case !p.roomForSections():
		return kit.Elsewhere, "" // A section already fills the screen.
	case p.comparing.whole:
		return "all panels", ""
	}
	return "zoom", ""
}

// pageNow implements Now for the actions that depend on the page.
func (p *Progress) pageNow(act kit.Action) (word, reason string) {
	switch {
	case p.on == pageCompare && act == actPageCompare, p.on == pageCells && act == actPageCells:
		return kit.Elsewhere, "" // The page is already visible.
	case p.on == pageCompare && slices.Contains(cellActions, act):
		return "", "only on the cells page (" + keyOf(actPageCells) + ")"
	case p.on == pageCells && slices.Contains(comparisonActions, act):
		return "", "only in the comparison (" + keyOf(actPageCompare) + ")"
	}
	if p.on == pageCompare && act == kit.ActOpen {
		return p.zoomNow()
	}
	if act == actRanksBy {
		if p.comparing.blocks == compare.BySplit {
			return "ranks by data set", ""
		}
		return "ranks by split", ""
	}
	if act == kit.ActLeft || act == kit.ActRight {
		if _, ok := p.comparing.methodA(); !ok {
			return "", "a comparison needs 2 methods"
		}
	}
	return "", ""
}
