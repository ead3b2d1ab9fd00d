package ablate

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Typed gives printable keys to the row that is being typed, if it takes any of
// them, and reports whether it did.
func (g *Grid) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	g.syncTyping()
	if g.part != partForm {
		return nil, false
	}
	r := g.form.current()
	if !r.input.Type(msg, r.accepts) {
		return nil, false
	}
	return g.edited(), true
}

// edited follows a change of the row that is being typed.
func (g *Grid) edited() tea.Cmd {
	if g.form.current().Name == rundir.FamilyField {
		g.form.list(g.engine)
	}
	return g.planSoon()
}

// syncTyping follows where the person has gone.
func (g *Grid) syncTyping() {
	if g.part != partForm {
		g.typing.On("", nil)
		return
	}
	r := g.form.current()
	g.typing.On(r.Name, &r.input)
}

// back takes back what was typed into the line where the person is, or else goes to
// the screen before.
func (g *Grid) back() tea.Cmd {
	if g.part == partForm && g.form.current().input.Undo() {
		return g.edited()
	}
	return g.host.Back()
}

// Act does what a key asks for.
func (g *Grid) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	defer g.syncTyping()
	page := max(g.lists[g.part].Height(), 1)
	switch act {
	case kit.ActBack:
		return g.back()
	case kit.ActStart:
		if g.part == partList {
			return g.open()
		}
		return g.begin()
	case kit.ActNextPart:
		g.part = (g.part + 1) % numParts
	case kit.ActPreviousPart:
		g.part = (g.part + numParts - 1) % numParts
	case kit.ActUp:
		g.moveTo(g.at(g.part) - 1)
	case kit.ActDown:
		g.moveTo(g.at(g.part) + 1)
	case kit.ActPageUp:
		g.moveTo(g.at(g.part) - page)
	case kit.ActPageDown:
		g.moveTo(g.at(g.part) + page)
	default:
		return g.change(act, msg)
	}
	return nil
}

// change does what a key asks of the row that is being typed.
func (g *Grid) change(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	if g.part != partForm {
		return nil
	}
	r := g.form.current()
	switch act {
	case kit.ActLeft, kit.ActRight, kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		if r.input.Edit(msg) {
			return g.edited()
		}
	case kit.ActReset:
		if r.input.Reset(msg, r.Default) {
			return g.edited()
		}
	case actAdd:
		if r.addKnown() {
			return g.edited()
		}
	}
	return nil
}

// at returns the chosen row of a part.
func (g *Grid) at(p part) int {
	if p == partList {
		return g.chosen
	}
	return g.form.at
}

// count returns the number of rows of a part.
func (g *Grid) count(p part) int {
	if p == partList {
		return len(g.earlier)
	}
	return len(g.form.rows)
}

// moveTo chooses a row of the part in focus.
func (g *Grid) moveTo(row int) {
	row = min(max(row, 0), max(g.count(g.part)-1, 0))
	if g.part == partList {
		g.chosen = row
	} else {
		g.form.at = row
	}
}

// Mouse chooses what was clicked, or scrolls the list under the wheel.
func (g *Grid) Mouse(x, y, wheel int) tea.Cmd {
	defer g.syncTyping()
	l := arrangeGrid(g.w, g.h, g.part)
	for _, b := range l.blocks {
		if !b.Rect.Contains(x, y) {
			continue
		}
		p := part(b.ID)
		if wheel != 0 {
			g.lists[p].Scroll(2 * wheel)
			return nil
		}
		g.part = p
		g.typing.Again()
		row := g.lists[p].Top() + y - b.Inner().Y
		if y >= b.Inner().Y && row < g.count(p) {
			g.moveTo(row)
		}
		return nil
	}
	if tab, ok := gridTabs.At(x); ok && wheel == 0 && l.tabs.Contains(x, y) {
		g.part = part(tab)
	}
	return nil
}
