package kit

import (
	"strings"
	"testing"
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
