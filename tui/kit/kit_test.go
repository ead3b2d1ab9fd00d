package kit

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestLocales(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, true},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, false},
		{map[string]string{"LANG": "en_US.ISO-8859-1", "LC_CTYPE": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "TERM": "dumb"}, false},
	} {
		if got := CanUnicode(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestTabPositions(t *testing.T) {
	th := NewTheme(termenv.Ascii, true, Unicode)
	tabs := Tabs{"One", "Twenty", "3"}
	line := []rune(tabs.Line(th, 1, 30, nil))
	for i, name := range tabs {
		at := strings.Index(strings.ReplaceAll(string(line), "▸", ">"), name)
		if got, ok := tabs.At(at); !ok || got != i {
			t.Errorf("column %d of %q is tab %d, %v; want %d", at, string(line), got, ok, i)
		}
		if got, ok := tabs.At(at + len(name)); ok {
			t.Errorf("the blank after tab %d is tab %d", i, got)
		}
	}
	if _, ok := tabs.At(29); ok {
		t.Error("there is a tab after the last one")
	}
}

func TestListScrolling(t *testing.T) {
	rows := strings.Split("abcdefghij", "")
	var l List
	for _, c := range []struct {
		chosen, scroll int
		want           string
	}{{0, 0, "abc"}, {4, 0, "cde"}, {4, 2, "efg"}, {3, 0, "def"}, {9, 0, "hij"}, {9, -20, "abc"}} {
		l.Scroll(c.scroll)
		if got := strings.Join(l.Lines(rows, c.chosen, 1, 3), ""); got != c.want {
			t.Errorf("row %d selected, scrolled by %d: %q, want %q", c.chosen, c.scroll, got, c.want)
		}
	}
}
