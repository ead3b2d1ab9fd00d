package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxValues is the maximum number of values on one axis.
const maxValues = 1000

// Expand parses the values of an axis. They are separated by commas, or by semicolons if the text contains
// one, which allows commas in values: "5;3,4" lists the widths 5 and 3,4. Commas within parentheses belong to
// the value, as in "rbf(0,1),matern52". FIRST..LAST is a range of integers. It may follow a word and a colon,
// as in "standard:0..9". Duplicates are removed.
func Expand(text string) ([]string, error) {
	separator := ","
	if strings.Contains(text, ";") {
		separator = ";"
	}
	var values []string
	for _, part := range split(text, separator) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		more, err := expandRange(part)
		if err != nil {
			return nil, err
		}
		for _, v := range more {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > maxValues {
			return nil, fmt.Errorf("%q has more than %d values", text, maxValues)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%q contains no values", text)
	}
	return values, nil
}

// split splits text at the separators outside of parentheses.
func split(text, separator string) (parts []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch string(r) {
		case "(":
			depth++
		case ")":
			depth--
		case separator:
			if depth <= 0 {
				parts = append(parts, text[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, text[start:])
}

// expandRange returns the values of FIRST..LAST or WORD:FIRST..LAST. It returns any other text
// unchanged.
func expandRange(text string) ([]string, error) {
	before, last, ok := strings.Cut(text, "..")
	if !ok {
		return []string{text}, nil
	}
	word, first := wordAndNumber(before)
	a, err := strconv.ParseUint(first, 10, 64)
	if err != nil {
		return []string{text}, nil // A path, for example ../a.csv.
	}
	b, err := strconv.ParseUint(last, 10, 64)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: want FIRST..LAST with whole numbers", text)
	case b < a:
		return nil, fmt.Errorf("%q: the last number is less than the first", text)
	case b-a >= maxValues:
		return nil, fmt.Errorf("%q has more than %d values", text, maxValues)
	}
	values := make([]string, 0, b-a+1)
	for i := range b - a + 1 {
		values = append(values, word+strconv.FormatUint(a+i, 10))
	}
	return values, nil
}

// Seeds parses seeds, for example "0..2" or "1,5".
func Seeds(text string) ([]uint64, error) {
	values, err := Expand(text)
	if err != nil {
		return nil, err
	}
	seeds := make([]uint64, len(values))
	for i, v := range values {
		seeds[i], err = strconv.ParseUint(v, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number from 0", v)
		}
	}
	return seeds, nil
}

// ParseAxis parses a hyperparameter and its values, written as NAME=VALUES, or as FAMILY.NAME=VALUES for one
// family.
func ParseAxis(text string) (Axis, error) {
	name, values, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return Axis{}, fmt.Errorf("%q: want name=values", text)
	}
	family, own, isOwn := strings.Cut(name, ".")
	if isOwn {
		name = own
	} else {
		family = ""
	}
	list, err := Expand(values)
	return Axis{Name: name, Values: list, Family: family}, err
}

// Join formats values for Expand. It writes three or more consecutive numbers as a range.
func Join(values []string) string {
	separator, end := ",", ""
	if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, ",") }) {
		separator, end = ";", ";"
	}
	var parts []string
	for len(values) > 0 {
		n := successive(values)
		if n < 3 {
			parts, values = append(parts, values[0]), values[1:]
			continue
		}
		_, last := wordAndNumber(values[n-1])
		parts, values = append(parts, values[0]+".."+last), values[n:]
	}
	return strings.Join(parts, separator) + end
}

// successive returns the number of leading values that are consecutive numbers after the same word.
func successive(values []string) int {
	word, number := wordAndNumber(values[0])
	first, err := strconv.ParseUint(number, 10, 64)
	if err != nil || number != strconv.FormatUint(first, 10) {
		return 0
	}
	n := 1
	for n < len(values) && values[n] == word+strconv.FormatUint(first+uint64(n), 10) {
		n++
	}
	return n
}

// wordAndNumber splits a value after its last colon.
func wordAndNumber(value string) (word, number string) {
	colon := strings.LastIndexByte(value, ':') + 1
	return value[:colon], value[colon:]
}
