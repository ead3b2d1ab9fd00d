package report

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31mb\nc\td\u202ee\u009b größe 日本": "a[31mb c de größe 日本",
		"x\x07\ny\r\x7f": "x y ",
		"broken \x9b]":   "broken \ufffd]",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestPicture(t *testing.T) {
	for _, c := range []struct{ text, coloured, plain string }{
		{"größe\n日本\n", "größe\n日本\n", "größe\n日本\n"},
		{"\x1b[1;38;2;5;8;6mred\x1b[0m\x1b[m", "\x1b[1;38;2;5;8;6mred\x1b[0m\x1b[m", "red"},
		{"\x1b[38;5;8mgrey\x1b[97m", "\x1b[38;5;8mgrey\x1b[97m", "grey"},
		{"\x1b[8mhidden\x1b[1;5mblinking\x1b[38;2;1;1;1;8m", "hiddenblinking", "hiddenblinking"},
		{"a\x1b]52;c;ZXZpbA==\x07b\x1b]0;t\x1b\\c", "abc", "abc"},
		{"\x1b[2Ja\x1b[1;1Hb\x1b[?1049lc\x1bcd\x1b", "abcd", "abcd"},
		{"a\x1b]52;c;x\nb", "a\nb", "a\nb"},
		{"a\u009b2Jb\u202ec\rd\x7fe\x00\x07", "a2Jbcde", "a2Jbcde"},
	} {
		if got := PrintablePicture(c.text, true); got != c.coloured {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.coloured)
		}
		if got := PrintablePicture(c.text, false); got != c.plain {
			t.Errorf("without colours %q becomes %q, want %q", c.text, got, c.plain)
		}
	}
}

func TestJSONKeepsValue(t *testing.T) {
	const text = "a\u202e\u009b\x7f größe 日本\u2066"
	plain, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(PrintableJSON(string(plain)+"\n")), &got); err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
	if out := PrintableJSON(string(plain) + "\n"); strings.ContainsFunc(out, escaped) ||
		!strings.HasSuffix(out, "\n") {
		t.Errorf("%q", out)
	}
}
