package datasets

import (
	"dgplab/datasets/table"
)

// InputColumn is a column of a table that one or several inputs encode. A number is one input, a
// column with two levels has a single indicator, and any other category has an indicator for each
// level.
type InputColumn struct {
	Name string `json:"name"`
	// First is the first input of the column, from 0, and Width is the number of its inputs.
	First int `json:"first"`
	Width int `json:"width"`
	// Levels names the levels of a category or a boolean. It is nil for numbers.
	Levels []string `json:"levels,omitempty"`
}

// Category reports whether the column has levels.
func (c InputColumn) Category() bool { return c.Levels != nil }

// Encode sets dst, [Width], to the inputs of a level, in original units.
func (c InputColumn) Encode(dst []float64, level int) {
	table.EncodeLevel(dst, level, len(c.Levels))
}

// Level returns the level encoded by inputs in original units, [Width], or -1 if they encode none,
// for example because the cell is missing.
func (c InputColumn) Level(inputs []float64) int {
	if c.Width == 1 && len(c.Levels) == 2 {
		for level := range c.Levels {
			if isIndicator(inputs[0], level) {
				return level
			}
		}
		return -1
	}
	found := -1
	for k, v := range inputs {
		switch {
		case isIndicator(v, 1) && found < 0:
			found = k
		case !isIndicator(v, 0):
			return -1
		}
	}
	return found
}

// isIndicator reports whether v equals want, which is 0 or 1, up to rounding errors of
// standardisation.
func isIndicator(v float64, want int) bool {
	const rounding = 1e-6
	d := v - float64(want)
	return d > -rounding && d < rounding
}

// InputColumns returns the columns that the inputs encode, in the order of the inputs. It returns
// nil if no column has levels.
func (ds *Dataset) InputColumns() []InputColumn {
	if ds.Columns == nil {
		return nil
	}
	var list []InputColumn
	categories := false
	first := 0
	for i := range ds.Columns.Columns {
		c := &ds.Columns.Columns[i]
		if c.Role != table.Input || len(c.Inputs) == 0 {
			continue
		}
		column := InputColumn{Name: c.Inputs[0], First: first, Width: len(c.Inputs)}
		if c.Kind == table.Category || c.Kind == table.Boolean {
			column.Name = c.Name
			for _, level := range c.Levels {
				column.Levels = append(column.Levels, level.Name)
			}
			categories = true
		}
		list = append(list, column)
		first += column.Width
	}
	if !categories {
		return nil
	}
	return list
}

// NumberColumns returns numeric columns with the given names.
func NumberColumns(names []string) []InputColumn {
	list := make([]InputColumn, len(names))
	for k, name := range names {
		list[k] = InputColumn{Name: name, First: k, Width: 1}
	}
	return list
}
