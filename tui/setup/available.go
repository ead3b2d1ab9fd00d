package setup

import (
	"unicode"

	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Available returns the footer word of an action and the reason why it is unavailable.
func (s *Setup) Available(act kit.Action) (word, reason string) {
	switch act {
	case kit.ActStart:
		switch {
		case s.starting:
			return "", "the run is starting"
		case s.onFind():
			return "select", ""
		case s.section == sectionForm:
			return s.form.Available(act)
		}
		return "", ""
	case actFetch:
		if s.fetch != nil {
			return "cancel", ""
		}
		return "", s.fetchObstacle()
	case form.PickFile:
		return "", ""
	case actColumns:
		return "", s.columnsObstacle()
	case kit.ActNextPart:
		if s.onPathLine() && s.files.path.Value() != "" || s.section == sectionForm && s.form.Completes() {
			return "complete", ""
		}
		return "", ""
	case form.Find:
		if s.section == sectionData {
			return "", "go to the families or the settings first"
		}
		return "", ""
	case actAdvise:
		if s.family.advice != nil {
			return "all families", ""
		}
		return "", s.adviceObstacle()
	case kit.ActSweep:
		if s.family.advice != nil {
			return "compare", ""
		}
		return "", ""
	case actSize:
		if s.otherBudget() == "" {
			return "full size", ""
		}
		return "quick", ""
	case form.ResetAll:
		return s.form.Available(act)
	}
	if s.section == sectionForm {
		return s.form.Available(act)
	}
	return s.listAvailable(act)
}

// listAvailable is Available while a list has the focus.
func (s *Setup) listAvailable(act kit.Action) (word, reason string) {
	typed := s.onPathLine() || s.onFind() || act == kit.ActRight && s.section == sectionData && s.isFile()
	switch act {
	case form.NextChoice:
		return "", "no other value"
	case kit.ActLeft, kit.ActRight:
		if !typed {
			return "", "no other value"
		}
		if act == kit.ActRight {
			return "edit", ""
		}
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		if !typed {
			return "", "no text to edit"
		}
	case kit.ActReset:
		if !s.onPathLine() || s.files.path.Value() == "" {
			return "", "already the default"
		}
	case kit.ActBack:
		switch {
		case s.onFind(), s.onPathLine() && s.files.path.CanUndo():
			return "undo", ""
		case s.onPathLine() && s.files.path.Editing():
			return "end editing", ""
		}
	}
	return "", ""
}

// Types reports whether r would now be typed into a text field.
func (s *Setup) Types(r rune) bool {
	switch {
	case s.files.picker.IsOpen(), s.page.IsOpen():
		return true
	case s.onPathLine():
		return s.files.path.Accepts(r, unicode.IsPrint)
	case s.section == sectionData && startsPath(r):
		return true
	case s.onFind():
		return s.family.text.Accepts(r, unicode.IsPrint)
	}
	return s.section == sectionForm && s.form.Types(r)
}
