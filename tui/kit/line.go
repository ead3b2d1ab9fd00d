package kit

import (
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Line is the text of a form row, edited like a spreadsheet cell. After the line has been selected, a
// character replaces the text, while a key that moves the caret or erases edits the text. Undo restores the
// text that the line had when it was selected.
type Line struct {
	textinput.Model
	edited bool   // The text is being edited: characters are inserted at the caret.
	Select string // text at the selection
}

// NewLine returns a selected line with the given text.
func NewLine(text string) Line { return Line{Model: NewInput(text), Select: text} }

// Choose marks the line as newly selected.
func (l *Line) Choose() {
	l.edited, l.Select = false, l.Value()
	l.CursorEnd()
}

// Accepts reports whether r is typed into the line. accepts must allow it. A blank or a question mark does
// not replace the text, because they are keys of the screen and of the help page.
func (l *Line) Accepts(r rune, accepts func(rune) bool) bool {
	return accepts(r) && (l.edited || r != '?' && !unicode.IsSpace(r))
}

// Type inserts the runes of a key for which accepts returns true, and reports whether it inserted
// any.
func (l *Line) Type(msg tea.KeyMsg, accepts func(rune) bool) bool {
	if len(msg.Runes) == 0 || !l.Accepts(msg.Runes[0], accepts) && !msg.Paste {
		return false
	}
	text := l.Value()
	if !l.edited {
		l.SetValue("")
	}
	if !TypeInto(&l.Model, msg, accepts) {
		l.SetValue(text)
		return false
	}
	l.edited = true
	return true
}

// Edit passes a key that moves the caret or erases text to the line, and reports whether the text changed.
func (l *Line) Edit(msg tea.KeyMsg) bool {
	l.edited = true
	return Edit(&l.Model, msg)
}

// Replace sets the text and reports whether it changed. Undo can revert the change.
func (l *Line) Replace(text string) bool {
	changed := text != l.Value()
	l.edited = false
	l.SetValue(text)
	l.CursorEnd()
	return changed
}

// SetTyped sets the text as if the user had typed it.
func (l *Line) SetTyped(text string) {
	l.edited = true
	l.SetValue(text)
	l.CursorEnd()
}

// Reset restores the default and reports whether the text changed. While the text is being edited, the delete
// key erases the next character instead.
func (l *Line) Reset(msg tea.KeyMsg, standard string) bool {
	if msg.Type == tea.KeyDelete && l.edited {
		return l.Edit(msg)
	}
	return l.Replace(standard)
}

// Undo restores the text at the selection, and reports whether the text changed.
func (l *Line) Undo() bool { return l.Replace(l.Select) }

// CanUndo reports whether the text has changed since the selection.
func (l *Line) CanUndo() bool { return l.Value() != l.Select }

// LineView draws the selected line, at most w cells wide: in brackets if typing would replace the
// text, otherwise with a caret.
func (th *Theme) LineView(l *Line, w int) string {
	if l.edited || l.Value() == "" || w < 3 {
		return th.InputView(&l.Model, w)
	}
	text := th.Fit(l.Value(), min(Cells(l.Value()), w-2))
	return th.Accent.Render("[") + th.Selected.Render(text) + th.Accent.Render("]")
}

// Focus tracks which line of a form is selected.
type Focus struct{ name string }

// Set moves the focus to the line l with the given name, and selects it if the focus was elsewhere.
// If l is nil, no line has the focus.
func (f *Focus) Set(name string, l *Line) {
	if l == nil {
		name = ""
	} else if name != f.name {
		l.Choose()
	}
	f.name = name
}

// Reset makes the next call of Set select its line again, as after a click.
func (f *Focus) Reset() { f.name = "" }
