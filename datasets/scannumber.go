package datasets

import "strconv"

// powersOfTen are those that a float64 holds exactly.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// mostDigits is how many decimal digits an uint64 holds whatever they are.
const mostDigits = 19

// scanned is a number at the beginning of a text.
type scanned struct {
	v      float64
	length int
	point  bool
}

// scanNumber reads the number with this decimal sign, or none, that a text begins with, to the
// last bit as strconv.ParseFloat reads it with a point; ok is false where it does not begin
// with one, or with one that is out of range, or has too many digits for another sign than a
// point.
//
// Few digits and a small power of ten are both exact, and so is what one multiplication or
// division makes of them but for its own rounding: Clinger, "How to Read Floating Point
// Numbers Accurately", 1990, doi:10.1145/93542.93557, fast path. Package strconv does the
// rest.
func scanNumber(text []byte, decimal byte) (s scanned, ok bool) {
	k, negative := 0, false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, k = text[0] == '-', 1
	}
	var mantissa uint64 // right if there are no more than mostDigits
	begin := k
	for k < len(text) && text[k]-'0' <= 9 {
		mantissa = 10*mantissa + uint64(text[k]-'0')
		k++
	}
	digits, power := k-begin, 0
	if k < len(text) && text[k] == decimal {
		s.point = true
		k++
		begin = k
		for k < len(text) && text[k]-'0' <= 9 {
			mantissa = 10*mantissa + uint64(text[k]-'0')
			k++
		}
		power = begin - k
		digits -= power
	}
	if digits == 0 {
		return s, false
	}
	if k < len(text) && (text[k] == 'e' || text[k] == 'E') {
		length, exponent, ok := scanExponent(text[k:])
		if !ok {
			return s, false
		}
		k, power = k+length, power+exponent
	}
	s.length = k
	if digits > mostDigits || mantissa>>53 != 0 || power < -22 || power > 22 {
		if decimal != '.' {
			return s, false
		}
		v, err := strconv.ParseFloat(string(text[:k]), 64)
		s.v = v
		return s, err == nil
	}
	s.v = float64(mantissa)
	if power < 0 {
		s.v /= powersOfTen[-power]
	} else {
		s.v *= powersOfTen[power]
	}
	if negative {
		s.v = -s.v
	}
	return s, true
}

// scanExponent reads e, perhaps a sign, and at most four digits.
func scanExponent(text []byte) (length, exponent int, ok bool) {
	k, negative := 1, false
	if k < len(text) && (text[k] == '-' || text[k] == '+') {
		negative, k = text[k] == '-', k+1
	}
	begin := k
	for ; k < len(text) && text[k]-'0' <= 9; k++ {
		exponent = 10*exponent + int(text[k]-'0')
		if k-begin == 4 {
			return 0, 0, false
		}
	}
	if negative {
		exponent = -exponent
	}
	return k, exponent, k > begin
}
