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
		p.moveFocus(1)
	case kit.ActFocusPrevious:
		p.moveFocus(-1)
	case kit.ActUp, kit.ActDown, kit.ActPageUp, kit.ActPageDown, kit.ActFirst, kit.ActLast:
		c.texts[c.focus].Act(act)
	default:
		return nil, false
	}
	return nil, true
}

// moveFocus focuses another section. Ranks that do not exist have no panel.
func (p *Progress) moveFocus(by section) {
	c := &p.comparing
	c.focus = (c.focus + numSections + by) % numSections
	if c.focus == sectionRanks && p.noRanks() != "" && p.roomForSections() {
		c.focus = (c.focus + numSections + by) % numSections
	}
}

// mouseCompare focuses the clicked section or scrolls the section under the pointer.
func (p *Progress) mouseCompare(x, y, wheel int) {
	b, isTab, ok := p.arrangeSections().At(x, y, sectionTabs)
	switch {
	case !ok:
	case wheel == 0:
		p.comparing.focus = section(b.ID)
	case !isTab:
		text := &p.comparing.texts[b.ID]
		text.Wheel(wheel)
	}
}

// keyOf returns the key of an action of this screen.
func keyOf(act kit.Action) string {
	b, _ := kit.Find(progressBindings, act)
	return b.Label()
}

// cellActions are available only on the cells page, and comparisonActions only on the comparison page.
var (
	cellActions       = []kit.Action{kit.ActXAxis, actLogAxis, actCurves}
	comparisonActions = []kit.Action{kit.ActLeft, kit.ActRight, actRanksBy}
)

// pageAvailable implements Available for the actions that depend on the page.
func (p *Progress) pageAvailable(act kit.Action) (word, reason string) {
	c := &p.comparing
	if p.on == pageCells {
		switch {
		case act == actPageCells:
			return kit.Elsewhere, "" // The page is already visible.
		case slices.Contains(comparisonActions, act):
			return "", "only in the comparison (" + keyOf(actPageCompare) + ")"
		}
		return "", ""
	}
	switch {
	case act == actPageCompare, act == kit.ActOpen && !p.roomForSections():
		return kit.Elsewhere, "" // The page is already visible, or a section fills the screen.
	case slices.Contains(cellActions, act):
		return "", "only on the cells page (" + keyOf(actPageCells) + ")"
	case act == kit.ActOpen && c.whole:
		return "all panels", ""
	case act == kit.ActOpen:
		return "zoom", ""
	case act == actRanksBy && c.blocks == compare.BySplit:
		return "ranks by data set", ""
	case act == kit.ActLeft, act == kit.ActRight:
		if _, ok := c.methodA(); !ok {
			return "", "a comparison needs 2 methods"
		}
	}
	return "", ""
}
