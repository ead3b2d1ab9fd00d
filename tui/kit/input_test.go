package kit

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// pasted returns the key message of a paste.
func pasted(text string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
}

func TestTypedTextLimit(t *testing.T) {
	for _, text := range []string{"", "abc", strings.Repeat("é", MaxTyped-1)} {
		in := NewInput(text)
		Edit(&in, pasted(strings.Repeat("ü", 5*MaxTyped)))
		if n := utf8.RuneCountInString(in.Value()); n != MaxTyped {
			t.Errorf("a text of %d characters has %d after a paste", utf8.RuneCountInString(text), n)
		}
		if Edit(&in, pasted("x")) {
			t.Error("a full text takes one more character")
		}
	}
}

// Texts set by the program are not cut, even when they are edited.
func TestLongTextsAreNotCut(t *testing.T) {
	long := strings.Repeat("column,", MaxTyped)
	l := NewLine(long)
	if l.Value() != long {
		t.Fatalf("%d characters are left of %d", len(l.Value()), len(long))
	}
	l.Edit(tea.KeyMsg{Type: tea.KeyBackspace})
	if l.Value() != long[:len(long)-1] {
		t.Errorf("%d characters are left of %d after one was erased", len(l.Value()), len(long))
	}
	if Edit(&l.Model, pasted("x")) {
		t.Error("a text beyond the limit takes one more character")
	}
	l.Replace(long + long)
	if l.Value() != long+long {
		t.Errorf("%d characters replace %d", len(l.Value()), 2*len(long))
	}
}

// Erasing a word is fast. Measuring the whole text at each character would allocate at least once per
// character.
func TestWordErasureIsFast(t *testing.T) {
	const most = 1000
	th := NewTheme(termenv.Ascii, true, Unicode)
	for _, c := range []struct {
		name string
		key  tea.KeyMsg
		left string
	}{
		{"erase", tea.KeyMsg{Type: tea.KeyCtrlW}, ""},
		{"erase", tea.KeyMsg{Type: tea.KeyBackspace, Alt: true}, ""},
		{"go back", tea.KeyMsg{Type: tea.KeyCtrlLeft}, "same"},
	} {
		allocs := testing.AllocsPerRun(1, func() {
			l := NewLine("")
			l.Type(pasted(strings.Repeat("a/b", MaxTyped/3)), unicode.IsPrint)
			l.Model.Width = 60 // InputView sets this width.
			text := l.Value()
			l.Edit(c.key)
			if c.left == "same" {
				c.left = text
			}
			if l.Value() != c.left {
				t.Errorf("%s leaves %d characters", c.name, len(l.Value()))
			}
		})
		if allocs > most {
			t.Errorf("%s makes %v allocations", c.name, allocs)
		}
	}
	l := NewLine("")
	l.Type(pasted("one two three four"), unicode.IsPrint)
	th.LineView(&l, "", 12)
	l.Edit(tea.KeyMsg{Type: tea.KeyCtrlLeft})
	l.Edit(tea.KeyMsg{Type: tea.KeyCtrlLeft})
	if text := th.LineView(&l, "", 12); !strings.Contains(text, "▏three") || Cells(text) > 12 {
		t.Errorf("after two words the window shows %q", text)
	}
}
