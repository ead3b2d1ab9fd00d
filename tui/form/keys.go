package form

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// Actions that only forms have.
const (
	NextChoice kit.Action = "next_choice"
	AddValue   kit.Action = "add_value"
	ResetAll   kit.Action = "reset_all"
	// Find searches a field, or an entry of a list beside the form. The screens perform it.
	Find kit.Action = "find"
	// PickFile opens a picker for the data set. The screens perform it.
	PickFile kit.Action = "pick_file"
)

// Bindings holds the keys of every form. Screens add them to their own tables.
var Bindings = []kit.Binding{
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous row.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<up><down>", "select", "Select the next row.", "down"),
	kit.Bind(kit.Values, kit.ActLeft, "<left>", "", "Select the previous value; in text: move left.", "left"),
	kit.Bind(kit.Values, kit.ActRight, "<left><right>", "change",
		"Select the next value; in text: edit it, or move right.", "right"),
	kit.Bind(kit.Values, kit.ActReset, "ctrl+u", "default",
		"Reset to the preset or default. While editing, delete erases a character.", "ctrl+u", "delete"),
	kit.Bind(kit.Values, ResetAll, "ctrl+r", "", "Reset all values to the preset or the defaults.", "ctrl+r"),
	kit.Bind(kit.Look, Find, "/", "find", "Find a setting by its name, or an entry of a list.", "/"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Values, NextChoice, "space", "", "Select the next value; open or close a section.", " "),
	kit.Bind(kit.Values, kit.ActErase, "backspace", "",
		"Edit the value. A digit, or one of . - + ~, begins a new value.",
		"backspace", "ctrl+h"),
	kit.Bind(kit.Values, kit.ActEraseWord, "ctrl+w", "",
		"Erase the previous word.", "ctrl+w", "alt+backspace"),
	kit.Bind(kit.Values, kit.ActTextEnds, "home, end", "",
		"Go to the start or end of the text.", "home", "end", "ctrl+a",
		"ctrl+e"),
}

// findKey is the key of Find. It begins no value, because the first field of a form is often one that is
// typed.
const findKey = "/"

// line returns the selected field if its value is typed as text, and nil otherwise.
func (f *Form) line() *Field {
	if field := f.Current(); field != nil && field.editable() {
		return field
	}
	return nil
}

// SyncTyping updates the focus of the text inputs after a move. elsewhere is set if another part of
// the screen has the focus.
func (f *Form) SyncTyping(elsewhere bool) {
	f.keepRow()
	if field := f.line(); field != nil && !elsewhere && !f.search.active {
		f.typing.Set(field.Name, &field.Input)
		return
	}
	f.typing.Set("", nil)
}

// Type passes printable keys to the selected text field, and reports whether it accepted any. In an
// expression a sign such as "(" continues the name that is selected.
func (f *Form) Type(msg tea.KeyMsg) bool {
	field := f.line()
	switch {
	case f.search.active:
		return f.findTyped(msg)
	case field == nil, msg.String() == findKey && !field.Input.Editing():
		return false
	}
	if len(msg.Runes) > 0 && !msg.Alt && !field.typed() && field.accepts(msg.Runes[0]) {
		field.Input.SetTyped(field.Value())
	}
	return field.Input.Type(msg, field.accepts)
}

// Types reports whether r would now be typed into a text field.
func (f *Form) Types(r rune) bool {
	field := f.line()
	switch {
	case f.search.active:
		return f.search.text.Accepts(r, unicode.IsPrint)
	case field != nil && string(r) == findKey && !field.Input.Editing():
		return false
	}
	return field != nil && (field.Input.Accepts(r, field.accepts) || !field.typed() && field.accepts(r))
}

// Undo ends a search, or reverts the text of the selected line and ends its editing. It reports whether there
// was anything to revert or to end.
func (f *Form) Undo() bool {
	if f.search.active {
		f.Found(false)
		return true
	}
	field := f.line()
	return field != nil && field.Input.Undo()
}

// Accept ends the editing of the selected line at the next call of SyncTyping, and keeps its text.
func (f *Form) Accept() { f.typing.Reset() }

// Act performs an action and reports whether a value changed.
func (f *Form) Act(act kit.Action, msg tea.KeyMsg) bool {
	if f.search.active {
		f.search.active = f.search.edit(act, msg)
		if f.search.active {
			f.goToMatch()
			return false
		}
	}
	switch act {
	case Find:
		f.Find()
		return false
	case kit.ActUp, kit.ActDown, kit.ActPageUp, kit.ActPageDown:
		if rows := f.places(); len(rows) > 0 {
			f.at = rows[act.Moved(f.index(rows), len(rows), f.list.Height())].key()
		}
		return false
	case ResetAll:
		return f.ResetAll()
	}
	return f.change(act, msg)
}

// change performs an action on the selected row.
func (f *Form) change(act kit.Action, msg tea.KeyMsg) bool {
	field := f.Current()
	if field == nil {
		if section := f.fold(); section != "" &&
			(act == NextChoice || act == kit.ActRight && !f.unfolded()[section] ||
				act == kit.ActLeft && f.unfolded()[section]) {
			f.unfold(section)
		}
		return false
	}
	typed := field.typed()
	switch act {
	case kit.ActLeft:
		return typed && field.Input.Edit(msg) || field.Turn(-1)
	case kit.ActRight:
		return typed && field.Input.Edit(msg) || field.Turn(1)
	case NextChoice:
		return field.Turn(1)
	case AddValue:
		return field.addNext()
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		return field.editable() && field.Input.Edit(msg)
	case kit.ActReset:
		return field.Input.Reset(msg, field.Base)
	}
	return false
}

// Available returns the footer word of an action and the reason why it is unavailable.
func (f *Form) Available(act kit.Action) (word, reason string) {
	field := f.Current()
	switch act {
	case kit.ActStart:
		if f.search.active {
			return "select", ""
		}
	case kit.ActLeft, kit.ActRight, NextChoice:
		return f.turnAvailable(act)
	case kit.ActErase, kit.ActEraseWord, kit.ActTextEnds:
		if f.line() == nil {
			return "", "no text to edit"
		}
	case kit.ActReset:
		if field == nil || !field.Changed() {
			return "", "already " + f.baseWords()
		}
		if f.baseWord != defaultWord {
			return "reset", ""
		}
	case ResetAll:
		if f.changes() == 0 {
			return "", "nothing to reset: all values are " + f.baseWords()
		}
	case AddValue:
		if field == nil {
			return "", "not a value"
		}
		return "", field.addObstacle()
	case kit.ActBack:
		line := f.line()
		switch {
		case f.search.active:
			return "undo", ""
		case line == nil:
		case line.Input.CanUndo():
			return "undo", ""
		case line.Input.Editing():
			return "end editing", ""
		}
	}
	return "", ""
}

// turnAvailable implements Available for the keys that change a choice, move the caret or open a section.
func (f *Form) turnAvailable(act kit.Action) (word, reason string) {
	field := f.Current()
	switch {
	case field == nil && f.unfolded()[f.fold()]:
		return "close", ""
	case field == nil:
		return "open", ""
	case field.typed() && act == NextChoice:
		return "", "edit this value with the right arrow"
	case field.typed() && act == kit.ActRight:
		return "edit", ""
	case field.choices() != nil && len(field.choices()) < 2:
		return "", "no other value"
	}
	return "", ""
}

// Scroll moves the window by n rows. The selection moves along.
func (f *Form) Scroll(n int) {
	f.list.Scroll(n)
	top := f.list.Top()
	bottom := f.list.Top() + f.list.Height() - 1
	at := f.index(f.drawn)
	for at < top || at < len(f.drawn) && f.drawn[at].key() == "" {
		at++
	}
	for at > bottom || at >= len(f.drawn) || at > 0 && f.drawn[at].key() == "" {
		at--
	}
	if at >= 0 && at < len(f.drawn) {
		f.at = f.drawn[at].key()
	}
}

// Click selects the clicked row. A click on a fold opens or closes it.
func (f *Form) Click(line int) {
	f.Accept()
	i := f.list.Top() + line
	if line < 0 || line >= f.list.Height() || i >= len(f.drawn) || f.drawn[i].key() == "" {
		return
	}
	f.at = f.drawn[i].key()
	if section := f.drawn[i].fold; section != "" {
		f.unfold(section)
	}
}
