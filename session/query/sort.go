package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/models/family"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Sort sorts runs by a field; see Order. An unknown field is reported as an *Error.
func Sort(runs []rundir.Info, key string, descending bool) error {
	order, err := By(key, descending)
	if err == nil {
		order.Sort(runs)
	}
	return err
}

// Order sorts runs by a field. Numbers, durations and dates are sorted by value. Text is sorted without
// regard to case, and numbers within it by value. Runs without the field come last in both directions. The
// order is stable. Numbers with different meanings, such as a bound and an energy, are not compared. Runs are
// grouped by meaning, and the order of the groups does not depend on the direction.
type Order struct {
	field     field
	direction int
}

// By returns the order by a field. An unknown field is reported as an *Error.
func By(key string, descending bool) (Order, error) {
	column, ok := metric.FindColumn(key)
	if !ok {
		return Order{}, &Error{Message: fmt.Sprintf("unknown field %q", key), Unknown: key}
	}
	if descending {
		return Order{field{column}, -1}, nil
	}
	return Order{field{column}, 1}, nil
}

// Sort sorts runs.
func (o Order) Sort(runs []rundir.Info) {
	type keyed struct {
		run rundir.Info
		key sortKey
	}
	list := make([]keyed, len(runs))
	for i := range runs {
		list[i] = keyed{runs[i], o.field.sortKey(metric.OfInfo(&runs[i]))}
	}
	slices.SortStableFunc(list, func(a, b keyed) int { return o.compare(a.key, b.key) })
	for i := range list {
		runs[i] = list[i].run
	}
}

// compare returns -1 if a sorts before b, 0 if they are equal, and 1 if a sorts after b.
func (o Order) compare(a, b sortKey) int {
	if a.missing || b.missing {
		return cmp.Compare(flag(a.missing), flag(b.missing))
	}
	return cmp.Or(cmp.Compare(a.is, b.is), strings.Compare(a.name, b.name), o.direction*a.compare(b))
}

func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}

// sortKey holds the value that runs are sorted by: a number, or otherwise a string.
type sortKey struct {
	missing bool
	is      family.ObjectiveKind // the kind of objective; "" if all runs share one meaning
	name    string               // of the objective
	number  float64              // NaN if there is none
	text    string
}

func (f field) sortKey(run metric.Run) sortKey {
	if f.IsNumber() {
		x, ok := f.Of(run)
		key := sortKey{missing: !ok || math.IsNaN(x), number: x}
		if f.Within == metric.SameObjective {
			is := run.Objective()
			key.is, key.name = is.Kind, is.Name
		}
		return key
	}
	text := f.Text(run)
	key := sortKey{missing: text == "", number: math.NaN(), text: fold(text)}
	if f.Hyperparameter != nil {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			key.number = x
		}
	}
	return key
}

func (k sortKey) compare(other sortKey) int {
	if math.IsNaN(k.number) || math.IsNaN(other.number) {
		return natural(k.text, other.text)
	}
	return cmp.Compare(k.number, other.number)
}

// natural compares strings. Sequences of digits are compared as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		x := digits(a)
		y := digits(b)
		if x > 0 && y > 0 {
			u := strings.TrimLeft(a[:x], "0")
			v := strings.TrimLeft(b[:y], "0")
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

// digits returns the number of leading digits.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}
