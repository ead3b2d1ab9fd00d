package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// typed gives a key to the text that is being typed, if there is one that takes
// it, and reports whether the configuration changed.
func (s *setup) typed(msg tea.KeyMsg) bool {
	runes := msg.Runes
	if msg.Type == tea.KeySpace {
		runes = []rune{' '}
	} else if msg.Type != tea.KeyRunes || msg.Alt {
		return false
	}
	if s.section == sectionData && s.onPath() {
		s.path.insert(runes)
		return true
	}
	row := s.form.current()
	if s.section != sectionForm || row == nil {
		return false
	}
	if row.choices() != nil {
		return msg.Type == tea.KeySpace && s.form.turn(1)
	}
	var taken []rune
	for _, r := range runes {
		if row.accepts(r) {
			taken = append(taken, r)
		}
	}
	row.text.insert(taken)
	return len(taken) > 0
}

// action does what a key asks for and reports whether the configuration changed.
func (s *setup) action(act action, w, h int) bool {
	page := max(s.visible(s.section, w, h), 1)
	switch act {
	case actNextSection:
		s.section = (s.section + 1) % numSections
	case actPreviousSection:
		s.section = (s.section + numSections - 1) % numSections
	case actUp:
		return s.moveTo(s.position() - 1)
	case actDown:
		return s.moveTo(s.position() + 1)
	case actPageUp:
		return s.moveTo(s.position() - page)
	case actPageDown:
		return s.moveTo(s.position() + page)
	case actLeft, actRight:
		step := 1
		if act == actLeft {
			step = -1
		}
		return s.turn(step)
	case actErase, actReset:
		return s.erase(act == actReset)
	}
	return false
}

// turn moves a caret or goes to another choice.
func (s *setup) turn(step int) bool {
	if s.section == sectionForm {
		return s.form.turn(step)
	}
	if s.section == sectionData && s.onPath() {
		s.path.move(step)
	}
	return false
}

// erase takes back one character, or everything that was typed.
func (s *setup) erase(all bool) bool {
	text, fallback := &s.path, ""
	switch {
	case s.section == sectionForm && s.form.current() != nil:
		row := s.form.current()
		text, fallback = &row.text, row.Default
		if !all && row.choices() != nil {
			return false
		}
	case s.section != sectionData || !s.onPath():
		return false
	}
	if all {
		*text = newLineEdit(fallback)
	} else {
		text.erase()
	}
	return true
}

// position returns the chosen row of the section in focus.
func (s *setup) position() int {
	switch s.section {
	case sectionData:
		return s.chosen
	case sectionFamily:
		return s.family
	}
	return s.form.at
}

// rows returns the number of rows of a section.
func (s *setup) rows(of section) int {
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
func (s *setup) moveTo(row int) bool {
	row = min(max(row, 0), max(s.rows(s.section)-1, 0))
	if row == s.position() {
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

// mouse chooses what was clicked, or scrolls the list under the wheel.
func (s *setup) mouse(x, y, wheel, w, h int) bool {
	l := arrangeSetup(w, h, s.section)
	for _, p := range l.parts {
		if !p.rect.contains(x, y) {
			continue
		}
		if wheel != 0 {
			s.scrollBy(p.id, 2*wheel, s.listHeight(p))
			return false
		}
		s.section = p.id
		row := s.scroll[p.id] + y - p.inner().y
		if y < p.inner().y || row >= s.rows(p.id) {
			return false
		}
		return s.moveTo(row)
	}
	if wheel == 0 && l.tabs.contains(x, y) {
		for _, t := range s.tabSpans(l.tabs.w) {
			if x >= t.x && x < t.x+t.w {
				s.section = section(t.id)
			}
		}
	}
	return false
}

// scrollBy moves the window of a list. In the form the current row follows into
// the window; in the lists, where a row is a choice, it stays what it is.
func (s *setup) scrollBy(of section, n, visible int) {
	most := max(s.rows(of)-max(visible, 1), 0)
	s.scroll[of] = min(max(s.scroll[of]+n, 0), most)
	if of == sectionForm {
		last := s.scroll[of] + max(visible, 1) - 1
		s.form.at = min(max(s.form.at, s.scroll[of]), min(last, max(len(s.form.fields)-1, 0)))
	}
}
