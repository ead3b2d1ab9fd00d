package kittest

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/viz/golden"
)

// named maps Bubble Tea's names of keys that are not runes to their types.
var named = map[string]tea.KeyType{
	"f2":    tea.KeyF2,
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "shift+up": tea.KeyShiftUp,
	"shift+down": tea.KeyShiftDown,
	"pgup":       tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"ctrl+a": tea.KeyCtrlA, "ctrl+c": tea.KeyCtrlC, "ctrl+e": tea.KeyCtrlE, "ctrl+n": tea.KeyCtrlN,
	"ctrl+o": tea.KeyCtrlO, "ctrl+p": tea.KeyCtrlP,
	"ctrl+r": tea.KeyCtrlR, "ctrl+s": tea.KeyCtrlS, "ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW,
}

// Press returns the message for Bubble Tea's name of a key. Any other text becomes a message of several
// runes.
func Press(key string) tea.KeyMsg {
	if t, ok := named[key]; ok {
		return tea.KeyMsg{Type: t}
	}
	if key == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}

// CheckFrame fails the test unless the frame has exactly h lines of w cells.
func CheckFrame(t testing.TB, what, frame string, w, h int) {
	t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		t.Fatalf("%s at %d x %d has %d lines", what, w, h, len(rows))
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("%s at %d x %d: line %d has %d cells: %q", what, w, h, i, n, row)
		}
	}
}

// CheckShows fails the test unless a frame contains each of the texts.
func CheckShows(t testing.TB, what, frame string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			t.Errorf("%s: no %q in\n%s", what, text, frame)
		}
	}
}

// CheckPage compares the frame of a page at 120 x 40 cells with testdata/NAME.golden.
func CheckPage(t testing.TB, name string, view func(w, h int) string) {
	t.Helper()
	frame := view(120, 40)
	CheckFrame(t, name, frame, 120, 40)
	golden.Check(t, name, Trim(frame))
}

// Sizes holds usual sizes of screens, from large to small.
var Sizes = [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 10}}

// CheckSizes fails the test unless a view draws exactly its cells at the usual sizes and at 45 others. Their
// widths are 1 to 30, and 37 to 135 in steps of 7. Each height up to 45 occurs once.
func CheckSizes(t testing.TB, what string, view func(w, h int) string) {
	t.Helper()
	for _, size := range Sizes {
		CheckFrame(t, what, view(size[0], size[1]), size[0], size[1])
	}
	for i := range 45 {
		w, h := i+1, 1+7*i%45
		if w > 30 {
			w = 30 + 7*(w-30)
		}
		CheckFrame(t, what, view(w, h), w, h)
	}
}

// CheckASCII fails the test unless a view draws only printable ASCII characters.
func CheckASCII(t testing.TB, what string, view func(w, h int) string) {
	t.Helper()
	for _, size := range Sizes {
		for i, r := range view(size[0], size[1]) {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Fatalf("%s at %d x %d: byte %d is %q", what, size[0], size[1], i, r)
			}
		}
	}
}

// CheckColours fails the test unless a view has colours only in colour themes and the same cells in all
// themes.
func CheckColours(t testing.TB, what string, view func(*kit.Theme) string) {
	t.Helper()
	plain := view(PlainTheme())
	if strings.Contains(plain, "\x1b") {
		t.Errorf("%s has escape codes without colour", what)
	}
	for _, dark := range []bool{true, false} {
		got := view(kit.NewTheme(termenv.TrueColor, dark, kit.Unicode))
		if ansi.Strip(got) != plain {
			t.Errorf("%s, dark %v: colours move cells", what, dark)
		}
		if !strings.Contains(got, "\x1b") {
			t.Errorf("%s, dark %v: no colours", what, dark)
		}
	}
}

// CheckTiling fails the test unless the regions lie on a screen of w x h cells without overlap.
func CheckTiling(t testing.TB, what string, w, h int, regions []kit.Rect) {
	t.Helper()
	seen := make([]bool, w*h)
	for _, r := range regions {
		if r.Empty() {
			continue
		}
		if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
			t.Fatalf("%s: %v extends beyond the screen of %d x %d", what, r, w, h)
		}
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if seen[y*w+x] {
					t.Fatalf("%s at %d x %d: %v overlaps another region at %d, %d", what, w, h, r, x, y)
				}
				seen[y*w+x] = true
			}
		}
	}
}

// Trim returns a frame as stored in golden files, without trailing blanks.
func Trim(frame string) string {
	var b strings.Builder
	for line := range strings.Lines(frame + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}
