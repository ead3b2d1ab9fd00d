package kit

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Line is the text of a form row, edited like a spreadsheet cell. While the line is only selected, letters
// are keys of the screen. A key that moves the caret or erases begins to edit the text; a digit, or a sign
// that begins a number or a path, begins a new text. From then on all characters are typed. Undo restores the
// text that the line had when it was selected, and ends the editing.
type Line struct {
	textinput.Model
	edited bool   // The text is being edited: characters are inserted at the caret.
	Select string // text at the selection
}

// NewLine returns a selected line with the given text.
func NewLine(text string) Line { return Line{Model: NewInput(text), Select: text} }

// NewSearch returns an empty line that is being edited.
func NewSearch() Line { return Line{Model: NewInput(""), edited: true} }

// Choose marks the line as newly selected.
func (l *Line) Choose() {
	l.edited, l.Select = false, l.Value()
	l.CursorEnd()
}

// Accepts reports whether r is typed into the line. accepts must allow it. Letters are typed only into a line
// that is being edited.
func (l *Line) Accepts(r rune, accepts func(rune) bool) bool {
	return accepts(r) && (l.edited || unicode.IsDigit(r) || strings.ContainsRune("+-./~", r))
}

// Editing reports whether the text is being edited.
func (l *Line) Editing() bool { return l.edited }

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

// Undo restores the text at the selection and ends the editing. It reports whether there was anything to end
// or to restore.
func (l *Line) Undo() bool {
	undone := l.edited || l.CanUndo()
	l.Replace(l.Select)
	return undone
}

// CanUndo reports whether the text has changed since the selection.
func (l *Line) CanUndo() bool { return l.Value() != l.Select }

// LineView draws the selected line, at most w cells wide: with a caret while it is being edited, and
// otherwise in brackets. empty stands for an empty text.
func (th *Theme) LineView(l *Line, empty string, w int) string {
	if l.edited || w < 3 {
		return th.InputView(&l.Model, w)
	}
	text := th.Selected.Render(th.Cut(l.Value(), w-2))
	if l.Value() == "" {
		text = th.Dim.Render(th.Cut(empty, w-2))
	}
	return th.Accent.Render("[") + text + th.Accent.Render("]")
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
