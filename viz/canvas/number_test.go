package canvas

import (
	"math"
	"testing"
	"time"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {0.12345, "0.1235"}, {12.345, "12.35"},
		{999.94, "999.9"}, {999.96, "1k"},
		{1234.6, "1.235k"}, {-1500, "-1.5k"}, {3.5e6, "3.5M"}, {999999, "1M"}, {2e9, "2G"}, {4.2e12, "4.2T"},
		{1e15, "1e+15"}, {1.2345e-5, "1.234e-05"}, {0.001, "0.001"}, {0.00099, "9.9e-04"},
		{math.NaN(), "NaN"}, {math.Inf(1), "Inf"}, {math.Inf(-1), "-Inf"}, {5e-324, "4.941e-324"},
	} {
		if got := Number(c.x); got != c.want {
			t.Errorf("Number(%g) = %s, want %s", c.x, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"}, {999 * time.Nanosecond, "<1ms"}, {-time.Nanosecond, "0s"}, {12 * time.Millisecond, "12ms"},
		{999700 * time.Microsecond, "1.0s"},
		{4200 * time.Millisecond, "4.2s"}, {9960 * time.Millisecond, "10s"},
		{59700 * time.Millisecond, "1m00s"},
		{200 * time.Second, "3m20s"}, {time.Hour + 2*time.Minute, "1h02m"},
		{24*time.Hour - time.Second, "1d00h"},
		{51 * time.Hour, "2d03h"}, {-90 * time.Second, "-1m30s"}, {math.MaxInt64, "106751d23h"},
		{math.MinInt64, "-106751d23h"},
	} {
		if got := Duration(c.d); got != c.want {
			t.Errorf("Duration(%d) = %s, want %s", c.d, got, c.want)
		}
	}
}

func TestSecondsLabels(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0", 0.5: "0.5s", 0.5159: "0.52s", 0.0049951: "0.005s", 9.94: "9.9s", 9.96: "10s", 12.345: "12s",
		59.6: "1m", 40: "40s", 60: "1m", 200: "3m20s", 7200: "2h", 5400: "1h30m", 90000: "1d1h",
		86400: "1d", -90: "-1m30s",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("seconds(%g) = %s, want %s", s, got, want)
		}
	}
}

func TestOneDecimal(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", -0.04: "0.0", math.Copysign(0, -1): "0.0", -0.06: "-0.1", 0.04: "0.0",
		2.25: "2.2", -12: "-12.0",
	} {
		if got := OneDecimal(x); got != want {
			t.Errorf("oneDecimal(%g) = %s, want %s", x, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 41258: "41.3 kB", 3569941: "3.6 MB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

// Units change where rounding reaches them.
func TestUnitBoundaries(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "1ms", time.Millisecond - 1: "<1ms", -time.Millisecond: "-1ms",
		999499 * time.Microsecond: "999ms", 999500 * time.Microsecond: "1.0s",
		9949 * time.Millisecond: "9.9s", 9950 * time.Millisecond: "10s",
		time.Minute - 501*time.Millisecond: "59s", time.Minute - 500*time.Millisecond: "1m00s",
		time.Hour - 501*time.Millisecond: "59m59s", time.Hour - 500*time.Millisecond: "1h00m",
		24*time.Hour - 31*time.Second: "23h59m", 24*time.Hour - 30*time.Second: "1d00h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
	for s, want := range map[float64]string{
		9.94: "9.9s", 9.95: "10s", 59.4: "59s", 59.5: "1m", 3661: "1h1m", 90061: "1d1h", -90: "-1m30s",
		999999999: "11574d1h", 1e9: "1Gs",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%v) = %q, want %q", s, got, want)
		}
	}
	for n, want := range map[int64]string{
		999: "999 B", 1000: "1.0 kB", 999_999: "1000.0 kB", 1_000_000: "1.0 MB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
