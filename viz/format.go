package viz

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// siUnits are the prefixes of Short, from the greatest.
var siUnits = []struct {
	size float64
	name string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// Short returns x with at most four significant digits: 0.1235, 12.35, 1.235k,
// 3.5M. From 1e15 on and below 0.001 it is scientific (1.235e-05). Trailing
// zeros are left out; what is not finite is NaN, Inf or -Inf.
func Short(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	case a == 0:
		return "0"
	case a >= 1e15 || a < 1e-3:
		return scientific(x)
	default:
		// Rounding first keeps 999.96 from becoming "1000".
		x = roundTo(x, 4)
		for _, u := range siUnits {
			if math.Abs(x) >= u.size {
				return significant(x/u.size, 4) + u.name
			}
		}
		return significant(x, 4)
	}
}

// roundTo rounds to n significant decimal digits.
func roundTo(x float64, n int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// significant writes x, of moderate size, with n significant digits.
func significant(x float64, n int) string {
	return strconv.FormatFloat(roundTo(x, n), 'f', -1, 64)
}

// scientific writes x as 1.235e-05, without trailing zeros.
func scientific(x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 3, 64), "e")
	return strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".") + "e" + exponent
}

// Duration returns a length of time in at most two units: 850ms, 4.2s, 3m20s,
// 1h02m, 2d03h. Less than a millisecond is 0s.
func Duration(d time.Duration) string {
	sign := ""
	if d < 0 {
		if d == math.MinInt64 {
			d++
		}
		sign, d = "-", -d
	}
	switch {
	case d < time.Millisecond:
		return "0s"
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

// oneDecimal writes x with one digit after the point, and without a sign if that
// makes it zero.
func oneDecimal(x float64) string {
	if math.Abs(x) < 0.05 {
		return "0.0"
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// seconds returns a number of seconds as a person says it: 0, 0.52s, 4.2s, 40s,
// 3m20s, 2h. Below ten it has two significant digits. Parts that are zero are left
// out.
func seconds(s float64) string {
	a := math.Abs(s)
	switch {
	case s == 0:
		return "0"
	case math.IsNaN(s) || math.IsInf(s, 0) || a >= 1e9:
		return Short(s) + "s"
	case a < 9.95:
		return Short(roundTo(s, 2)) + "s"
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
		if parts++; parts == 2 {
			break
		}
	}
	if s < 0 {
		return "-" + out
	}
	return out
}

// Bytes writes a number of bytes: "512 B", "41.5 kB", "1.2 MB".
func Bytes(n int64) string {
	switch {
	case n >= 1_000_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1000:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatInt(n, 10) + " B"
}
