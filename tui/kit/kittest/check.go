package kittest

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
)

// named maps Bubble Tea's names of keys that are not runes to their types.
var named = map[string]tea.KeyType{
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

// CheckSizes fails the test unless a view draws exactly its cells at every width up to 130, each with
// heights up to 45 in steps of stride. In short mode the steps are larger.
func CheckSizes(t testing.TB, what string, stride int, view func(w, h int) string) {
	t.Helper()
	if testing.Short() {
		stride = 29
	}
	for w := 1; w <= 130; w++ {
		for h := 1 + w%stride; h <= 45; h += stride {
			CheckFrame(t, what, view(w, h), w, h)
		}
	}
}

// CheckASCII fails the test unless a view draws only printable ASCII characters.
func CheckASCII(t testing.TB, what string, view func(w, h int) string) {
	t.Helper()
	for _, size := range append(Sizes, Size{"12x2", 12, 2}) {
		for i, r := range view(size.W, size.H) {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Fatalf("%s at %s: byte %d is %q", what, size.Name, i, r)
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

// Trim returns a frame as stored in golden files, without trailing blanks. CheckFrame checks the
// widths.
func Trim(frame string) string {
	var b strings.Builder
	for line := range strings.Lines(frame + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// Size is the size of a screen.
type Size struct {
	Name string
	W, H int
}

// Sizes holds the screen sizes of the golden frames.
var Sizes = []Size{{"120x40", 120, 40}, {"80x24", 80, 24}, {"40x10", 40, 10}}

// Records reports whether a golden file holds the frame of a state at this size. Main states have golden
// files at all sizes. Variants, whose names contain an underscore, have them only at the middle size.
func (s Size) Records(state string) bool { return s.H == 24 || !strings.Contains(state, "_") }
