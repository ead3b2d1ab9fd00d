package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/session/rundir"
)

// Entry is one cell of a Sheet.
type Entry struct {
	// Text is a name or a number as written; SE is the number's standard error, ""
	// for none.
	Text, SE string
	Number   bool
	// Best and Tied are marked; see Cell.
	Best, Tied bool
}

// Sheet is a table of texts, before it is written as text, Markdown or LaTeX. The
// first column of every row is a name.
type Sheet struct {
	Title   string
	Columns []string
	Rows    [][]Entry
	// Foot says, in each column, what the numbers above are over; nil for none.
	Foot []Entry
	// Notes are whole sentences or parts of them, to stand below.
	Notes []string
}

func name(text string) Entry { return Entry{Text: text} }

func number(text string) Entry { return Entry{Text: text, Number: true} }

// measured is a mean with its standard error, if it has one.
func measured(mean, se float64, digits int) Entry {
	e := number(fixed(mean, digits))
	if !math.IsNaN(se) {
		e.SE = fixed(se, digits)
	}
	return e
}

// absent is what stands where there is no number.
const absent = "-"

// Sheet writes the numbers of a table: means with so many decimals that the
// least standard error of the data set has two digits.
func (t *Table) Sheet() Sheet {
	s := Sheet{
		Title:   t.Metric.Title() + ", " + t.Metric.Sense() + ": mean (standard error)",
		Columns: append([]string{"method"}, t.Datasets...), Foot: []Entry{name("over")},
	}
	for i, method := range t.Methods {
		row := []Entry{name(method)}
		for d := range t.Datasets {
			row = append(row, t.entry(i, d))
		}
		s.Rows = append(s.Rows, row)
	}
	tested, single := false, false
	for d := range t.Datasets {
		s.Foot = append(s.Foot, number(t.overText(d)))
		for i := range t.Methods {
			tested = tested || !math.IsNaN(float64(t.Cells[i][d].P))
			single = single || t.Cells[i][d].N == 1 && t.Cells[i][d].Best
		}
	}
	if r := t.Ranking; r != nil {
		s.Columns = append(s.Columns, "rank")
		for i := range s.Rows {
			s.Rows[i] = append(s.Rows[i], number(strconv.FormatFloat(r.Ranks[i], 'f', 2, 64)))
		}
		s.Foot = append(s.Foot, number(fmt.Sprintf("%d blocks", r.N)))
	}
	if t.Unmatched {
		s.Notes = append(s.Notes, "not all means are over the same test points")
	}
	if tested {
		s.Notes = append(s.Notes, fmt.Sprintf("tied: not told from the best by a paired t-test at %g", Alpha))
	}
	if single {
		s.Notes = append(s.Notes, "of single runs the best number is marked, but nothing is tested")
	}
	if t.hasNaN() {
		s.Notes = append(s.Notes, "NaN: a score of one of the runs is no number, which ranks last")
	}
	return s
}

// hasNaN says whether the mean of any cell that has runs is no number.
func (t *Table) hasNaN() bool {
	return slices.ContainsFunc(slices.Concat(t.Cells...), func(c Cell) bool { return c.N > 0 && math.IsNaN(float64(c.Mean)) })
}

// entry writes a cell.
func (t *Table) entry(method, dataset int) Entry {
	c := t.Cells[method][dataset]
	if c.N == 0 {
		return number(absent)
	}
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
	e := measured(float64(c.Mean), float64(c.SE), decimals(least, largest))
	e.Best, e.Tied = c.Best, c.Tied
	return e
}

// rounding is the share of a mean below which its standard error is one of rounding.
const rounding = 1e-12

// decimals returns how many decimals show two digits of a standard error, or,
// where that is not finite, four digits of a value.
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

// large is where a number is no longer written with all its digits.
const large = 1e9

// fixed writes a number with so many decimals, never as -0, and one that is large
// with four digits.
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

// overText says what the means of a data set are over.
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
		least, most = min(least, c.N), max(most, c.N)
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

// PText writes a probability: 0.031, 6.6e-05, <1e-15.
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

// DirectSheet writes direct comparisons of the same two methods, one on each line.
func DirectSheet(list []Comparison) Sheet {
	s := Sheet{
		Title:   fmt.Sprintf("direct comparison of A, %s, and B, %s: mean (standard error)", list[0].A, list[0].B),
		Columns: []string{"data set", "A better, %", "log-lik A-B", "p (t)", "p (Wilcoxon)", "verdict", "over"},
	}
	single := false
	for _, c := range list {
		if len(c.Pairs) == 0 {
			continue
		}
		single = single || c.Single
		share, shareSE := 100*float64(c.Share), 100*float64(c.ShareSE)
		difference, differenceSE := float64(c.Difference), float64(c.DifferenceSE)
		s.Rows = append(s.Rows, []Entry{
			name(c.Dataset), measured(share, shareSE, decimals(shareSE, 100)), measured(difference, differenceSE, decimals(differenceSE, math.Abs(difference))),
			number(PText(c.TP)), number(PText(c.WilcoxonP)), name(c.Verdict), number(fmt.Sprintf("%d %s", c.N, c.Over)),
		})
	}
	s.Notes = append(s.Notes, "A better: share of test points on which its log-likelihood is higher",
		fmt.Sprintf("verdict: who has the higher log-likelihood by the paired t-test at %g; ~ if it does not tell", Alpha))
	if single {
		s.Notes = append(s.Notes, "over test points: a single split and seed, whose verdict is always ~")
	}
	return s
}
