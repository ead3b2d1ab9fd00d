package view

import (
	"encoding/json"
	"math"
	"strconv"
)

// Float is a number that JSON preserves exactly.
type Float float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (x Float) MarshalJSON() ([]byte, error) { return AppendFloat(nil, float64(x)), nil }

// UnmarshalJSON reads a number or null.
func (x *Float) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*x = Float(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(x))
}

// AppendFloat appends the shortest text that reads back as x.
func AppendFloat(dst []byte, x float64) []byte { return appendDigits(dst, x, -1) }

// appendDigits appends x with the given number of significant digits; -1 selects the shortest text
// that reads back as x.
func appendDigits(dst []byte, x float64, digits int) []byte {
	if x-x != 0 { // NaN for NaN and for both infinities
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, x, 'g', digits, 64)
}

// Rounded is a list of numbers that JSON stores with six significant digits. If the numbers lie
// close together, more digits are stored, so that their range has six.
type Rounded []float64

// roundedDigits is the number of significant digits of a Rounded.
const roundedDigits = 6

// digits returns the number of digits to write, or -1 for all.
func (list Rounded) digits() int {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for _, x := range list {
		if x-x == 0 {
			lo = math.Min(lo, x)
			hi = math.Max(hi, x)
		}
	}
	most := math.Max(math.Abs(lo), math.Abs(hi))
	if !(hi-lo < most) || hi == lo {
		return roundedDigits
	}
	if n := roundedDigits + int(math.Ceil(math.Log10(most/(hi-lo)))); n < mostDigits {
		return n
	}
	return -1
}

// mostDigits is the number of significant digits that identify any float64.
const mostDigits = 17

// MarshalJSON writes an array.
func (list Rounded) MarshalJSON() ([]byte, error) {
	dst, digits := []byte{'['}, list.digits()
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDigits(dst, x, digits)
	}
	return append(dst, ']'), nil
}

// UnmarshalJSON reads an array.
func (list *Rounded) UnmarshalJSON(text []byte) error {
	var exact []Float
	if err := json.Unmarshal(text, &exact); err != nil {
		return err
	}
	*list = make(Rounded, len(exact))
	for i, x := range exact {
		(*list)[i] = float64(x)
	}
	return nil
}
