package table

import (
	"strconv"
	"strings"
)

// PlainCells escapes the cells of a CSV row in place and returns the row. Spreadsheets run a cell
// that begins with =, +, -, @, a tab or a carriage return as a formula, and names may come from
// untrusted files. PlainCells prepends an apostrophe to such a cell unless it is a number.
func PlainCells(row []string) []string {
	for i, cell := range row {
		if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			continue
		}
		if _, err := strconv.ParseFloat(cell, 64); err != nil {
			row[i] = "'" + cell
		}
	}
	return row
}
