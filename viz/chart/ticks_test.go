package chart

import (
	"slices"
	"strings"
	"testing"
	"time"
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

// Four ticks of a time axis are at multiples of a round time, whatever the range is.
func TestRoundTimes(t *testing.T) {
	for last, want := range map[string]string{
		"4s": "0 1s 2s 3s 4s", "8s": "0 2s 4s 6s 8s", "20s": "0 5s 10s 15s 20s", "40s": "0 10s 20s 30s 40s",
		"1m": "0 15s 30s 45s 1m", "2m": "0 30s 1m 1m30s 2m", "4m": "0 1m 2m 3m 4m", "8m": "0 2m 4m 6m 8m",
		"20m": "0 5m 10m 15m 20m", "40m": "0 10m 20m 30m 40m", "60m": "0 15m 30m 45m 1h",
		"2h": "0 30m 1h 1h30m 2h", "4h": "0 1h 2h 3h 4h", "8h": "0 2h 4h 6h 8h", "12h": "0 3h 6h 9h 12h",
		"24h": "0 6h 12h 18h 1d", "48h": "0 12h 1d 1d12h 2d", "96h": "0 1d 2d 3d 4d", "192h": "0 2d 4d 6d 8d",
	} {
		d, err := time.ParseDuration(last)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tick := range Seconds.Ticks(0, d.Seconds(), 4) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("ticks up to %s: %q, want %s", last, got, want)
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
		for _, tick := range log.Ticks(log.Position(c.lo), log.Position(c.hi), c.n) {
			got = append(got, tick.Label)
			if v := log.Value(tick.At); v < c.lo*(1-1e-9) || v > c.hi*(1+1e-9) {
				t.Errorf("%s from %g to %g: tick %s at %g", log.Name(), c.lo, c.hi, tick.Label, v)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s from %g to %g: %q, want %q", log.Name(), c.lo, c.hi, got, c.want)
		}
	}
	if at := Steps.Log().Position(370); Steps.Log().Text(at) != "370" || Steps.Log().Base() != Steps ||
		Steps.Value(370) != 370 || Steps.Position(370) != 370 {
		t.Errorf("step 370 is %q", Steps.Log().Text(at))
	}
}
