package axes

import (
	"slices"
	"testing"
)

func TestTimeTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []string
	}{
		{0, 0.0213, 4, []string{"0", "0.01s", "0.02s"}},
		{0.5159, 0.5159, 4, []string{"0.52s"}},
		{0.5159, 1.6, 3, []string{"1.0s", "1.5s"}},
		{9.3, 11.1, 4, []string{"9.5s", "10.0s", "10.5s", "11.0s"}},
		{59.4, 60.6, 3, []string{"59.5s", "60.0s", "60.5s"}},
		{3, 47.7, 4, []string{"15s", "30s", "45s"}},
		{0, 310, 3, []string{"0", "2m", "4m"}},
	} {
		var got []string
		for _, tick := range Seconds.Ticks(c.lo, c.hi, c.n) {
			got = append(got, tick.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("ticks from %g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}
