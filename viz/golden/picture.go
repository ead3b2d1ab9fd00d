package golden

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"dgplab/viz/canvas"
)

// Styles are the terminals that boxes are checked for.
var Styles = []canvas.Style{
	{}, {ASCII: true}, {Mode: canvas.ANSI16, Dark: true}, {Mode: canvas.ANSI256},
	{Mode: canvas.TrueColor, Dark: true}, {Mode: canvas.TrueColor, ASCII: true},
	{Braille: true}, {Mode: canvas.TrueColor, HighContrast: true, Braille: true, Dark: true},
	{ASCII: true, Braille: true},
}

// boxProblem returns the reason why a picture is not a box of w x h cells in a style, or "".
func boxProblem(lines []string, style canvas.Style, w, h int) string {
	if w < 1 || h < 1 {
		if len(lines) != 0 {
			return "not empty"
		}
		return ""
	}
	if len(lines) != h {
		return fmt.Sprintf("%d lines, want %d", len(lines), h)
	}
	for i, line := range lines {
		if got := lipgloss.Width(line); got != w {
			return fmt.Sprintf("line %d has %d cells, want %d: %q", i, got, w, line)
		}
	}
	for _, r := range strings.Join(lines, "") {
		switch {
		case r == '\x1b' && style.Mode == canvas.NoColor:
			return "an escape code without colour"
		case style.ASCII && r != '\x1b' && (r < 32 || r > 126):
			return fmt.Sprintf("%q in ASCII", r)
		}
	}
	return ""
}

// CheckBox fails the test if a picture is not an exact box.
func CheckBox(t *testing.T, lines []string, style canvas.Style, w, h int) {
	t.Helper()
	if p := boxProblem(lines, style, w, h); p != "" {
		t.Fatalf("%dx%d %+v: %s\n%s", w, h, style, p, strings.Join(lines, "\n"))
	}
}

// CheckEscaped compares a string with testdata/NAME.golden, in which Escape is written as ␛.
func CheckEscaped(t *testing.T, name, got string) {
	t.Helper()
	Check(t, name, strings.ReplaceAll(got, "\x1b", "␛")+"\n")
}

// frame draws a frame around a picture to show its extent in a golden file.
func frame(title string, lines []string, w int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n+%s+\n", title, strings.Repeat("-", w))
	for _, line := range lines {
		b.WriteString("|" + line + "|\n")
	}
	return b.String() + "+" + strings.Repeat("-", w) + "+\n"
}

// Picture is a picture drawn as text.
type Picture interface {
	Render(style canvas.Style, w, h int) []string
}

// Text draws a picture as one string.
func Text(p Picture, style canvas.Style, w, h int) string {
	return strings.Join(p.Render(style, w, h), "\n")
}

// maxRecorded is the largest number of sizes of a picture in a golden file, and recordedWidth is
// the width of the widest. A picture that is only a message is recorded once, at most messageWidth
// cells wide.
const (
	maxRecorded   = 3
	recordedWidth = 60
	messageWidth  = 24
)

// isMessage reports whether a picture has only one line of text.
func isMessage(lines []string) bool {
	count := 0
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			count++
		}
	}
	return count == 1
}

// Sweep draws a picture in many sizes and checks that each is a box. It returns at most three of
// them as one string, the largest that are at most 60 cells wide, and only the last in ASCII.
func Sweep(t *testing.T, r Picture, style canvas.Style, sizes [][2]int) string {
	t.Helper()
	var b strings.Builder
	recorded, most, widest := 0, maxRecorded, recordedWidth
	if len(sizes) > 0 && isMessage(r.Render(style, sizes[0][0], sizes[0][1])) {
		most, widest = 1, messageWidth
	}
	for i, s := range sizes {
		picture := r.Render(style, s[0], s[1])
		CheckBox(t, picture, style, s[0], s[1])
		record := s[0] <= widest && recorded < most
		last := i == len(sizes)-1
		if style.ASCII && last || !style.ASCII && (record || last && recorded == 0) {
			recorded++
			b.WriteString(frame(fmt.Sprintf("%d x %d", s[0], s[1]), picture, s[0]) + "\n")
		}
	}
	return b.String()
}

// CheckSizes draws a picture in many sizes, as Sweep does, and compares the result with a golden file. An
// ASCII picture that is only a message has no golden file, because the style does not change the message.
func CheckSizes(t *testing.T, name string, r Picture, style canvas.Style, sizes [][2]int) {
	t.Helper()
	drawn := Sweep(t, r, style, sizes)
	if style.ASCII && isMessage(r.Render(style, sizes[0][0], sizes[0][1])) {
		return
	}
	CheckEscaped(t, name, drawn)
}

// Sizes are the sizes that most pictures are drawn in.
var Sizes = [][2]int{{100, 24}, {58, 16}, {40, 10}, {24, 7}, {16, 5}, {10, 3}, {6, 2}, {5, 1}, {1, 1}}
