package plots

import "testing"

// Only collapsed GPs are called collapsed.
func TestTitlesOfGPs(t *testing.T) {
	for want, g := range map[string]LayerGP{
		"GP 3, sd 1.2": {SD: 1.2}, "GP 3, sd 0.1, collapsed": {SD: 0.1, Collapsed: true},
	} {
		if got := gpTitle(2, g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
