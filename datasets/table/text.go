package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// isNumber reports whether text is a finite number.
func isNumber(text string) bool {
	v, err := parseFloat(strings.TrimSpace(text))
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// isHeader reports whether the cells of a first row are names: no cell is a number in any notation
// (if strict is set, in plain notation), and not all cells are empty. A row of numbers with a
// typing error is therefore not a header.
func isHeader(cells []string, strict bool) bool {
	named := false
	for _, cell := range cells {
		if isNumber(cell) || !strict && ShapeOf(strings.TrimSpace(cell)) != 0 {
			return false
		}
		named = named || strings.TrimSpace(cell) != ""
	}
	return named
}

// printableText returns the text of a cell in a form that is safe to print on one line.
func printableText(cell string) string {
	printable := func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(printable, cell)), " ")
}

// headerNames returns the printable names of a header. A column without a name is called x followed
// by its position from 1.
func headerNames(cells []string) []string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = printableText(cell)
		if names[i] == "" {
			names[i] = "x" + strconv.Itoa(i+1)
		}
	}
	return names
}

// Excerpt quotes the beginning of a string from a file on one line.
func Excerpt(text string) string {
	const most = 30
	runes := 0
	for at := range text {
		runes++
		if runes > most {
			return strconv.Quote(text[:at] + "…")
		}
	}
	return strconv.Quote(text)
}

// ShortList joins names and abbreviates long lists.
func ShortList(names []string) string {
	const limit = 12
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return strings.Join(names, ", ")
}

// Plural returns a number with its noun: "1 number", "2 numbers", "2 categories".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun[len(noun)-1] == 'y':
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
