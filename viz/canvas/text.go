package canvas

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// runeWidth returns the cells that a rune takes: 0 for control characters and
// for every rune that would join its neighbours (marks, joiners, flags), which
// text leaves out; else 1 or 2.
func runeWidth(r rune) int {
	if r < utf8.RuneSelf {
		if r < 32 || r == 127 {
			return 0
		}
		return 1
	}
	if r >= 0x2500 && r < 0x2600 { // box drawing, blocks, geometric shapes
		return 1
	}
	if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsMark(r) {
		return 0
	}
	w := ansi.StringWidth(string(r))
	if w < 1 || w > 2 || ansi.StringWidth("a"+string(r)+string(r)+"a") != 2+2*w {
		return 0
	}
	return w
}

// Width returns the cells that text draws for s.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Truncate returns s cut to at most w cells, with … where something was cut.
func Truncate(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	var out strings.Builder
	n := 0
	for _, r := range s {
		rw := runeWidth(r)
		if n+rw > w-1 {
			break
		}
		if rw > 0 {
			out.WriteRune(r)
			n += rw
		}
	}
	return out.String() + "…"
}
