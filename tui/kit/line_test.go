package kit

import (
	"strings"
	"testing"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// TestLineEditing sends keys to a newly selected line and checks the drawn line.
func TestLineEditing(t *testing.T) {
	digits := func(r rune) bool { return strings.ContainsRune("0123456789.,", r) }
	th := NewTheme(termenv.Ascii, true, Unicode)
	for _, c := range []struct {
		name, text string
		accepts    func(rune) bool
		keys       string
		want       string
	}{
		{"nothing yet", "3", digits, "", "[3]"},
		{"the first character replaces", "3", digits, "6 4", "64▏"},
		{"a range", "0", digits, "0 . . 1", "0..1▏"},
		{"other characters are ignored", "3", digits, "x", "[3]"},
		{"the end edits", "3", digits, "end 4", "34▏"},
		{"home edits", "3", digits, "home 4", "4▏3"},
		{"left edits", "345", digits, "left 6", "346▏5"},
		{"right edits", "3", digits, "right 4", "34▏"},
		{"backspace edits", "34", digits, "backspace", "3▏"},
		{"the default", "3", digits, "6 4 ctrl+u", "[2]"},
		{"after the default", "3", digits, "6 4 ctrl+u 5", "5▏"},
		{"undo", "3", digits, "6 4 esc", "[3]"},
		{"undo restores the default", "3", digits, "ctrl+u esc", "[3]"},
		{"undo, then another", "3", digits, "6 esc 7", "7▏"},
		{"delete erases in edited text", "345", digits, "home delete", "▏45"},
		{"delete restores the default", "345", digits, "delete", "[2]"},
		{"letters, blanks and other signs are keys of the screen", "a b", unicode.IsPrint, "b é space ? ,",
			"[a b]"},
		{"letters, blanks and ? are typed while editing", "a b", unicode.IsPrint, "end c space ?", "a bc ?▏"},
		{"a sign begins a new text", "a b", unicode.IsPrint, ". / b", "./b▏"},
		{"undo ends editing", "a", unicode.IsPrint, "right b esc b", "[a]"},
		{"an empty text has words", "", digits, "", "[none]"},
		{"chosen anew", "3", digits, "6 choose 4", "4▏"},
	} {
		l := NewLine(c.text)
		for _, key := range strings.Fields(c.keys) {
			switch key {
			case "esc":
				l.Undo()
			case "choose":
				l.Choose()
			case "ctrl+u":
				l.Reset(tea.KeyMsg{Type: tea.KeyCtrlU}, "2")
			case "delete":
				l.Reset(tea.KeyMsg{Type: tea.KeyDelete}, "2")
			case "home", "end", "left", "right", "backspace":
				l.Edit(tea.KeyMsg{
					Type: map[string]tea.KeyType{
						"home": tea.KeyHome, "end": tea.KeyEnd, "left": tea.KeyLeft, "right": tea.KeyRight,
						"backspace": tea.KeyBackspace,
					}[key],
				})
			case "space":
				l.Type(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}, c.accepts)
			default:
				l.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}, c.accepts)
			}
		}
		if got := th.LineView(&l, "none", 20); got != c.want {
			t.Errorf("%s: %q after %s is %q, want %q", c.name, c.text, c.keys, got, c.want)
		}
	}
}

func TestPasteReplaces(t *testing.T) {
	l := NewLine("old")
	l.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(" /a b?.csv\n"), Paste: true}, unicode.IsPrint)
	if l.Value() != " /a b?.csv" || !l.CanUndo() {
		t.Errorf("pasted %q", l.Value())
	}
}

func TestFocus(t *testing.T) {
	a := NewLine("1")
	b := NewLine("2")
	digit := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("5")}
	var f Focus
	for i, step := range []struct {
		move func()
		on   *Line
		want string
	}{
		{func() { f.Set("a", &a) }, &a, "5"}, {func() { f.Set("a", &a) }, &a, "55"},
		{func() { f.Set("b", &b) }, &b, "5"},
		{func() { f.Set("a", &a) }, &a, "5"}, {func() { f.Set("", nil); f.Set("a", &a) }, &a, "5"},
		{func() { f.Reset(); f.Set("a", &a) }, &a, "5"}, {func() {}, &a, "55"},
	} {
		step.move()
		step.on.Type(digit, unicode.IsDigit)
		if got := step.on.Value(); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// A form row is exactly as wide as requested, and shows part of the value if there is room.
func TestFormRowsFit(t *testing.T) {
	for _, signs := range []Glyphs{Unicode, ASCII} {
		th := NewTheme(termenv.Ascii, true, signs)
		l := NewLine("a-long-value")
		for w := range 80 {
			for _, wrong := range []string{"", "want a whole number"} {
				got := th.FormRow(FormRow{Mark: "> ", Name: "validation_samples",
					NameStyle: th.Text.Render, Changed: true,
					Value: func(w int) string { return th.LineView(&l, "", w) },
					Wrong: wrong, Beside: "default 5"},
					w)
				if Cells(got) != w || strings.Contains(got, "\n") {
					t.Errorf("%d cells: %q has %d", w, got, Cells(got))
				}
				if w >= 18 && !strings.Contains(got, "[a") {
					t.Errorf("%d cells: no value in %q", w, got)
				}
			}
		}
	}
}
