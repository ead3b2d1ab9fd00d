package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isNumber reports whether text is a finite number.
func isNumber(text string) bool {
	v, err := parseFloat(strings.TrimSpace(text))
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
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

// invisible returns the problem of a text with characters that cannot be seen, which make equal-looking texts
// different, or with characters that could not be decoded. It returns "" for any other text.
func invisible(text string) string {
	for _, r := range text {
		switch {
		case r == utf8.RuneError:
			return "has a byte that could not be decoded"
		case r < ' ' && !unicode.IsSpace(r), !unicode.IsPrint(r) && !unicode.IsSpace(r):
			return fmt.Sprintf("has the invisible character %U", r)
		}
	}
	return ""
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
