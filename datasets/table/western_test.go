package table

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Texts in Windows-1252 are converted; texts in UTF-8, even cut within a character, and ASCII are not.
func TestWesternTexts(t *testing.T) {
	l, err := limitsOf()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a;1\n", 5000)
	for name, c := range map[string]struct{ text, want string }{
		"header":    {"Gr\xf6\xdfe;Preis \x80\n1;2\n", "Größe;Preis €\n1;2\n"},
		"undefined": {"\x81\x9f\n", "\ufffdŸ\n"},
		"long":      {"\xfcber;b\n" + long, "über;b\n" + long},
		"UTF-8":     {"Größe;€\n" + long, "Größe;€\n" + long},
		"mixed":     {"Größe\xdf\n", "Größe\xdf\n"},
		"cut":       {strings.Repeat("a", peekBytes-1) + "ß", strings.Repeat("a", peekBytes-1) + "ß"},
		"ASCII":     {long, long},
	} {
		for kind, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "bytes": iotest.OneByteReader(strings.NewReader(c.text)),
		} {
			text, err := plainText(r, l)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(text)
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %s: %.40q, want %.40q (%v)", name, kind, got, c.want, err)
			}
		}
	}
	w := &western{text: bufio.NewReader(iotest.DataErrReader(strings.NewReader("\xe4")))}
	if got, err := io.ReadAll(w); err != nil || string(got) != "ä" {
		t.Errorf("a last read with data: %q, %v", got, err)
	}
}
