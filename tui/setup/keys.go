package setup

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// line returns the text that is being typed, its name and which runes it takes, nil
// if there is none.
func (s *Setup) line() (l *kit.Line, name string, accepts func(rune) bool) {
	if s.section == sectionData && s.onPath() {
		return &s.path, "path", unicode.IsPrint
	}
	if row := s.form.current(); s.section == sectionForm && row != nil && row.Values() == nil {
		return &row.Input, row.Name, row.Accepts
	}
	return nil, "", nil
}

// syncTyping follows where the person has gone.
func (s *Setup) syncTyping() {
	l, name, _ := s.line()
	s.typing.On(name, l)
}

// Typed gives printable keys to the text that is being typed, if there is one that
// takes any of them, and reports whether it did.
func (s *Setup) Typed(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	s.syncTyping()
	l, _, accepts := s.line()
	if l == nil || !l.Type(msg, accepts) {
		return nil, false
	}
	return s.inspectSoon(), true
}

// edit gives a key to the text that is being typed and reports whether the text
// changed.
func (s *Setup) edit(msg tea.KeyMsg) bool {
	l, _, _ := s.line()
	return l != nil && l.Edit(msg)
}

// Act does what a key asks for.
func (s *Setup) Act(act kit.Action, msg tea.KeyMsg) tea.Cmd {
	defer s.syncTyping()
	switch act {
	case kit.ActBack:
		return s.back()
	case kit.ActAblate:
		return s.host.Go(kit.Ablate, kit.Fill{Config: s.config(), Parent: s.parent})
	case kit.ActStart:
		return s.Start()
	case actFetch:
		return s.toggleFetch()
	}
	if s.change(act, msg) {
		return s.inspectSoon()
	}
	return nil
}

// back takes back what was typed into the line where the person is, or else goes to
// the screen before.
func (s *Setup) back() tea.Cmd {
	if l, _, _ := s.line(); l != nil && l.Undo() {
		return s.inspectSoon()
	}
	s.parent = ""
	return s.host.Back()
}

// change does what a key asks for and reports whether the configuration changed.
func (s *Setup) change(act kit.Action, msg tea.KeyMsg) bool {
	page := max(s.lists[s.section].Height(), 1)
	switch act {
	case kit.ActNextPart:
		s.section = (s.section + 1) % numSections
	case kit.ActPreviousPart:
		s.section = (s.section + numSections - 1) % numSections
	case kit.ActUp:
		return s.moveTo(s.at(s.section) - 1)
	case kit.ActDown:
		return s.moveTo(s.at(s.section) + 1)
	case kit.ActPageUp:
		return s.moveTo(s.at(s.section) - page)
	case kit.ActPageDown:
		return s.moveTo(s.at(s.section) + page)
	case kit.ActLeft:
		return s.edit(msg) || s.turn(-1)
	case kit.ActRight:
		return s.edit(msg) || s.turn(1)
	case actNextChoice:
		return s.turn(1)
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		return s.edit(msg)
	case kit.ActReset:
		return s.reset(msg)
	}
	return false
}

// turn goes to another choice of the row in focus.
func (s *Setup) turn(step int) bool { return s.section == sectionForm && s.form.turn(step) }

// reset puts the default back where the person is, and reports whether that changed
// something.
func (s *Setup) reset(msg tea.KeyMsg) bool {
	row := s.form.current()
	switch {
	case s.section == sectionData && s.onPath():
		return s.path.Reset(msg, "")
	case s.section == sectionForm && row != nil:
		return row.Input.Reset(msg, row.Default)
	}
	return false
}

// rows returns the number of rows of a section.
func (s *Setup) rows(of section) int {
	switch of {
	case sectionData:
		return len(s.data) + 1
	case sectionFamily:
		return len(s.families)
	}
	return len(s.form.fields)
}

// moveTo chooses a row of the section in focus and reports whether the
// configuration changed.
func (s *Setup) moveTo(row int) bool {
	row = min(max(row, 0), max(s.rows(s.section)-1, 0))
	if row == s.at(s.section) {
		return false
	}
	switch s.section {
	case sectionData:
		s.chosen = row
	case sectionFamily:
		s.family = row
	default:
		s.form.at = row
		return false
	}
	s.refreshForm()
	return true
}

// Mouse chooses what was clicked, or scrolls the list under the wheel.
func (s *Setup) Mouse(x, y, wheel int) tea.Cmd {
	defer s.syncTyping()
	l := arrange(s.w, s.h, s.section)
	for _, p := range l.parts {
		if p.Rect.Contains(x, y) {
			return s.mousePart(p, y, wheel)
		}
	}
	if tab, ok := sectionNames.At(x); ok && wheel == 0 && l.tabs.Contains(x, y) {
		s.section = section(tab)
	}
	return nil
}

// mousePart is Mouse inside a part.
func (s *Setup) mousePart(p part, y, wheel int) tea.Cmd {
	if wheel != 0 {
		s.scrollBy(p.ID, 2*wheel)
		return nil
	}
	s.section = p.ID
	s.typing.Again()
	row := s.lists[p.ID].Top() + y - p.Inner().Y
	if y >= p.Inner().Y && row < s.rows(p.ID) && s.moveTo(row) {
		return s.inspectSoon()
	}
	return nil
}

// scrollBy moves the window of a list. In the form the current row follows into
// the window; in the lists, where a row is a choice, it stays what it is.
func (s *Setup) scrollBy(of section, n int) {
	list := &s.lists[of]
	list.Scroll(n)
	if of == sectionForm {
		last := min(list.Top()+list.Height(), len(s.form.fields)) - 1
		s.form.at = max(min(s.form.at, last), list.Top())
	}
}
