package session

import (
	"strconv"
	"strings"
)

// PlainCells makes the cells of a row of CSV harmless, in place, and returns the row.
// Spreadsheets run a cell that begins with =, +, -, @, a tab or a carriage return as a
// formula, and names come from other people's files: such a cell gets an apostrophe before
// it, unless it is a number.
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
