package memory

import (
	"runtime/debug"
	"testing"
)

// Only large data limit the garbage.
func TestTrim(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	for _, c := range []struct{ numbers, percent int }{{1 << 21, 100}, {1<<21 + 1, 10}} {
		Trim(c.numbers)
		if got := debug.SetGCPercent(100); got != c.percent {
			t.Errorf("after %d numbers the limit is %d %%, want %d", c.numbers, got, c.percent)
		}
	}
}
