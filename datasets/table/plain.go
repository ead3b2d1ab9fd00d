package table

import (
	"slices"
	"strings"
)

// PlainCells escapes the cells of a CSV row in place and returns the row. Spreadsheets run a cell
// that begins with =, +, -, @, a tab or a carriage return as a formula, and names may come from
// untrusted files. PlainCells prepends an apostrophe to such a cell unless it is a number. IndexOf finds the
// name again.
func PlainCells(row []string) []string {
	for i, cell := range row {
		row[i] = plainCell(cell)
	}
	return row
}

func plainCell(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := parseFloat(cell); err == nil {
		return cell
	}
	return "'" + cell
}

// IndexOf returns the index of the name in a cell, as it is or as PlainCells writes it, or -1.
func IndexOf(names []string, cell string) int {
	k := slices.Index(names, cell)
	if k < 0 && strings.HasPrefix(cell, "'") {
		k = slices.IndexFunc(names, func(name string) bool { return plainCell(name) == cell })
	}
	return k
}
