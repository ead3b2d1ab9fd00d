package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/session"
)

// Sort orders runs by a field: numbers, durations and dates by size, texts without
// regard to case and with the numbers in them by size. Runs that do not have the field come last
// in either direction; runs that are equal keep their order. The error, about a
// field that there is not, is an *Error.
func Sort(runs []session.RunInfo, key string, descending bool) error {
	f, ok := lookup(key)
	if !ok {
		return &Error{Message: fmt.Sprintf("unknown field %q", key), Unknown: key}
	}
	direction := 1
	if descending {
		direction = -1
	}
	slices.SortStableFunc(runs, func(a, b session.RunInfo) int {
		x, y := f.texts(&a), f.texts(&b)
		if len(x) == 0 || len(y) == 0 {
			return cmp.Compare(min(len(y), 1), min(len(x), 1))
		}
		return direction * f.order(&a, &b)
	})
	return nil
}

// order compares two runs that both have the field.
func (f field) order(a, b *session.RunInfo) int {
	if f.number != nil {
		return cmp.Compare(f.number(a), f.number(b))
	}
	x, y := f.texts(a), f.texts(b)
	if f.kind == setting {
		u, err := strconv.ParseFloat(x[0], 64)
		v, bad := strconv.ParseFloat(y[0], 64)
		if err == nil && bad == nil && !math.IsNaN(u) && !math.IsNaN(v) {
			return cmp.Compare(u, v)
		}
	}
	return natural(fold(strings.Join(x, " ")), fold(strings.Join(y, " ")))
}

// natural compares texts; runs of digits in them compare as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			u, v := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if c := cmp.Or(cmp.Compare(len(u), len(v)), strings.Compare(u, v)); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}
