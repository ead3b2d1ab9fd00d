package compare

import (
	"fmt"
	"math"
	"strconv"

	"dgplab/session/metric"
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
func measured(mean, se float64) Entry {
	e := Entry{Number: true}
	e.Text, e.SE = metric.WithError(mean, se)
	return e
}

// absent marks missing numbers.
const absent = "-"

// Sheet formats the table.
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
	e := measured(float64(c.Mean), float64(c.SE))
	e.Best, e.Tied, e.Inconclusive = c.Best, c.Tied, c.Inconclusive > 0
	return e
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
func PText(value rundir.Number) string {
	p := float64(value)
	switch {
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
