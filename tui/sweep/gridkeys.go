package sweep

import (
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Typed passes printable keys to the selected field and reports whether the field accepted any.
func (g *Grid) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	g.syncTyping()
	if g.picker.IsOpen() {
		return g.picked(g.picker.Key(msg)), true
	}
	if g.part != partForm || !g.form.Type(msg) {
		return nil, false
	}
	return g.edited(), true
}

// edited updates the form after a change, because other families and presets have other fields and values.
func (g *Grid) edited() tea.Cmd {
	if row := g.form.Row(); row == rundir.FamilyField || row == rundir.PresetField {
		g.form.list(g.engine)
	}
	return g.plan.Schedule()
}

// syncTyping tells the form whether it has the focus.
func (g *Grid) syncTyping() { g.form.SyncTyping(g.part != partForm) }

// back reverts the text of the selected line, or returns to the previous screen.
func (g *Grid) back() tea.Cmd {
	if g.part == partForm && g.form.Undo() {
		return g.edited()
	}
	return g.host.Back()
}

// Act performs an action.
func (g *Grid) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	defer g.syncTyping()
	g.picker.Close() // The palette called Act.
	switch act {
	case form.PickFile:
		return g.pick()
	case kit.ActBack:
		return g.back()
	case kit.ActStart:
		if g.part == partList {
			return g.open()
		}
		if g.form.Finding() {
			g.form.Found(true)
			return nil
		}
		g.form.Accept()
		return g.begin()
	case kit.ActNextPart:
		if g.part == partForm && g.form.Completes() {
			return g.form.Complete(g)
		}
		g.part = (g.part + 1) % numParts
	case kit.ActPreviousPart:
		g.part = (g.part + numParts - 1) % numParts
	default:
		if g.part == partForm && g.form.Act(act, msg) {
			return g.edited()
		}
		if g.part == partList {
			g.choose(act.Moved(g.chosen, len(g.earlier), g.sweeps.Height()))
		}
	}
	return nil
}

// pick opens the picker at the last typed data set.
func (g *Grid) pick() tea.Cmd {
	g.part = partForm
	at := g.form.PickFrom()
	g.syncTyping()
	return g.picker.Open(at, g.dataFiles())
}

// dataFiles returns the data files of the sweeps, newest sweeps first.
func (g *Grid) dataFiles() []string {
	var list []string
	for _, e := range g.earlier {
		if e.Err == nil {
			list = append(list, e.State.Grid.Datasets...)
		}
	}
	return kit.RecentFiles(list)
}

// picked adds a picked file.
func (g *Grid) picked(path string, cmd tea.Cmd) tea.Cmd {
	if path == "" {
		return cmd
	}
	g.form.Picked(path)
	return tea.Batch(cmd, g.edited())
}

// completed applies a completion to the text of the form, and moves to the next part if there is
// nothing to complete.
func (g *Grid) completed(c kit.Completion) (cmd tea.Cmd, changed bool) {
	if g.part != partForm {
		return nil, false
	}
	took, nothing := g.form.Completed(c)
	if nothing {
		g.part = (g.part + 1) % numParts
	}
	if !took {
		return nil, false
	}
	g.syncTyping()
	return g.edited(), true
}

// choose selects an earlier sweep.
func (g *Grid) choose(row int) { g.chosen = min(max(row, 0), max(len(g.earlier)-1, 0)) }

// Mouse selects the clicked element or scrolls the list under the pointer.
func (g *Grid) Mouse(x, y, wheel int) tea.Cmd {
	defer g.syncTyping()
	b, isTab, ok := arrangeGrid(g.w, g.h, g.part).At(x, y, gridTabs)
	p := part(b.ID)
	line := y - b.Inner().Y
	switch {
	case !ok || isTab && wheel != 0: // There is no element.
	case isTab:
		g.part = p
	case p == partForm && g.picker.IsOpen() && wheel != 0:
		g.picker.Scroll(2 * wheel)
	case p == partForm && g.picker.IsOpen():
		return g.picked(g.picker.Click(line))
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
	return nil
}
