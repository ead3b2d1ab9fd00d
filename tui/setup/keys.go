package setup

import (
	"slices"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// onPathLine reports whether a path is being typed.
func (s *Setup) onPathLine() bool { return s.section == sectionData && s.onPath() }

// onFind reports whether a family is being searched.
func (s *Setup) onFind() bool { return s.section == sectionFamily && s.family.finding }

// syncTyping updates the focus of the text inputs after a move.
func (s *Setup) syncTyping() {
	s.followFile()
	s.dropAdvice()
	s.form.SyncTyping(s.section != sectionForm)
	if s.section != sectionFamily {
		s.family.finding = false
	}
	if s.onPathLine() {
		s.typing.Set("path", &s.files.path)
		return
	}
	s.typing.Set("", nil)
}

// Typed passes printable keys to the text input with the focus and reports whether it accepted any.
func (s *Setup) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	s.syncTyping()
	switch {
	case s.Layer() != nil && s.isForHost(msg):
		return nil, false
	case s.page.IsOpen():
		return s.pageKey(msg), true
	case s.files.picker.IsOpen():
		path, cmd := s.files.picker.Key(msg)
		return s.picked(path, cmd), true
	case s.section == sectionData:
		taken = s.typedPath(msg, unicode.IsPrint)
	case s.onFind():
		taken = s.family.typed(msg)
		if taken {
			s.refreshForm()
		}
	case s.section == sectionForm:
		taken = s.form.Type(msg)
	}
	if !taken {
		return nil, false
	}
	return s.plan.Schedule(), true
}

// Layer returns the keys of the columns page or the picker while one of them is open.
func (s *Setup) Layer() []kit.Binding {
	switch {
	case s.page.IsOpen():
		return s.page.Bindings()
	case s.files.picker.IsOpen():
		return kit.PickerBindings()
	}
	return nil
}

// isForHost reports whether a key has no meaning in the open overlay or on the screen behind it and can be a
// global key.
func (s *Setup) isForHost(msg tea.KeyMsg) bool {
	typed := s.files.picker.IsOpen() && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace)
	if typed || kit.Lookup(s.Layer(), msg) != "" {
		return false
	}
	act := kit.Lookup(bindings, msg)
	return act == "" || act.IsGlobal()
}

// Act performs an action.
func (s *Setup) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	defer s.syncTyping()
	s.files.picker.Close() // The palette called Act.
	s.page.Close()
	switch act {
	case actColumns:
		return s.openPage()
	case form.PickFile:
		return s.pick()
	case kit.ActBack:
		return s.back()
	case kit.ActSweep:
		return s.host.Go(kit.Sweep, kit.Fill{Config: s.config(), Families: s.compared(), Parent: s.parent})
	case actAdvise:
		return s.advise()
	case actPublished:
		return s.host.Go(kit.Published, nil)
	case kit.ActStart:
		switch {
		case s.onFind():
			s.family.found(true)
			return nil
		case s.section == sectionForm && s.form.Finding():
			s.form.Found(true)
			return nil
		}
		s.form.Accept()
		s.typing.Reset()
		return s.Start()
	case form.Find:
		if s.section == sectionFamily {
			s.family.find()
			return nil
		}
	case actFetch:
		return s.toggleFetch()
	}
	if act == kit.ActNextPart && s.onPathLine() && s.files.path.Value() != "" {
		return kit.RequestCompletion(s, s.files.path.Value())
	}
	if act == kit.ActNextPart && s.section == sectionForm && s.form.Completes() {
		return s.form.Complete(s)
	}
	if s.change(act, msg) {
		return s.plan.Schedule()
	}
	return nil
}

// back reverts the text of the selected line, or returns to the previous screen.
func (s *Setup) back() tea.Cmd {
	switch {
	case s.onFind():
		s.family.found(false)
		s.refreshForm()
		return s.plan.Schedule()
	case s.family.advice != nil:
		s.family.advise(nil)
		return nil
	case s.onPathLine() && s.files.path.Undo(), s.section == sectionForm && s.form.Undo():
		return s.plan.Schedule()
	}
	s.parent = ""
	return s.host.Back()
}

// change performs an action and reports whether the configuration changed.
func (s *Setup) change(act kit.Action, msg tea.KeyMsg) bool {
	switch act {
	case actSize:
		s.form.Put(rundir.BudgetSetting, s.otherBudget())
		return true
	case kit.ActNextPart:
		s.section = (s.section + 1) % numSections
		return false
	case kit.ActPreviousPart:
		s.section = (s.section + numSections - 1) % numSections
		return false
	}
	if s.section == sectionForm {
		changed := s.form.Act(act, msg)
		if changed && s.form.Row() == rundir.PresetField {
			s.refreshForm()
		}
		return changed
	}
	switch act {
	case form.ResetAll:
		return s.form.ResetAll()
	case kit.ActReset:
		return s.onPathLine() && s.files.path.Reset(msg, "")
	case kit.ActLeft, kit.ActRight, kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		return s.edit(msg)
	}
	return s.moveTo(act.Moved(s.at(s.section), s.rows(s.section), s.lists[s.section].Height()))
}

// edit passes a key to the text input of a list, and reports whether the configuration changed.
func (s *Setup) edit(msg tea.KeyMsg) bool {
	if s.onFind() {
		before := s.family.chosen
		s.family.edit(msg)
		s.refreshForm()
		return s.family.chosen != before
	}
	if s.section == sectionData && s.isFile() && !s.onPath() && msg.Type == tea.KeyRight {
		s.editFile()
		return false
	}
	return s.onPathLine() && s.files.path.Edit(msg)
}

// rows returns the number of rows of a section.
func (s *Setup) rows(of section) int {
	switch of {
	case sectionData:
		return 1 + len(s.files.recent) + len(s.data)
	case sectionFamily:
		return len(s.family.matches())
	}
	_, n := s.form.Len()
	return n
}

// moveTo selects a row of the focused list and reports whether the configuration changed.
func (s *Setup) moveTo(row int) bool {
	row = min(max(row, 0), max(s.rows(s.section)-1, 0))
	if row == s.at(s.section) {
		return false
	}
	if s.section == sectionFamily {
		s.family.move(row)
	} else {
		s.chosen = row
	}
	s.refreshForm()
	return true
}

// Mouse selects the clicked element or scrolls the list under the pointer.
func (s *Setup) Mouse(x, y, wheel int) tea.Cmd {
	defer s.syncTyping()
	p, isTab, ok := s.arrange().At(x, y, sectionNames)
	switch {
	case s.page.IsOpen() && ok && !isTab:
		if wheel != 0 {
			s.page.Scroll(2 * wheel)
		} else {
			s.page.Click(y - p.Inner().Y)
		}
	case s.page.IsOpen():
	case ok && !isTab:
		return s.mousePart(section(p.ID), y-p.Inner().Y, wheel)
	case ok && wheel == 0:
		s.section = section(p.ID)
	}
	return nil
}

// mousePart handles the mouse on a line of a part. The wheel does not change the selection of a
// list, because that would change the configuration.
func (s *Setup) mousePart(of section, line, wheel int) tea.Cmd {
	switch {
	case of == sectionData && s.files.picker.IsOpen():
		return s.mousePicker(line, wheel)
	case of == sectionForm && wheel != 0:
		s.form.Scroll(2 * wheel)
	case of == sectionForm:
		s.section = of
		s.form.Click(line)
	case wheel != 0:
		s.lists[of].Scroll(2 * wheel)
	default:
		s.section = of
		s.typing.Reset()
		if line >= 0 && s.click(of, s.lists[of].Top()+line) {
			return s.plan.Schedule()
		}
	}
	return nil
}

// mousePicker handles the mouse on a line of the picker.
func (s *Setup) mousePicker(line, wheel int) tea.Cmd {
	if wheel != 0 {
		s.files.picker.Scroll(2 * wheel)
		return nil
	}
	return s.picked(s.files.picker.Click(line))
}

// click selects the clicked row of a list and reports whether the configuration changed.
func (s *Setup) click(of section, row int) bool {
	if of == sectionData {
		return row < s.rows(of) && s.moveTo(row)
	}
	if s.family.finding {
		row-- // The search text is on the first line.
	}
	rows := s.family.rows()
	if row < 0 || row >= len(rows) || rows[row].heading != "" {
		return false
	}
	return s.moveTo(slices.Index(s.family.matches(), rows[row].index))
}
