package kit

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// At every width, wrapped lines fit, the text is complete and numbers are not split.
func TestWrap(t *testing.T) {
	for _, text := range []string{
		"KL: given layers below; effective: mean over GPs, - where q starts contracted",
		"a well-known stripes-and-arrow (x - y) of 2026-11-22 is -1.5 - 2, in /a/long/path/to/a-file.csv",
	} {
		for w := 1; w < 90; w++ {
			lines := Wrap(text, w)
			for _, line := range lines {
				if Cells(line) > w {
					t.Errorf("in %d cells there is the line %q", w, line)
				}
			}
			bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if bare(strings.Join(lines, "")) != bare(text) {
				t.Errorf("in %d cells %q becomes %q", w, text, lines)
			}
		}
	}
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"Friedman, Iman-Davenport", 16, "Friedman, Iman-|Davenport"},
		{"it is -1.5 here", 8, "it is|-1.5|here"},
		{"two\n  paragraphs", 20, "two|  paragraphs"},
		{"incomprehensible", 6, "incomp|rehens|ible"},
		{"二号機", 1, "二号機"},
	} {
		if got := strings.Join(Wrap(c.text, c.w), "|"); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

func TestFrame(t *testing.T) {
	th := NewTheme(termenv.Ascii, true, Unicode)
	for _, c := range []struct {
		title, note string
		w, h        int
		focused     bool
		want        string
	}{
		{"Fit", "", 12, 3, false, `
╭── Fit ───╮
│ text     │
╰──────────╯`},
		{"Fit", "", 12, 4, true, `
╭─▸ Fit ───╮
│ text     │
│ more te… │
╰──────────╯`},
		{"Fit", "95 %", 19, 3, false, `
╭── Fit ── 95 % ──╮
│ text            │
╰─────────────────╯`},
		{"Fit", "95 %", 17, 3, false, `
╭── Fit ── 95 % ╮
│ text          │
╰───────────────╯`},
		{"Fit", "95 %", 16, 3, false, `
╭── Fit ───────╮
│ text         │
╰──────────────╯`},
		{"Functions", "", 12, 3, false, `
╭── Func… ─╮
│ text     │
╰──────────╯`},
		{"Functions", "", 16, 3, false, `
╭── Functions ─╮
│ text         │
╰──────────────╯`},
		{"Fit", "", 4, 3, false, `
╭──╮
│  │
╰──╯`},
		{"Fit", "", 3, 3, false, "\nte…\nmo…\n   "},
		{"Fit", "", 6, 2, false, "\ntext  \nmore …"},
	} {
		text := []string{"text", "more text"}
		got := "\n" + strings.Join(th.Frame(c.title, c.note, text, c.w, c.h, c.focused), "\n")
		if got != c.want {
			t.Errorf("%s, %s in %d x %d cells:%s\nwant%s", c.title, c.note, c.w, c.h, got, c.want)
		}
	}
}

// Text in a fixed number of cells is padded or cut.
func TestTextInCells(t *testing.T) {
	th := NewTheme(termenv.Ascii, true, Unicode)
	for _, c := range []struct{ got, want string }{
		{th.Sides("left", "right", 12), "left   right"},
		{th.Sides("left", "right", 10), "left right"},
		{th.Sides("left", "right", 9), "le… right"},
		{th.Sides("left", "right", 5), "right"},
		{th.Sides("left", "right", 4), "rig…"},
		{th.Sides("", "right", 6), " right"},
		{th.Cell("12", 4, true), "  12"},
		{th.Cell("12", 4, false), "12  "},
		{th.Cell("12345", 4, true), "123…"},
		{th.Fit("two\nlines", 9), "two lines"},
		{th.FitSweep("depth-9737cc", 12), "depth-9737cc"},
		{th.FitSweep("long-depth-9737cc", 12), "long-…9737cc"},
		{th.FitSweep("long-depth-9737cc", 11), "long-depth…"},
		{th.FitSweep("long-depth-of-x", 12), "long-depth-…"},
		{JoinFitting(5, ", ", "a", "", "bc"), "a, bc"},
		{JoinFitting(4, ", ", "a", "bc", "d"), "a"},
		{strings.Join(th.Centred("a b", 5, 3), "|"), "     | a b |     "},
		{strings.Join(th.Centred("ab cd", 2, 4), "|"), "  |ab|cd|  "},
		{strings.Join(th.Centred("a b", 3, 0), "|"), ""},
		{Plain([]string{"a  ", " b", "  "}), "a\n b"},
		{JoinNotes([]string{"a", "b"}), "a; b"},
		{strings.Join(th.NoteRows([]string{"n"}, []string{"w", "v"}), "|"), "! w; v|n"},
		{strings.Join(th.NoteRows(nil, nil), "|"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	many := strings.Split(strings.Repeat("n ", maxNotes+1), " ")
	if got := JoinNotes(many); got != strings.Repeat("n; ", maxNotes-1)+"n" {
		t.Errorf("of %d notes: %q", len(many), got)
	}
	if lines := Wrap("a", 0); lines != nil {
		t.Errorf("in 0 cells: %q", lines)
	}
}

// A description follows the rows of a list after a blank line. It is cut in the last line.
func TestDescribed(t *testing.T) {
	th := NewTheme(termenv.Ascii, true, Unicode)
	rows := []string{"one", "two"}
	for _, c := range []struct {
		text, last string
		h          int
		want       string
	}{
		{"short", "", 8, "one|two"}, // no room
		{"short", "", 9, "one   |two   |      |      |      ||short"},
		{"a text of three lines", "", 9, "one   |two   |      |      |      ||a text|of|three…"},
		{"a text of three lines", "last", 9, "one   |two   |      |      |      ||a text|of th…|last"},
		{"short", "a long last line", 9, "one   |two   |      |      |      ||short|a long|last …"},
	} {
		got := strings.Join(th.Described(rows, c.text, c.last, 6, c.h), "|")
		if got != c.want {
			t.Errorf("%q, %q in %d lines: %q, want %q", c.text, c.last, c.h, got, c.want)
		}
	}
}
