package metric

import (
	"math"
	"strconv"
	"strings"
)

// scoreDigits is the number of significant digits of a number without a standard error. With a tiny error it
// has at most mostDigits.
const scoreDigits, mostDigits = 4, 8

// mostDecimals is the number of decimals of a number and its error above which the error is in scientific
// notation, and large is the magnitude from which both are.
const mostDecimals, large = 6, 1e9

// roundingError is the size of a standard error, relative to the mean, that is due to rounding.
const roundingError = 1e-12

// WithError formats a mean and its standard error for tables, screens and commands. The error has two
// significant digits, and the mean as many decimals: -2.6187 and 0.0068. Neither is 0 unless the number is.
// Without an error (NaN) or with one of 0, the mean has four significant digits; se is then "" or "0".
func WithError(mean, standardError float64) (text, se string) {
	size := math.Abs(mean)
	switch {
	case math.IsNaN(standardError):
		return significant(mean, scoreDigits), ""
	case standardError <= roundingError*size:
		return significant(mean, scoreDigits), "0"
	case math.IsNaN(mean), math.IsInf(standardError, 0), size >= large, standardError >= large:
		return significant(mean, scoreDigits), significant(standardError, 2)
	}
	decimals := max(1-exponent(standardError, 2), 0)
	if decimals > mostDecimals {
		digits := exponent(mean, scoreDigits) + decimals + 1
		return significant(mean, min(max(digits, scoreDigits), mostDigits)),
			strconv.FormatFloat(standardError, 'e', 1, 64)
	}
	text = strconv.FormatFloat(mean, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		text = significant(mean, 2)
	}
	return text, strconv.FormatFloat(standardError, 'f', decimals, 64)
}

// significant formats a number with n significant digits: large and tiny ones as 1.235e-07, others with at
// least the digits before the point.
func significant(x float64, n int) string {
	power := exponent(x, n)
	switch {
	case x == 0:
		return "0"
	case math.IsNaN(x), math.IsInf(x, 0), math.Abs(x) >= large, power < -4:
		return strconv.FormatFloat(x, 'e', n-1, 64)
	}
	return strconv.FormatFloat(x, 'f', max(n-1-power, 0), 64)
}

// exponent returns the power of ten of a number that is rounded to n significant digits: -1 for 0.0999 and
// two digits, which is 0.10.
func exponent(x float64, n int) int {
	_, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	k, _ := strconv.Atoi(power) // NaN and the infinities have none.
	return k
}
