package canvas

import (
	"testing"
)

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"", 0, ""}, {"二号機", 4, "二…"}, {"二号機", 6, "二号機"},
	} {
		if got := Truncate(c.s, c.w); got != c.want {
			t.Errorf("truncate(%q, %d) = %q, want %q", c.s, c.w, got, c.want)
		}
	}
}
