package kit

import (
	"slices"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// MaxTyped is the maximum number of characters of typed or pasted text. Text that the program sets
// may be longer.
const MaxTyped = 4096

// NewInput returns a text input with the caret at its end. It accepts every key; the screen decides
// which input has the focus.
func NewInput(text string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.Cursor.SetMode(cursor.CursorHide) // InputView draws the caret.
	in.Focus()
	in.SetValue(text)
	return in
}

// Edit passes a key to an input and reports whether the text changed. It drops characters beyond
// MaxTyped.
func Edit(in *textinput.Model, msg tea.KeyMsg) bool {
	before := in.Value()
	keys := in.KeyMap
	atEnd := in.Position() == utf8.RuneCountInString(before)
	byWord := key.Matches(msg, keys.WordBackward, keys.WordForward) ||
		key.Matches(msg, keys.DeleteWordBackward, keys.DeleteWordForward)
	if atEnd || byWord {
		// If a width is set, textinput measures the whole text for every move of the caret, and for a move by
		// a word at each character. InputView restores the width.
		in.Width = 0
	}
	in.CharLimit = MaxTyped
	*in, _ = in.Update(msg)
	in.CharLimit = 0 // A limit would cut text set by SetValue.
	return in.Value() != before
}

// TypeInto inserts the runes of a key for which accepts returns true, and reports whether it
// inserted any. It ignores keys that are not runes.
func TypeInto(in *textinput.Model, msg tea.KeyMsg, accepts func(rune) bool) bool {
	if msg.Alt || msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
		return false
	}
	msg.Runes = slices.DeleteFunc(slices.Clone(msg.Runes), func(r rune) bool { return !accepts(r) })
	return len(msg.Runes) > 0 && Edit(in, msg)
}

// InputView draws a text input in w cells, scrolled to the caret.
func (th *Theme) InputView(in *textinput.Model, w int) string {
	at := in.Position()
	end := utf8.RuneCountInString(in.Value())
	in.TextStyle = th.Text
	in.Cursor.TextStyle = th.Plain.Transform(func(next string) string {
		if at == end {
			next = ""
		}
		return th.Accent.Render(th.Glyphs.Caret) + th.Text.Render(next)
	})
	width := 0 // width of the whole text
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
