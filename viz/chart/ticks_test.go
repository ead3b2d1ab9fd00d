package chart

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

// A logarithmic axis shows values.
func TestLogAxis(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64 // values
		n      int
		want   []string
	}{
		{Steps, 1, 20_000, 6, []string{"1", "10", "100", "1k", "10k"}},
		{Seconds, 0.5, 4000, 5, []string{"1s", "10s", "1m40s", "16m40s"}},
		{Epochs, 30, 80, 3, []string{"40", "60", "80"}},
	} {
		log := c.axis.Log()
		var got []string
		for _, tick := range log.Ticks(log.Place(c.lo), log.Place(c.hi), c.n) {
			got = append(got, tick.Label)
			if v := log.Value(tick.At); v < c.lo*(1-1e-9) || v > c.hi*(1+1e-9) {
				t.Errorf("%s from %g to %g: tick %s at %g", log.Name(), c.lo, c.hi, tick.Label, v)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s from %g to %g: %q, want %q", log.Name(), c.lo, c.hi, got, c.want)
		}
	}
	if at := Steps.Log().Place(370); Steps.Log().Text(at) != "370" || Steps.Log().Base() != Steps ||
		Steps.Value(370) != 370 || Steps.Place(370) != 370 {
		t.Errorf("step 370 is %q", Steps.Log().Text(at))
	}
}
