package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Noise names the column with the known noise of the target in each row. The column is not an input.
type Noise struct {
	Column string // by name or by index
	// SD is true if the column holds the standard deviation, and false if it holds the variance.
	SD bool
	// Learned is true if the noise has a learned part, the same for all rows, besides the known one.
	Learned bool
}

// Marks of the two parts of a known noise in text.
const (
	sdMark      = "sd:"
	learnedMark = "+learned"
)

// ParseNoise parses COLUMN, sd:COLUMN, COLUMN+learned or sd:COLUMN+learned. A column whose name has one of
// these marks is given by its index.
func ParseNoise(text string) (n Noise) {
	text = strings.TrimSpace(text)
	text, n.SD = strings.CutPrefix(text, sdMark)
	text, n.Learned = strings.CutSuffix(text, learnedMark)
	n.Column = strings.TrimSpace(text)
	return n
}

// String describes the values of the column: "variance" or "standard deviation", and a learned part.
func (n Noise) String() string {
	text := "variance"
	if n.SD {
		text = "standard deviation"
	}
	if n.Learned {
		text += ", with a learned part in addition"
	}
	return text
}

// markKnown marks the columns with the known noise and the weights of the rows. Their cells are numbers.
func (p *plan) markKnown(t *Table) error {
	for _, known := range []struct {
		column string
		role   Role
	}{{ParseNoise(p.choices.Noise).Column, KnownNoise}, {p.choices.Weight, Weight}} {
		if known.column == "" {
			continue
		}
		c, err := t.column(known.column, "column")
		if err != nil {
			return err
		}
		r := &p.readings[c]
		if r.role != Input {
			return &Error{File: t.Name, Column: c + 1, Name: t.nameOf(c),
				Problem: "a column cannot hold both the known noise and the weights"}
		}
		r.role = known.role
		r.skip = false
	}
	return nil
}

// knownColumn returns the column of a role that at most one column has, or nil if there is none.
func knownColumn(columns []Column, role Role) *Column {
	c := slices.IndexFunc(columns, func(c Column) bool { return c.Role == role })
	if c < 0 {
		return nil
	}
	return &columns[c]
}

// checkKnown records an error for a column of known noise or weights that is not a column of numbers.
func (t *Table) checkKnown(d *Use) {
	for _, role := range []Role{KnownNoise, Weight} {
		c := knownColumn(d.Columns, role)
		if c == nil {
			continue
		}
		if c.Kind != Number {
			d.fail(t.ErrorIn(c, fmt.Sprintf("the column is a %v; a %v needs numbers", c.Kind, role)))
			continue
		}
		trouble := t.onlyNumbers([]int{c.Index})
		if trouble != nil {
			d.fail(trouble)
		}
		t.checkInvalid(d, []int{c.Index})
	}
}

// Known returns the values of the column with a role in the given rows, or nil if no column has the role: the
// known noise variances, in units of the squared target, or the weights. A cell without a valid number is an
// error.
func (t *Table) Known(d *Use, role Role, rows []int) ([]float64, error) {
	c := knownColumn(d.Columns, role)
	if c == nil {
		return nil, nil
	}
	sum := 0.0
	values := make([]float64, len(rows))
	for k, row := range rows {
		v := t.at(row, c.Index)
		problem := ""
		values[k], problem = knownValue(role, v, t.plan.choices)
		if problem != "" {
			return nil, t.cellError(row, c.Index, problem)
		}
		sum += values[k]
	}
	if sum == 0 || math.IsInf(sum, 0) {
		return nil, t.ErrorIn(c, fmt.Sprintf("the sum of the column is %v; give a finite, positive one", sum))
	}
	return values, nil
}

// knownValue returns the noise variance or the weight that the number v in a cell means. problem is not empty
// if the number is invalid.
func knownValue(role Role, v float64, choices Choices) (value float64, problem string) {
	switch {
	case math.IsNaN(v) && role == KnownNoise:
		return 0, "the cell is missing; give the noise of the row, or delete the row"
	case math.IsNaN(v):
		return 0, "the cell is missing; give the weight of the row, 0 to leave it out of training"
	case role == Weight && !(v >= 0):
		return 0, fmt.Sprintf("the weight %v is negative; 0 leaves a row out of training", v)
	case role == Weight:
		return v, ""
	}
	word := "variance"
	value = v
	if ParseNoise(choices.Noise).SD {
		word = "standard deviation"
		value = v * v
	}
	if !(v > 0) {
		return 0, fmt.Sprintf("the known noise %s %v is not positive; give a small number for an exact "+
			"target", word, v)
	}
	if value == 0 || math.IsInf(value, 0) {
		return 0, fmt.Sprintf("the known noise %s %v has no finite, positive variance", word, v)
	}
	return value, ""
}

// KnownNoise returns the known noise variance in the cells of a row, in units of the squared target. problem
// is not empty if the cell is invalid. The file must have the column; see RowReader.Noise.
func (r *RowReader) KnownNoise(cells []string) (variance float64, problem string) {
	v, problem := r.Value(r.Noise.Column, cells[r.Noise.At])
	if problem != "" {
		return 0, problem
	}
	return knownValue(KnownNoise, v, r.layout.plan.choices)
}
