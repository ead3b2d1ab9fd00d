package rundir

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a float64 that JSON can carry: NaN and infinities are written as
// null, and null is read as NaN. All other values survive exactly.
type Number float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Number) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(n)), nil }

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func appendNumber(dst []byte, x float64) []byte { return appendDigits(dst, x, -1) }

// appendDigits appends x with a number of significant digits, -1 for as many as
// it takes to read back the same.
func appendDigits(dst []byte, x float64, digits int) []byte {
	if notFinite(x) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, x, 'g', digits, 64)
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

var nan = math.NaN()
