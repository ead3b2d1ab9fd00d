package canvas

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Duration formats a duration with at most two units: 850ms, 4.2s, 3m20s, 1h02m, 2d03h. Less than a
// millisecond is <1ms, zero is 0s.
func Duration(d time.Duration) string {
	sign := ""
	if d < 0 {
		if d == math.MinInt64 {
			d++
		}
		sign, d = "-", -d
	}
	switch {
	case d == 0 || d < time.Millisecond && sign != "":
		return "0s"
	case d < time.Millisecond:
		return "<1ms"
	case d < 999500*time.Microsecond:
		return fmt.Sprintf("%s%dms", sign, d.Round(time.Millisecond)/time.Millisecond)
	case d < 9950*time.Millisecond:
		return sign + strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	case d < time.Minute-500*time.Millisecond:
		return fmt.Sprintf("%s%ds", sign, d.Round(time.Second)/time.Second)
	case d < time.Hour-500*time.Millisecond:
		s := int(d.Round(time.Second) / time.Second)
		return fmt.Sprintf("%s%dm%02ds", sign, s/60, s%60)
	case d < 24*time.Hour-30*time.Second:
		m := int(d.Round(time.Minute) / time.Minute)
		return fmt.Sprintf("%s%dh%02dm", sign, m/60, m%60)
	default:
		h := int(d.Round(time.Hour) / time.Hour)
		return fmt.Sprintf("%s%dd%02dh", sign, h/24, h%24)
	}
}

// Seconds formats a number of seconds: 0, 0.52s, 4.2s, 40s, 3m20s, 2h. Below ten it has two
// significant digits. Parts that are zero are left out.
func Seconds(s float64) string {
	a := math.Abs(s)
	switch {
	case s == 0:
		return "0"
	case math.IsNaN(s) || math.IsInf(s, 0) || a >= 1e9:
		return Number(s) + "s"
	case a < 9.95:
		return Digits(s, 2) + "s"
	case a < 59.5:
		return strconv.FormatFloat(s, 'f', 0, 64) + "s"
	}
	whole := int64(math.Round(a))
	units := []struct {
		size int64
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}}
	out, parts := "", 0
	for _, u := range units {
		n := whole / u.size
		whole %= u.size
		if n == 0 {
			continue
		}
		out += strconv.FormatInt(n, 10) + u.name
		parts++
		if parts == 2 {
			break
		}
	}
	if s < 0 {
		return "-" + out
	}
	return out
}
