package kit

import (
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Line is the text of a line of a form. It is typed as into a cell of a spreadsheet:
// once the line was chosen, the first character replaces the text, and a key that
// moves the caret or erases edits it instead. Until it is chosen anew, Undo brings
// the text back that it had.
type Line struct {
	textinput.Model
	edited bool   // since the line was chosen: characters go where the caret is
	before string // the text when it was chosen
}

// NewLine returns a line with a text, chosen.
func NewLine(text string) Line { return Line{Model: NewInput(text), before: text} }

// Choose says that a person came to the line.
func (l *Line) Choose() {
	l.edited, l.before = false, l.Value()
	l.CursorEnd()
}

// Takes reports whether r is typed, of what accepts says yes to. A blank or a question
// mark does not replace a text: they are keys of the screen and of the help.
func (l *Line) Takes(r rune, accepts func(rune) bool) bool {
	return accepts(r) && (l.edited || r != '?' && !unicode.IsSpace(r))
}

// Type gives the runes of a key that accepts says yes to to the line, and reports
// whether it took any.
func (l *Line) Type(msg tea.KeyMsg, accepts func(rune) bool) bool {
	if len(msg.Runes) == 0 || !l.Takes(msg.Runes[0], accepts) && !msg.Paste {
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

// Edit gives a key that moves the caret or erases to the line and reports whether
// the text changed.
func (l *Line) Edit(msg tea.KeyMsg) bool {
	l.edited = true
	return Edit(&l.Model, msg)
}

// Put puts another text in place, which Undo takes back, and reports whether it is
// another one.
func (l *Line) Put(text string) bool {
	changed := text != l.Value()
	l.edited = false
	l.SetValue(text)
	l.CursorEnd()
	return changed
}

// Continue puts a text in place as if it had been typed to its end.
func (l *Line) Continue(text string) {
	l.edited = true
	l.SetValue(text)
	l.CursorEnd()
}

// Reset puts the default back, and reports whether the text changed. In a text that
// is being edited, the key delete erases the next character instead.
func (l *Line) Reset(msg tea.KeyMsg, standard string) bool {
	if msg.Type == tea.KeyDelete && l.edited {
		return l.Edit(msg)
	}
	return l.Put(standard)
}

// Undo brings the text back that the line had when it was chosen, and reports
// whether it is another one.
func (l *Line) Undo() bool { return l.Put(l.before) }

// CanUndo reports whether the text is another one than when the line was chosen.
func (l *Line) CanUndo() bool { return l.Value() != l.before }

// Line draws the line on which a person is, at most w cells wide: in brackets while
// what is typed replaces the text, and else with a caret.
func (th *Theme) Line(l *Line, w int) string {
	if l.edited || l.Value() == "" || w < 3 {
		return th.Edited(&l.Model, w)
	}
	text := th.Fit(l.Value(), min(Cells(l.Value()), w-2))
	return th.Accent.Render("[") + th.Selected.Render(text) + th.Accent.Render("]")
}

// Focus is on which line of a form a person is.
type Focus struct{ name string }

// On says that a person is on the line l of that name, or, when l is nil, on none.
// One that they have just come to is chosen.
func (f *Focus) On(name string, l *Line) {
	if l == nil {
		name = ""
	} else if name != f.name {
		l.Choose()
	}
	f.name = name
}

// Again says that the person came to where they are once more, as by a click.
func (f *Focus) Again() { f.name = "" }
