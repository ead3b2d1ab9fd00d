package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/session/rundir"
)

// Entry is one cell of a Sheet.
type Entry struct {
	// Text is a name or a formatted number. SE is the standard error of the number, or "".
	Text, SE string
	Number   bool
	// Best and Tied are defined as in Cell.
	Best, Tied bool
	// Inconclusive is set if runs had not settled when training ended.
	Inconclusive bool
	// Apart is set if the number differs significantly from the expected one.
	Apart bool
}

// Sheet is a table of strings that can be written as text, Markdown or LaTeX. The first columns of each row
// are names.
type Sheet struct {
	Title string
	// Names is the number of name columns.
	Names   int
	Columns []string
	Rows    [][]Entry
	// Foot is the last row: for each column the unit that the means were taken over. It is nil if there is
	// none.
	Foot []Entry
	// Notes are footnotes.
	Notes []string
}

func name(text string) Entry { return Entry{Text: text} }

func number(text string) Entry { return Entry{Text: text, Number: true} }

// measured returns a mean with its standard error, which may be NaN.
func measured(mean, se float64, digits int) Entry {
	e := number(fixed(mean, digits))
	if !math.IsNaN(se) {
		e.SE = fixed(se, digits)
	}
	return e
}

// absent marks missing numbers.
const absent = "-"

// Sheet formats the table. The means of a data set have enough decimals to show two digits of the
// smallest standard error.
func (t *Table) Sheet() Sheet {
	s := Sheet{
		Title:   t.Metric.Title() + ", " + t.Metric.Sense() + ": mean (standard error)",
		Names:   1,
		Columns: append([]string{"method"}, t.Datasets...), Foot: []Entry{name("over")},
	}
	for i, method := range t.Methods {
		row := []Entry{name(method)}
		for d := range t.Datasets {
			row = append(row, t.entry(i, d))
		}
		s.Rows = append(s.Rows, row)
	}
	for d := range t.Datasets {
		s.Foot = append(s.Foot, number(t.overText(d)))
	}
	if r := t.Ranking; r != nil {
		s.Columns = append(s.Columns, "rank")
		for i := range s.Rows {
			s.Rows[i] = append(s.Rows[i], number(strconv.FormatFloat(r.Ranks[i], 'f', 2, 64)))
		}
		s.Foot = append(s.Foot, number(fmt.Sprintf("%d %s", r.N, r.Are)))
	}
	s.Notes = t.Notes()
	return s
}

// entry formats a cell.
func (t *Table) entry(method, dataset int) Entry {
	c := t.Cells[method][dataset]
	if c.N == 0 {
		return number(absent)
	}
	e := measured(float64(c.Mean), float64(c.SE), t.digits(dataset))
	e.Best, e.Tied, e.Inconclusive = c.Best, c.Tied, c.Inconclusive > 0
	return e
}

// digits returns the number of decimals for the means of a data set.
func (t *Table) digits(dataset int) int {
	least, largest := math.Inf(1), 0.0
	for i := range t.Cells {
		other := t.Cells[i][dataset]
		if size := math.Abs(float64(other.Mean)); float64(other.SE) > rounding*size {
			least = math.Min(least, float64(other.SE))
		}
		if m := math.Abs(float64(other.Mean)); m > largest {
			largest = m
		}
	}
	return decimals(least, largest)
}

// rounding is the relative size below which a standard error counts as rounding error.
const rounding = 1e-12

// decimals returns the number of decimals needed to show two digits of a standard error, or four digits of
// the value if the standard error is zero or not finite.
func decimals(se, value float64) int {
	size, digits := se, 2
	if math.IsInf(se, 0) || math.IsNaN(se) || se == 0 {
		size, digits = value, 4
	}
	if size == 0 || math.IsInf(size, 0) || math.IsNaN(size) {
		return 3
	}
	return min(max(digits-1-int(math.Floor(math.Log10(size))), 0), 12)
}

// large is the magnitude from which numbers are written in scientific notation.
const large = 1e9

// fixed formats a number with the given number of decimals, without a negative zero. Large numbers
// are written with four significant digits.
func fixed(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.Abs(v) >= large && !math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// overText describes the unit that the means of a data set are taken over.
func (t *Table) overText(dataset int) string {
	least, most, over := 0, 0, Over("")
	for i := range t.Cells {
		c := t.Cells[i][dataset]
		if c.N == 0 {
			continue
		}
		if most == 0 {
			least, over = c.N, c.Over
		}
		least = min(least, c.N)
		most = max(most, c.N)
		if c.Over != over && c.Over != OverOne {
			over = c.Over
		}
	}
	switch {
	case most == 0:
		return absent
	case most == 1:
		return string(OverOne)
	case least < most:
		return fmt.Sprintf("%d-%d %s", least, most, over)
	}
	return fmt.Sprintf("%d %s", most, over)
}

// PText formats a p-value, for example 0.031, 6.6e-05 or <1e-15.
func PText(p rundir.Number) string {
	switch p := float64(p); {
	case math.IsNaN(p):
		return absent
	case p < 1e-15:
		return "<1e-15"
	case p < 1e-3:
		return strconv.FormatFloat(p, 'e', 1, 64)
	default:
		return strconv.FormatFloat(p, 'f', 3, 64)
	}
}
