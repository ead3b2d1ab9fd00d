package dash

import tea "github.com/charmbracelet/bubbletea"

// Mouse focuses the panel, or turns to the page, that was clicked; a click on curves
// in focus puts the cursor there. The wheel zooms curves where the mouse is, and moves
// through the GPs, the rows of the table and the lines of the health.
func (d *Dash) Mouse(x, y, wheel int) tea.Cmd {
	l := d.arrange()
	p, ok := l.at(x, y)
	switch {
	case wheel != 0 && ok:
		d.wheel(p, x, wheel)
	case wheel != 0: // Nothing is there.
	case l.pages.Contains(x, y):
		if i, on := l.pageTabs.At(x - l.pages.X); on && len(l.pageTabs) == len(pages) {
			d.page = i
		} else if on {
			d.page = (d.page + 1) % len(pages)
		}
	case l.tabs.Contains(x, y):
		if i, on := l.panelTabs.At(x - l.tabs.X); on {
			d.focus[d.page] = i
		}
	case l.header.Contains(x, y) && len(d.runs) > 1 && l.header.H >= len(d.runs) && y < len(d.runs):
		d.chosen = y
	case ok && p.ID == d.focused():
		d.putCursor(p, x)
	case ok:
		d.focusOn(p.ID)
	}
	return nil
}

// putCursor puts the cursor on the point closest to a column of a panel.
func (d *Dash) putCursor(p placed, x int) {
	if at, c, ok := d.xUnder(p, x); ok {
		if at, ok = c.MoveCursor(at, 0); ok {
			d.cursor = cursor{true, at}
		}
	}
}

// wheel zooms curves at column x, or moves in another panel.
func (d *Dash) wheel(p placed, x, by int) {
	switch p.ID {
	case panelELBO, panelValidation:
		factor := wheelFactor
		if by < 0 {
			factor = 1 / wheelFactor
		}
		if at, _, ok := d.xUnder(p, x); ok {
			d.window = d.window.zoomed(d.span(), at, factor)
		}
	case panelLayers:
		d.layerKey(0, by)
	case panelHealth:
		d.look.top = max(d.look.top+by, 0)
	case panelTable:
		d.chooseRow(by)
	}
}
