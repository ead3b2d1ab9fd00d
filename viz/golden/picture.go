package golden

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"dgplab/viz/canvas"
)

// Picture is a picture drawn as text.
type Picture interface {
	Render(style canvas.Style, w, h int) []string
}

// Text draws a picture as one string.
func Text(p Picture, style canvas.Style, w, h int) string {
	return strings.Join(p.Render(style, w, h), "\n")
}

// Styles are the terminals that boxes are checked for.
var Styles = []canvas.Style{
	{}, {ASCII: true}, {Mode: canvas.ANSI16, Dark: true}, {Mode: canvas.ANSI256},
	{Mode: canvas.TrueColor, Dark: true}, {Mode: canvas.TrueColor, ASCII: true},
	{Braille: true}, {Mode: canvas.TrueColor, HighContrast: true, Braille: true, Dark: true},
	{ASCII: true, Braille: true},
}

// sizes are the sizes that boxes are checked for. Smaller pictures have fewer parts, and some sizes have no
// cells.
var sizes = [][2]int{
	{118, 34}, {58, 16}, {40, 10}, {24, 7}, {16, 5}, {10, 3}, {70, 2}, {1, 10}, {1, 1}, {40, 0}, {-1, -1},
}

// CheckPicture compares a picture of w x h cells without colours with testdata/NAME.golden. It also checks
// the boxes of the picture, and that a terminal with colours gets some.
func CheckPicture(t *testing.T, name string, p Picture, w, h int) {
	t.Helper()
	edge := "+" + strings.Repeat("-", w) + "+\n"
	Check(t, name, edge+"|"+strings.ReplaceAll(Text(p, canvas.Style{}, w, h), "\n", "|\n|")+"|\n"+edge)
	CheckBoxes(t, p)
	if !strings.Contains(Text(p, canvas.Style{Mode: canvas.TrueColor}, w, h), "\x1b[38;2;") {
		t.Errorf("%s has no colours", name)
	}
}

// CheckMessage checks that a picture is only a message, and an exact box.
func CheckMessage(t *testing.T, p Picture, want string) {
	t.Helper()
	text := Text(p, canvas.Style{}, 100, 9)
	if got := strings.Join(strings.Fields(text), " "); got != want {
		t.Errorf("the picture is %q, want only the message %q", got, want)
	}
	CheckBoxes(t, p)
}

// CheckBoxes checks that a picture is an exact box in many sizes and in all styles.
func CheckBoxes(t *testing.T, p Picture) {
	t.Helper()
	for _, style := range Styles {
		for _, s := range sizes {
			CheckBox(t, p.Render(style, s[0], s[1]), style, s[0], s[1])
		}
	}
}

// CheckBox fails the test if a picture is not an exact box.
func CheckBox(t *testing.T, lines []string, style canvas.Style, w, h int) {
	t.Helper()
	if p := boxProblem(lines, style, w, h); p != "" {
		t.Fatalf("%dx%d %+v: %s\n%s", w, h, style, p, strings.Join(lines, "\n"))
	}
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
		if got := ansi.StringWidth(line); got != w {
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
