package report

import "testing"

// Variational parameters in closed form are not among the optimised parameters.
func TestParameters(t *testing.T) {
	for want, p := range map[string][2]int{
		"1,715 (1,680 variational)":            {1715, 1680},
		"6 + 4,308 variational in closed form": {6, 4308},
	} {
		if got := Parameters(p[0], p[1]); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}
