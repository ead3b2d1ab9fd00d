package kit

import (
	"slices"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// MostTyped is how many characters a text may have to which more are typed or pasted. A text
// that the program itself puts in place may be longer.
const MostTyped = 4096

// NewInput returns a line of text to be typed, the caret at its end. It takes
// every key it is given: the screen knows which text has the focus.
func NewInput(text string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.Cursor.SetMode(cursor.CursorHide) // Edited draws the caret.
	in.Focus()
	in.SetValue(text)
	return in
}

// Edit gives a key to a text and reports whether the text changed. Characters beyond
// MostTyped are dropped.
func Edit(in *textinput.Model, msg tea.KeyMsg) bool {
	before := in.Value()
	keys := in.KeyMap
	atEnd := in.Position() == utf8.RuneCountInString(before)
	byWord := key.Matches(msg, keys.WordBackward, keys.WordForward) ||
		key.Matches(msg, keys.DeleteWordBackward, keys.DeleteWordForward)
	if atEnd || byWord {
		// With a width, the whole text is measured whenever the caret moves, by words at each
		// character of them. Edited sets the width again.
		in.Width = 0
	}
	in.CharLimit = MostTyped
	*in, _ = in.Update(msg)
	in.CharLimit = 0 // It would cut texts that SetValue puts in place.
	return in.Value() != before
}

// TypeInto gives the runes of a key that accepts says yes to to a text, and reports
// whether it took any. Keys that are no runes are not typed.
func TypeInto(in *textinput.Model, msg tea.KeyMsg, accepts func(rune) bool) bool {
	if msg.Alt || msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
		return false
	}
	msg.Runes = slices.DeleteFunc(slices.Clone(msg.Runes), func(r rune) bool { return !accepts(r) })
	return len(msg.Runes) > 0 && Edit(in, msg)
}

// Edited draws a text that is being typed: as much of it as w cells show, with a
// caret before the next character.
func (th *Theme) Edited(in *textinput.Model, w int) string {
	at := in.Position()
	end := utf8.RuneCountInString(in.Value())
	in.TextStyle = th.Text
	in.Cursor.TextStyle = th.Plain.Transform(func(next string) string {
		if at == end {
			next = ""
		}
		return th.Accent.Render(th.Glyphs.Caret) + th.Text.Render(next)
	})
	width := 0 // the whole text
	if Cells(in.Value()) >= w {
		width = max(w-2, 1)
	}
	if in.Width != width {
		in.Width = width
		in.CursorEnd()
		in.SetCursor(at)
	}
	return in.View()
}
