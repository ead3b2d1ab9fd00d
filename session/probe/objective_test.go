package probe

import "testing"

func TestPasses(t *testing.T) {
	for _, c := range [][3]int{{100, 512, 20}, {7000, 512, 17}, {41157, 512, 3},
		{463715, 100, 2}, {50, 0, 20}} {
		if got := passesFor(c[0], c[1]); got != c[2] {
			t.Errorf("%d points in minibatches of %d: %d passes, want %d", c[0], c[1], got, c[2])
		}
	}
}
