package chart

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestDateTicks(t *testing.T) {
	seconds := func(text string) float64 {
		at, err := time.Parse(time.DateTime, text)
		if err != nil {
			t.Fatal(err)
		}
		return float64(at.Unix())
	}
	for _, c := range []struct {
		lo, hi string
		unit   float64
		w      int
		want   []string
	}{
		{"2023-03-01 06:00:00", "2023-03-01 06:00:40", 1, 44, []string{"06:00:00", "06:00:15", "06:00:30"}},
		{"2023-03-01 06:00:00", "2023-03-01 09:00:00", 1, 52,
			[]string{"03-01 06:00", "03-01 07:00", "03-01 08:00", "03-01 09:00"}},
		{"2023-03-01 06:00:00", "2023-03-04 18:00:00", 1, 52,
			[]string{"2023-03-02", "2023-03-03", "2023-03-04"}},
		{"2021-01-12 00:00:00", "2022-12-03 00:00:00", 86400, 45, []string{"2021-07", "2022-01", "2022-07"}},
		{"2021-02-26 00:00:00", "2021-03-04 00:00:00", 86400, 80,
			[]string{"2021-02-26", "2021-02-27", "2021-02-28", "2021-03-01", "2021-03-02",
				"2021-03-03", "2021-03-04"}},
		{"1960-01-01 00:00:00", "2020-01-01 00:00:00", 86400, 44,
			[]string{"1960", "1970", "1980", "1990", "2000", "2010", "2020"}},
		{"1969-11-20 00:00:00", "1970-02-10 00:00:00", 86400, 30, []string{"1969-12", "1970-01", "1970-02"}},
	} {
		var got []string
		for _, tick := range dateTicks(seconds(c.lo)/c.unit, seconds(c.hi)/c.unit, c.unit, c.w) {
			got = append(got, tick.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("from %s to %s: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// Ticks of any range are few, rise and lie within it.
func TestDateTicksOfAnyRange(t *testing.T) {
	for _, r := range [][2]float64{{0, 0}, {0, 1e-9}, {-1e12, 1e12}, {5, 4}, {math.Inf(-1), 0},
		{0, math.Inf(1)}, {-2.3e6, 2.3e6}, {1e18, 2e18}, {19000, 19000.5}} {
		for _, unit := range []float64{1, 86400} {
			ticks := dateTicks(r[0], r[1], unit, 50)
			if len(ticks) > maxTicks {
				t.Fatalf("%d ticks in %v", len(ticks), r)
			}
			for i, tick := range ticks {
				if !(tick.At >= r[0]-1e-6 && tick.At <= r[1]+1e-6) || i > 0 && !(tick.At > ticks[i-1].At) {
					t.Errorf("tick %v of %v", tick, r)
				}
			}
		}
	}
}
