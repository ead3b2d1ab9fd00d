package ablate

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Typed gives printable keys to the field that is being typed, if it takes any of
// them, and reports whether it did.
func (g *Grid) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	g.syncTyping()
	if g.part != partForm || !g.form.Type(msg) {
		return nil, false
	}
	return g.edited(), true
}

// edited follows a change of a value: other families and another preset bring other
// fields and values.
func (g *Grid) edited() tea.Cmd {
	if row := g.form.Row(); row == rundir.FamilyField || row == rundir.PresetField {
		g.form.list(g.engine)
	}
	return g.planSoon()
}

// syncTyping follows where the person has gone.
func (g *Grid) syncTyping() { g.form.SyncTyping(g.part != partForm) }

// back takes back what was typed into the line where the person is, or else goes to
// the screen before.
func (g *Grid) back() tea.Cmd {
	if g.part == partForm && g.form.Undo() {
		return g.edited()
	}
	return g.host.Back()
}

// Act does what a key asks for.
func (g *Grid) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	defer g.syncTyping()
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
	default:
		if g.part == partForm && g.form.Act(act, msg) {
			return g.edited()
		}
		if g.part == partList {
			g.moveList(act)
		}
	}
	return nil
}

// moveList chooses another one of the earlier sweeps.
func (g *Grid) moveList(act kit.Action) {
	page := max(g.sweeps.Height(), 1)
	by := map[kit.Action]int{kit.ActUp: -1, kit.ActDown: 1, kit.ActPageUp: -page, kit.ActPageDown: page}[act]
	g.choose(g.chosen + by)
}

// choose chooses an earlier sweep.
func (g *Grid) choose(row int) { g.chosen = min(max(row, 0), max(len(g.earlier)-1, 0)) }

// Mouse chooses what was clicked, or scrolls the list under the wheel.
func (g *Grid) Mouse(x, y, wheel int) tea.Cmd {
	defer g.syncTyping()
	l := arrangeGrid(g.w, g.h, g.part)
	for _, b := range l.blocks {
		if !b.Rect.Contains(x, y) {
			continue
		}
		g.mousePart(b, y, wheel)
		return nil
	}
	if tab, ok := gridTabs.At(x); ok && wheel == 0 && l.tabs.Contains(x, y) {
		g.part = part(tab)
	}
	return nil
}

// mousePart is Mouse inside a part.
func (g *Grid) mousePart(b block, y, wheel int) {
	p, line := part(b.ID), y-b.Inner().Y
	switch {
	case p == partForm && wheel != 0:
		g.form.Scroll(2 * wheel)
	case wheel != 0:
		g.sweeps.Scroll(2 * wheel)
	case p == partForm:
		g.part = p
		g.form.Click(line)
	default:
		g.part = p
		if row := g.sweeps.Top() + line; line >= 0 && row < len(g.earlier) {
			g.choose(row)
		}
	}
}
