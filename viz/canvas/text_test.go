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
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"", 0, ""},
		{"二号機", 4, "二…"}, {"二号機", 6, "二号機"},
	} {
		if got := Truncate(c.s, c.w); got != c.want {
			t.Errorf("truncate(%q, %d) = %q, want %q", c.s, c.w, got, c.want)
		}
	}
}

// Names that differ in a number or a word still differ when shortened.
func TestShorten(t *testing.T) {
	for _, c := range []struct {
		name string
		w    int
		want string
	}{
		{"mean-field seed 1", 17, "mean-field seed 1"},
		{"mean-field seed 1", 16, "mean-field s1"},
		{"mean-field seed 12", 12, "mean-fi… s12"},
		{"mean-field seed 1", 6, "me… s1"},
		{"mean-field seed 1", 3, "me…"},
		{"stripes-and-arrow", 8, "stripes…"},
		{"inducing 128", 7, "i128"},
		{"star layers 2 seed 3", 10, "star l2 s3"},
		{"star 10 seeds", 11, "st… 10 see…"},
		{"svgp inducing=16 kernel=matern32", 26, "svgp ind…=16 ker…=matern32"},
		{"svgp inducing=16 kernel=matern32", 20, "svgp i=16 k=matern32"},
		{"svgp inducing=16 kernel=rbf", 20, "svgp in…=16 ker…=rbf"},
		{"svgp inducing=16 kernel=rbf", 10, "s 16 rbf"},
		{"svgp inducing=16 kernel=matern32", 10, "s 16 mate…"},
		{"=1 a", 2, "=…"},
		{"größe b", 5, "gr… b"},
		{"你好 b", 4, "你 b"},
		{"你 好", 3, "你…"},
		{"a\u0301\u0301 \x00\x01", 0, ""},
		{"", 4, ""},
	} {
		if got := Shorten(c.name, c.w); got != c.want || Width(got) > c.w {
			t.Errorf("%q in %d cells is %q, want %q", c.name, c.w, got, c.want)
		}
	}
}
