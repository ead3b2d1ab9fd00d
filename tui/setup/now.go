package setup

import "dgplab/tui/kit"

// Now says what an action does now, and what keeps it from being done.
func (s *Setup) Now(act kit.Action) (word, barred string) {
	l, _, _ := s.line()
	switch act {
	case kit.ActStart:
		if s.starting {
			return "", "the run is being started"
		}
	case kit.ActLeft, kit.ActRight, actNextChoice:
		return s.turnNow(act, l)
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		if l == nil {
			return "", "no text is being typed"
		}
	case kit.ActReset:
		if !s.canReset() {
			return "", "it is the default"
		}
	case actFetch:
		if s.fetch != nil {
			return "cancel", ""
		}
		return "", s.fetchBarred()
	case kit.ActBack:
		if l != nil && l.CanUndo() {
			return "undo", ""
		}
	}
	return "", ""
}

// turnNow is Now of the keys that go through values, or through the characters of
// the text l.
func (s *Setup) turnNow(act kit.Action, l *kit.Line) (word, barred string) {
	row := s.form.current()
	switch {
	case s.section == sectionForm && row != nil && len(row.Values()) > 1:
		return "", ""
	case l == nil:
		return "", "there is no other value"
	case act == actNextChoice:
		return "", "this value is typed"
	case act == kit.ActRight:
		return "edit", ""
	}
	return "", ""
}

// canReset reports whether there is a default to put back.
func (s *Setup) canReset() bool {
	if row := s.form.current(); s.section == sectionForm && row != nil {
		return row.Changed()
	}
	return s.section == sectionData && s.onPath() && s.path.Value() != ""
}

// Types reports whether r is typed into a text now.
func (s *Setup) Types(r rune) bool {
	l, _, accepts := s.line()
	return l != nil && l.Takes(r, accepts)
}
