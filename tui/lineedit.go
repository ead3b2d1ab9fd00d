package tui

import "unicode"

// lineEdit is one line of text with a caret.
type lineEdit struct {
	runes []rune
	caret int // from 0 to len(runes)
}

func newLineEdit(text string) lineEdit {
	r := []rune(text)
	return lineEdit{r, len(r)}
}

// String returns the text.
func (l lineEdit) String() string { return string(l.runes) }

// insert puts the printable runes of more at the caret.
func (l *lineEdit) insert(more []rune) {
	rest := l.runes[l.caret:]
	text := append([]rune{}, l.runes[:l.caret]...)
	for _, r := range more {
		if unicode.IsPrint(r) {
			text = append(text, r)
		}
	}
	l.caret = len(text)
	l.runes = append(text, rest...)
}

// erase removes the rune before the caret.
func (l *lineEdit) erase() {
	if l.caret == 0 {
		return
	}
	l.runes = append(append([]rune{}, l.runes[:l.caret-1]...), l.runes[l.caret:]...)
	l.caret--
}

// move takes the caret by n runes, not beyond the ends.
func (l *lineEdit) move(n int) { l.caret = min(max(l.caret+n, 0), len(l.runes)) }
