package table

import "strconv"

// powersOfTen lists the powers of ten that a float64 represents exactly.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// exactDigits is the number of decimal digits that always fit a uint64.
const exactDigits = 19

// scannedNumber is a number at the beginning of a string.
type scannedNumber struct {
	v      float64
	length int
	point  bool
}

// scanNumber parses the number at the beginning of text, with the given decimal sign or none,
// exactly like strconv.ParseFloat with a point. ok is false if text does not begin with a number,
// the number is out of range, or it has too many digits and its decimal sign is not a point.
//
// A short mantissa and a small power of ten are both exact, so a single multiplication or division
// is correctly rounded: Clinger, "How to Read Floating Point Numbers Accurately", 1990,
// doi:10.1145/93542.93557, fast path. Package strconv handles all other numbers.
func scanNumber(text []byte, decimal byte) (s scannedNumber, ok bool) {
	k, negative := 0, false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, k = text[0] == '-', 1
	}
	var mantissa uint64 // exact for up to maxDigits digits
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
	if digits > exactDigits || mantissa>>53 != 0 || power < -22 || power > 22 {
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

// scanExponent parses e, an optional sign and at most four digits.
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
