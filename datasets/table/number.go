package table

import (
	"math"
	"strconv"
	"strings"
)

// Shape is a set of bits: the evidence of numbers, as written, about the notation of the table.
type Shape uint8

const (
	PointDecimal Shape = 1 << iota // 0.5, 1,234.5
	CommaDecimal                   // 0,5, 1.234,5
	PointGroup                     // 1.234.567
	CommaGroup                     // 1,234,567
	OtherGroup                     // 1 234, 1'234
	MaybePoint                     // 1.234: 1.234 or 1234
	MaybeComma                     // 1,234: 1.234 or 1234
)

// Notation is the notation of numbers. Decimal is '.' or ','. Group is the thousands separator
// other than blanks and apostrophes: '.', ',' or 0 for none. Strict disallows blanks and
// apostrophes as separators.
type Notation struct {
	Decimal, Group byte
	Strict         bool
}

// PlainNotation is the notation used by programs.
var PlainNotation = Notation{Decimal: '.'}

// maxDigits is the maximum length in bytes of a number with separators.
const maxDigits = 64

// Parse parses a number in this notation and returns its value and its shape. The value equals the
// result of strconv.ParseFloat for the same number with a decimal point and without separators. err
// is from strconv. If text is not a number, ok is false and err is nil.
func (n Notation) Parse(text string) (v float64, shown Shape, ok bool, err error) {
	t, ok := scan(text)
	if !ok {
		return 0, 0, false, nil
	}
	v, ok, err = t.value(text)
	if !ok {
		return 0, t.shape, false, err
	}
	settled, ok := n.settle(v, t.shape)
	if !ok {
		return 0, t.shape, false, nil
	}
	return settled, t.shape, true, nil
}

// value returns the value of a scanned number. A single separator that may be a decimal sign is one.
func (t scanned) value(text string) (v float64, ok bool, err error) {
	if len(text) > maxDigits {
		return 0, false, nil
	}
	var plain [maxDigits]byte
	k := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == t.decimal && t.decimal != 0:
			c = '.'
		case c == t.group && t.group != 0, c >= 0x80: // other blanks have several bytes
			continue
		}
		plain[k] = c
		k++
	}
	v, err = strconv.ParseFloat(string(plain[:k]), 64)
	return v, err == nil, err
}

// settle returns the value of a number of a shape in this notation. v is its value if a separator that may be
// a decimal sign is one. ok is false if the notation has no such number.
func (n Notation) settle(v float64, shown Shape) (settled float64, ok bool) {
	switch {
	case shown == MaybePoint && n.Group == '.', shown == MaybeComma && n.Group == ',':
		return math.Round(1000 * v), true
	case shown&(PointDecimal|MaybePoint) != 0 && n.Decimal != '.',
		shown&(CommaDecimal|MaybeComma) != 0 && n.Decimal != ',',
		shown&PointGroup != 0 && n.Group != '.',
		shown&CommaGroup != 0 && n.Group != ',',
		shown&OtherGroup != 0 && n.Strict:
		return math.NaN(), false
	}
	return v, true
}

// ShapeOf returns the shape of a string, or 0 if it has no separators or is not a number.
func ShapeOf(text string) Shape {
	t, ok := scan(text)
	if !ok {
		return 0
	}
	return t.shape
}

// parseFloat parses a number like strconv.ParseFloat, except that hexadecimal numbers and underscores between
// digits, which are notations of programming languages, are text: 0x1p-3 and 1_000 in a table are names.
func parseFloat(text string) (float64, error) {
	if strings.ContainsAny(text, "xX_") {
		return math.NaN(), strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// scanned is the structure of a number. group is ' ' for all blanks.
type scanned struct {
	decimal, group byte
	shape          Shape
}

func isOther(c byte) bool { return c == ' ' || c == '\'' }

// scan splits a string into sign, digit groups, decimals and exponent. ok is false if it does not
// have this form.
func scan(text string) (t scanned, ok bool) {
	i := 0
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	begin, lead := i, 0 // lead counts the digits before the first separator
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	lead = i - begin
	zero := lead > 0 && text[begin] == '0'
	var last byte // separator
	separators := 0
	digits := lead
	run := 0
	even := true
	for i < len(text) {
		c, width := separator(text[i:])
		if width == 0 {
			break
		}
		if separators > 0 && c != last && t.decimal == 0 {
			// All previous separators are thousands separators, and this one is the decimal sign.
			t.group = last
			if !even || run != 3 || isOther(c) {
				return t, false
			}
			t.decimal = c
		} else if separators > 0 {
			even = even && run == 3
			if t.decimal != 0 {
				return t, false // a separator follows the decimals
			}
		}
		last, separators, run = c, separators+1, 0
		for i += width; i < len(text) && isDigit(text[i]); i++ {
			run++
		}
		digits += run
	}
	if digits == 0 {
		return t, false
	}
	exponent := i < len(text)
	if exponent && !isExponent(text[i:]) {
		return t, false
	}
	return t.conclude(last, separators, run, even, exponent, lead >= 1 && lead <= 3 && !zero)
}

// conclude determines the roles of the separators. last is the last separator and run is the number
// of digits after it. even reports whether all groups before it have three digits, and head reports
// whether the digits before the first separator can be a first group.
func (t scanned) conclude(last byte, separators, run int, even, exponent, head bool) (scanned, bool) {
	grouped := even && run == 3 && head && !exponent
	switch {
	case separators == 0:
	case t.decimal != 0:
		if !head {
			return t, false
		}
		t.shape = decimalOf(t.decimal) | groupOf(t.group)
	case isOther(last):
		t.group = last
		if !grouped {
			return t, false
		}
		t.shape = OtherGroup
	case separators > 1:
		t.group = last
		if !grouped {
			return t, false
		}
		t.shape = groupOf(last)
	case grouped && last == '.':
		t.decimal, t.shape = last, MaybePoint
	case grouped:
		t.decimal, t.shape = last, MaybeComma
	default:
		t.decimal, t.shape = last, decimalOf(last)
	}
	return t, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// separator returns the separator at the beginning of a string (' ' for all blanks, 0 for none) and
// its length in bytes. Blanks include U+00A0, U+2009 and U+202F.
func separator(text string) (c byte, width int) {
	switch text[0] {
	case '.', ',', '\'', ' ':
		return text[0], 1
	case 0xc2:
		if len(text) > 1 && text[1] == 0xa0 {
			return ' ', 2
		}
	case 0xe2:
		if len(text) > 2 && text[1] == 0x80 && (text[2] == 0xaf || text[2] == 0x89) {
			return ' ', 3
		}
	}
	return 0, 0
}

// isExponent reports whether a string consists of e or E, an optional sign and digits.
func isExponent(text string) bool {
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

func decimalOf(c byte) Shape {
	if c == ',' {
		return CommaDecimal
	}
	return PointDecimal
}

func groupOf(c byte) Shape {
	switch c {
	case ',':
		return CommaGroup
	case '.':
		return PointGroup
	}
	return OtherGroup
}
