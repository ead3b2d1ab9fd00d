package panel

import "dgplab/tui/kit"

// Sort is the order of the rows of the table: by the values of a column (a name of
// Columns), missing ones last. The zero value, and a column that there is not, leave
// the runs in the order they were given in.
type Sort struct {
	Column     string
	Descending bool
}

// Columns returns the names of the columns of these runs from left to right, also
// of those that a narrow table drops; to be sorted by.
func Columns(runs []Run) []string { return nil }

// Next returns the order by the column that is by columns to the right of s (to the
// left if negative), with the best values on top, or first the order as given.
func (s Sort) Next(runs []Run, by int) Sort { return s }

// Order returns the indices of runs in the order of the table's rows.
func Order(runs []Run, s Sort) []int { return nil }

// Table draws a row for each run, the chosen one marked. Narrow ones leave columns
// out, and below a few columns say the rest about the chosen run in lines of
// details. It is exactly h lines of w cells.
func Table(th *kit.Theme, runs []Run, s Sort, w, h int) []string { return th.Box(nil, w, h) }
