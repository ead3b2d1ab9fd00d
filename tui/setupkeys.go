package tui

import (
	"slices"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// text returns the text that is being typed and which runes it takes, nil if
// there is none.
func (s *setup) text() (in *textinput.Model, accepts func(rune) bool) {
	if s.section == sectionData && s.onPath() {
		return &s.path, unicode.IsPrint
	}
	if row := s.form.current(); s.section == sectionForm && row != nil && row.choices() == nil {
		return &row.text, row.accepts
	}
	return nil, nil
}

// typed gives printable keys to the text that is being typed, if there is one that
// takes any of them, and reports whether it did.
func (s *setup) typed(msg tea.KeyMsg) bool {
	in, accepts := s.text()
	if in == nil || msg.Alt || msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
		return false
	}
	msg.Runes = slices.DeleteFunc(slices.Clone(msg.Runes), func(r rune) bool { return !accepts(r) })
	return len(msg.Runes) > 0 && s.edit(msg)
}

// edit gives a key to the text that is being typed and reports whether the text
// changed.
func (s *setup) edit(msg tea.KeyMsg) bool {
	in, _ := s.text()
	if in == nil {
		return false
	}
	before := in.Value()
	*in, _ = in.Update(msg)
	return in.Value() != before
}

// action does what a key asks for and reports whether the configuration changed.
func (s *setup) action(act action, msg tea.KeyMsg) bool {
	page := max(s.panes[s.section].Height, 1)
	switch act {
	case actNextSection:
		s.section = (s.section + 1) % numSections
	case actPreviousSection:
		s.section = (s.section + numSections - 1) % numSections
	case actUp:
		return s.moveTo(s.at(s.section) - 1)
	case actDown:
		return s.moveTo(s.at(s.section) + 1)
	case actPageUp:
		return s.moveTo(s.at(s.section) - page)
	case actPageDown:
		return s.moveTo(s.at(s.section) + page)
	case actLeft:
		return s.edit(msg) || s.turn(-1)
	case actRight:
		return s.edit(msg) || s.turn(1)
	case actNextChoice:
		return s.turn(1)
	case actEdit:
		return s.edit(msg)
	case actReset:
		return s.reset()
	}
	return false
}

// turn goes to another choice of the row in focus.
func (s *setup) turn(step int) bool { return s.section == sectionForm && s.form.turn(step) }

// reset takes back everything that was typed.
func (s *setup) reset() bool {
	row := s.form.current()
	switch {
	case s.section == sectionData && s.onPath():
		s.path.Reset()
	case s.section == sectionForm && row != nil:
		row.text = newText(row.Default)
	default:
		return false
	}
	return true
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

// mouse chooses what was clicked, or scrolls the list under the wheel.
func (s *setup) mouse(x, y, wheel, w, h int) bool {
	l := arrangeSetup(w, h, s.section)
	for _, p := range l.parts {
		if !p.rect.contains(x, y) {
			continue
		}
		if wheel != 0 {
			s.scrollBy(p.id, 2*wheel)
			return false
		}
		s.section = p.id
		row := s.panes[p.id].YOffset + y - p.inner().y
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
func (s *setup) scrollBy(of section, n int) {
	pane := &s.panes[of]
	pane.SetYOffset(pane.YOffset + n)
	if of == sectionForm {
		last := min(pane.YOffset+pane.Height, len(s.form.fields)) - 1
		s.form.at = max(min(s.form.at, last), pane.YOffset)
	}
}
