package table

import (
	"fmt"
	"slices"
)

// Divider is the column by which a split divides the rows, given by name or by index. It is neither an input
// nor a target, even if the user ignores it.
type Divider struct {
	Column string // "" for none
	// Numbers is true if the cells must be numbers, dates or times. Otherwise they are texts.
	Numbers bool
}

// DividerColumn returns the column of the divider, or nil if there is none.
func (t *Table) DividerColumn(d *Use) *Column {
	c := slices.IndexFunc(t.plan.readings, func(r reading) bool { return r.divides })
	if c < 0 {
		return nil
	}
	return &d.Columns[c]
}

// checkDivider records an error for a cell of the divider without a value.
func (t *Table) checkDivider(d *Use) {
	c := t.DividerColumn(d)
	if c == nil {
		return
	}
	texts := t.plan.readings[c.Index].text
	if !texts && c.Kind != Number && c.Kind != Date {
		d.fail(t.ErrorIn(c, fmt.Sprintf("the column is a %v; a split by time needs numbers, dates "+
			"or times", c.Kind)))
	}
	if !texts && c.Kind == Number {
		if trouble := t.onlyNumbers([]int{c.Index}); trouble != nil {
			d.fail(trouble)
		}
	}
	t.checkInvalid(d, []int{c.Index})
	for row := range t.Rows() {
		if !t.present(row, c.Index) {
			d.fail(t.cellError(row, c.Index,
				"the cell is missing, but the split needs it to divide the rows"))
			return
		}
	}
}

// Number returns the number in a cell.
func (t *Table) Number(row, column int) float64 { return t.at(row, column) }

// CellError returns an error about a cell.
func (t *Table) CellError(row, column int, problem string) error {
	return t.cellError(row, column, problem)
}
