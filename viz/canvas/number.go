package canvas

import (
	"math"
	"strconv"
	"strings"
)

// siUnits are the prefixes of Number, the largest first.
var siUnits = []struct {
	size float64
	name string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// Number formats x with at most four significant digits: 0.1235, 12.35, 1.235k, 3.5M. Numbers of at
// least 1e15 or below 0.001 are in scientific notation (1.235e-05). Trailing zeros are left out.
// NaN, Inf and -Inf are written as such.
func Number(x float64) string {
	a := math.Abs(x)
	switch {
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
		x = roundDigits(x, 4)
		for _, u := range siUnits {
			if math.Abs(x) >= u.size {
				return significant(x/u.size, 4) + u.name
			}
		}
		return significant(x, 4)
	}
}

// Digits formats x like Number, with at most n significant digits; n is at most four.
func Digits(x float64, n int) string { return Number(roundDigits(x, n)) }

// roundDigits rounds to n significant decimal digits.
func roundDigits(x float64, n int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// significant formats x, of moderate size, with n significant digits.
func significant(x float64, n int) string {
	return strconv.FormatFloat(roundDigits(x, n), 'f', -1, 64)
}

// scientific formats x as 1.235e-05, without trailing zeros.
func scientific(x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 3, 64), "e")
	return strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".") + "e" + exponent
}

// OneDecimal formats x with one decimal, and without a sign if the result is zero.
func OneDecimal(x float64) string {
	if math.Abs(x) < 0.05 {
		return "0.0"
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// Bytes formats a number of bytes: "512 B", "41.5 kB", "1.2 MB".
func Bytes(n int64) string {
	switch {
	case n >= 1_000_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1000:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatInt(n, 10) + " B"
}

// CountRange formats a number or a range of numbers.
func CountRange(least, most int) string {
	if least == most {
		return strconv.Itoa(most)
	}
	return strconv.Itoa(least) + "–" + strconv.Itoa(most)
}
