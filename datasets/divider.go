package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/datasets/table"
)

// divider is the column of a file by which a split divides the rows.
type divider struct {
	by   Split // with the kind and the column as the user named it
	name string
	unit string // of times, "" without one
	// values holds for each row the number of its group, from 0 in order of first occurrence, its time, or
	// its part: 0, 1 and 2 for training, validation and test.
	values []float64
}

// partNames are the words for a part in a column.
var partNames = [...][]string{{"train", "training"}, {"val", "valid", "validation"}, {"test"}}

// divideBy keeps the column by which a split divides the rows, if there is one.
func (ds *Dataset) divideBy(s Split, t *table.Table, d *table.Use, rows []int) error {
	c := t.DividerColumn(d)
	if c == nil {
		return nil
	}
	v := &divider{by: s, name: c.Name, unit: c.Unit, values: make([]float64, len(rows))}
	ds.divider = v
	groups := map[string]int{}
	for k, row := range rows {
		if s.Kind == Time {
			v.values[k] = t.Number(row, c.Index)
			continue
		}
		label := t.Label(row, c.Index)
		if s.Kind == Column {
			part := partNamed(label)
			if part < 0 {
				return t.CellError(row, c.Index,
					table.Excerpt(label)+" is not a part; want train, validation or test")
			}
			v.values[k] = float64(part)
			continue
		}
		if _, known := groups[label]; !known {
			groups[label] = len(groups)
		}
		v.values[k] = float64(groups[label])
	}
	return nil
}

// partNamed returns the index in partNames of the part that a word names in any case, or -1.
func partNamed(word string) int {
	word = strings.ToLower(word)
	return slices.IndexFunc(partNames[:], func(words []string) bool { return slices.Contains(words, word) })
}

// note returns the note that the column divides the rows. For times, it also gives the unit of a gap.
func (v *divider) note() table.Note {
	text := fmt.Sprintf("column %s divides the rows and is not an input", v.name)
	if v.unit != "" {
		text += "; a gap of the split is in " + strings.TrimSuffix(v.unit, " since 1970")
	}
	return table.Note{Text: text}
}

// rowsWith returns the rows whose values satisfy a condition, ascending.
func (v *divider) rowsWith(ok func(value float64) bool) (rows []int) {
	for row, value := range v.values {
		if ok(value) {
			rows = append(rows, row)
		}
	}
	return rows
}

// groups draws a tenth of the groups for testing, and a share of the others for validation, at least one
// group each unless the share is 0.
func (v *divider) groups(
	number uint64, share float64, seed uint64,
) (train, validation, test []int, err error) {
	n := int(slices.Max(v.values)) + 1
	if n < 2 {
		return nil, nil, nil, fmt.Errorf("all rows are in one group of column %s; at least 2 are needed",
			v.name)
	}
	part := make([]int, n) // by group
	for _, g := range stream(number, "group").Perm(n)[:max(1, (n+5)/10)] {
		part[g] = 2
	}
	var rest []int
	for g := range part {
		if part[g] == 0 {
			rest = append(rest, g)
		}
	}
	kept, drawn := validationRows(rest, share, seed)
	if len(kept) == 0 {
		return nil, nil, nil, fmt.Errorf("column %s has %d groups, too few for training, validation and "+
			"testing; set validation=0 or a smaller share", v.name, n)
	}
	for _, g := range drawn {
		part[g] = 1
	}
	parts := [3][]int{}
	for row, g := range v.values {
		k := part[int(g)]
		parts[k] = append(parts[k], row)
	}
	return parts[0], parts[1], parts[2], nil
}

// times returns the last tenth of the rows for testing and the last share of those before the gap for
// validation. Rows of the same time are in the same part, so a part may have more rows.
func (v *divider) times(gap, share float64) (train, validation, test []int, err error) {
	n := len(v.values)
	start := lastTimes(v.values, max(1, (n+5)/10))
	if start == slices.Min(v.values) {
		return nil, nil, nil, fmt.Errorf("column %s: the test set would begin at the earliest time, "+
			"so no row is left for training", v.name)
	}
	test = v.rowsWith(func(t float64) bool { return t >= start })
	end := start - gap
	train = v.rowsWith(func(t float64) bool { return t < end })
	if len(train) == 0 {
		return nil, nil, nil, fmt.Errorf("the gap %v leaves no row before the test set; column %s has "+
			"values from %v, and the test set begins at %v", gap, v.name, slices.Min(v.values), start)
	}
	if share == 0 {
		return train, nil, test, nil
	}
	before := make([]float64, len(train))
	for k, row := range train {
		before[k] = v.values[row]
	}
	middle := lastTimes(before, max(1, int(math.Round(share*float64(len(train))))))
	validation = v.rowsWith(func(t float64) bool { return t >= middle && t < end })
	train = v.rowsWith(func(t float64) bool { return t < middle })
	return train, validation, test, nil
}

// lastTimes returns the time from which there are at least count times.
func lastTimes(times []float64, count int) float64 {
	sorted := slices.SortedFunc(slices.Values(times), func(a, b float64) int { return cmp.Compare(b, a) })
	return sorted[min(count, len(sorted))-1]
}

// named returns the parts that the column names. Without a row for validation, a share of the training rows
// is drawn.
func (v *divider) named(share float64, seed uint64) (train, validation, test []int, err error) {
	parts := [len(partNames)][]int{}
	for k := range parts {
		parts[k] = v.rowsWith(func(value float64) bool { return int(value) == k })
	}
	train, validation, test = parts[0], parts[1], parts[2]
	if len(train) == 0 || len(test) == 0 {
		return nil, nil, nil, fmt.Errorf("column %s names %d training rows and %d test rows; both are needed",
			v.name, len(train), len(test))
	}
	if len(validation) == 0 {
		train, validation = validationRows(train, share, seed)
	}
	return train, validation, test, nil
}
