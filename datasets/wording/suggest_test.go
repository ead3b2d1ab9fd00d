package wording

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"mean-field", "star", "fully-coupled", "chain", "mask", "svgp"}
	cases := []struct{ typed, want string }{
		{"star", "star"}, {"sart", "star"}, {"Star", "star"}, {"stars", "star"}, {"meanfield", "mean-field"},
		{"full", "fully-coupled"}, {"m", ""}, {"xyzzy", ""}, {"", ""}, {"cahin", "chain"}, {"svpg", "svgp"},
	}
	for _, c := range cases {
		if got, _ := nearest(c.typed, names); got != c.want {
			t.Errorf("nearest(%q) = %q; want %q", c.typed, got, c.want)
		}
	}
	// DidYouMean never suggests the typed name.
	if got := DidYouMean("sw", []string{"sw"}, ""); got != "" {
		t.Errorf("only sw for sw: %q", got)
	}
	if got := DidYouMean("sw", []string{"sw", "sx"}, ""); got != "; did you mean sx?" {
		t.Errorf("sw and sx for sw: %q", got)
	}
}

func TestSlips(t *testing.T) {
	cases := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1},
		{"größe", "grösse", 2}, {"star", "star", 0},
	}
	for _, c := range cases {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("slips(%q, %q) = %d; want %d", c.a, c.b, got, c.want)
		}
	}
}
