package dash

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Mouse focuses the clicked panel or opens the clicked page. Each panel defines its reaction to the wheel and
// to clicks while it is focused.
func (d *Dash) Mouse(x, y, wheel int) tea.Cmd {
	d.changed()
	l := d.arrange()
	p, ok := l.at(x, y)
	switch {
	case wheel != 0 && ok:
		d.wheel(p, x, wheel)
	case wheel != 0: // There is nothing to scroll or change.
	case l.pages.Contains(x, y):
		if i, on := l.pageTabs.At(x - l.pages.X); on {
			return d.say(d.changeView(pageAction(d.Pages[i])))
		}
	case l.tabs.Contains(x, y):
		if i, on := l.panelTabs.At(x - l.tabs.X); on {
			if list := d.Panels(d.onPage()); len(l.panelTabs) == len(list) {
				d.focus[d.onPage()] = list[i]
			} else { // Only the focused panel has a tab.
				d.turnFocus(1)
			}
		}
	case l.header.Contains(x, y) && len(d.Runs) > 1 && l.header.H >= d.Rows() && y < d.Rows():
		d.Chosen = y
		if d.ManyRuns() {
			d.Chosen = d.Groups[y][0]
		}
	case ok && p.ID == d.Focused():
		if p.ID.Mover != nil {
			p.ID.Mover.Point(d, p.Inner(), x, 0)
		}
	case ok:
		d.FocusOn(p.ID)
	}
	return nil
}

// wheel handles a turn of the wheel in a panel.
func (d *Dash) wheel(p placed, x, by int) {
	if p.ID.Mover != nil && p.ID.Mover.Point(d, p.Inner(), x, by) {
		return
	}
	if c := p.ID.WheelChoice(); c != nil {
		d.turn(p.ID, c, by)
	}
}
