package browse

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Typed passes keys to the open picker, prompt or form.
func (b *Browse) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case b.picking():
		return b.picked(b.picker.Key(msg)), true
	case b.prompt != nil:
		return b.promptKey(msg)
	case b.form != nil:
		return b.formKey(msg)
	}
	return nil, false
}

// Act performs an action, and reads the curve of a run that it has selected.
func (b *Browse) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	cmd := b.perform(act)
	return tea.Batch(cmd, b.readCurve())
}

func (b *Browse) perform(act kit.Action) tea.Cmd {
	b.picker.Close()
	if b.form != nil {
		b.form = nil // The palette called Act.
	}
	if _, reason := b.Available(act); reason != "" {
		return nil // The host has shown the reason.
	}
	switch act {
	case kit.ActOpen:
		return b.unlessHidden(act, "Open", b.open)
	case actPredict:
		if b.prediction != nil {
			b.prediction.cancel()
			return nil
		}
		return b.ask(act)
	case actFilter, actTag, actRename, actNote:
		return b.ask(act)
	case actFork:
		return b.openForm(map[string]string{})
	case actForkWarm:
		return b.openForm(map[string]string{rundir.WarmStartSetting: b.current().ID})
	case actDelete:
		return b.unlessHidden(act, "Delete", b.remove)
	case actUndo:
		return b.undo()
	case actResume:
		return b.resume(kit.Start{Steps: b.current().Results.ExtendedSteps()})
	case actFinish:
		return b.resume(kit.Start{Finish: true})
	case kit.ActNewRun:
		return b.host.Go(kit.Setup, nil)
	case actLike:
		return b.like(kit.Setup)
	case kit.ActSweep:
		return b.like(kit.Sweep)
	case kit.ActBack:
		return b.host.Back()
	}
	b.adjust(act)
	return nil
}

// adjust performs the actions that change only the view.
func (b *Browse) adjust(act kit.Action) {
	switch act {
	case actMark:
		b.toggleMark()
	case actUnmark:
		b.marks = nil
	case actSortPrev:
		b.sortBy(-1)
	case actSortNext:
		b.sortBy(1)
	case kit.ActReverse:
		b.look.Descending = !b.look.Descending
		b.arrangeRuns()
	case kit.ActFocusNext:
		b.focus = (b.focus + 1) % numParts
	default:
		b.move(act)
	}
}

// move moves the selection or scrolls the details.
func (b *Browse) move(act kit.Action) {
	if b.focus == partDetails {
		b.details.Act(act)
		return
	}
	b.choose(act.Moved(b.at, len(b.shown), b.list.Height()))
}

// Mouse selects the clicked run, sorts by the clicked column, or scrolls the part under the pointer.
func (b *Browse) Mouse(x, y, wheel int) tea.Cmd {
	l := b.arrange()
	switch {
	case l.details.Contains(x, y) && b.picking():
		return b.mousePicker(y-l.inner(l.details).Y, wheel)
	case l.details.Contains(x, y) && b.form != nil:
		b.formMouse(y-l.inner(l.details).Y, wheel)
	case l.details.Contains(x, y) && wheel != 0:
		b.details.Wheel(2 * wheel)
	case l.details.Contains(x, y):
		b.focus = partDetails
	case l.list.Contains(x, y):
		b.mouseList(l.inner(l.list), x, y, wheel)
		return b.readCurve()
	}
	return nil
}

// mousePicker handles the mouse on a line of the picker.
func (b *Browse) mousePicker(line, wheel int) tea.Cmd {
	if wheel != 0 {
		b.picker.Scroll(2 * wheel)
		return nil
	}
	return b.picked(b.picker.Click(line))
}

// mouseList handles the mouse in the list.
func (b *Browse) mouseList(r kit.Rect, x, y, wheel int) {
	if wheel != 0 {
		b.list.Scroll(2 * wheel)
		last := min(b.list.Top()+b.list.Height(), len(b.shown)) - 1
		b.choose(max(min(b.at, last), b.list.Top()))
		return
	}
	b.focus = partList
	row := y - r.Y - b.titleLines(r)
	if row >= 0 {
		row += b.list.Top()
		if row < len(b.shown) {
			b.choose(row)
		}
		return
	}
	if c, ok := b.columnAt(x-r.X, r.W); ok && y == r.Y {
		b.sortColumn(c)
	}
}

// oneLine returns an error message without line breaks.
func oneLine(err error) string {
	if err == nil {
		return ""
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
