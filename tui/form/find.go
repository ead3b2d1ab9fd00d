package form

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// search is the search for a field by its name. While it is active, keys are typed into its text and the
// first match is selected.
type search struct {
	active bool
	text   kit.Line
	before string // row selected at the start
}

// Find starts a search.
func (f *Form) Find() { f.search = search{active: true, text: kit.NewSearch(), before: f.at} }

// Finding reports whether a field is being searched.
func (f *Form) Finding() bool { return f.search.active }

// Found ends the search. If keep is false, it selects the previous row.
func (f *Form) Found(keep bool) {
	f.search.active = false
	if !keep {
		f.at = f.search.before
	}
}

// edit passes a key that moves the caret or erases to the text, and reports whether it was such a key.
func (s *search) edit(act kit.Action, msg tea.KeyMsg) bool {
	switch act {
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds, kit.ActLeft, kit.ActRight:
		s.text.Edit(msg)
		return true
	}
	return false
}

// goToMatch selects the first field whose name begins with the text, or else contains it.
func (f *Form) goToMatch() {
	text := strings.ToLower(f.search.text.Value())
	for _, matches := range []func(name, text string) bool{strings.HasPrefix, strings.Contains} {
		for _, field := range f.Fields() {
			if matches(field.Name, text) {
				f.at = field.Name
				return
			}
		}
	}
}

// findTyped passes a key to the text of the search.
func (f *Form) findTyped(msg tea.KeyMsg) bool {
	typed := f.search.text.Type(msg, unicode.IsPrint)
	if typed {
		f.goToMatch()
	}
	return typed
}
