package board

import (
	"slices"

	"dgplab/tui/kit"
)

// tableSort is the order of the rows of the table, by the values in the named column. Missing values and NaN
// come last. With the zero value or an unknown column, runs keep their order.
type tableSort struct {
	Column     string
	Descending bool
}

// Next returns the order by the column that is the given number of columns to the right, in the default
// direction of that column. The original order of the runs comes between the last and the first column.
func (s tableSort) Next(runs []*Run, by int) tableSort {
	list := columns(&kit.Theme{}, runs)
	n := len(list) + 1
	at := slices.IndexFunc(list, func(c column) bool { return c.name == s.Column }) + 1
	at = ((at+by)%n + n) % n
	if at == 0 {
		return tableSort{}
	}
	c := list[at-1]
	return tableSort{c.name, c.metric != nil && c.metric.LargestFirst()}
}

// tableOrder returns the indices of the runs in the order of the rows.
func tableOrder(runs []*Run, s tableSort) []int {
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	list := columns(&kit.Theme{}, runs)
	at := slices.IndexFunc(list, func(c column) bool { return c.name == s.Column })
	if at < 0 {
		return order
	}
	values := make([]value, len(runs))
	for i, r := range runs {
		values[i] = list[at].value(r)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		v, w := values[a], values[b]
		switch {
		case v.last() || w.last():
			return v.rank() - w.rank()
		case s.Descending:
			return compareValues(w, v)
		}
		return compareValues(v, w)
	})
	return order
}

// rank returns 0 for a value that can be compared, 1 for NaN and 2 for a missing value.
func (v value) rank() int {
	switch {
	case v.missing():
		return 2
	case v.numeric && v.number != v.number:
		return 1
	}
	return 0
}

// last reports whether the value comes last in either direction.
func (v value) last() bool { return v.rank() > 0 }
