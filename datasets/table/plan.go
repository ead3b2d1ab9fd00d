package table

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// plan holds the rules for reading the cells of a table, derived from the choices of the user and
// the part of the table read so far.
type plan struct {
	choices Choices
	// strict accepts only numbers with a decimal point, without detection or questions, and only
	// empty cells, NA and NaN as missing values. It is set for the data sets of the catalogue.
	strict   bool
	notation Notation
	// unsure is the ambiguous shape while the notation is an open question.
	unsure Shape
	modes  []mode // by column
}

// mode holds the rules for reading the cells of a column. With the zero value, cells are read as
// numbers.
type mode struct {
	skip    bool // do not read the cells
	text    bool // read all cells as text
	dates   DateLayout
	noDates bool // parsing as dates has failed
}

// equal reports whether two plans read every cell in the same way.
func (p *plan) equal(o *plan) bool {
	return p.notation == o.notation && slices.Equal(p.modes, o.modes)
}

// tally counts the cells of a column that are neither numbers nor text.
type tally struct {
	missing, dates int
	seen           DatesSeen
}

// cellPosition is the position and text of a cell.
type cellPosition struct {
	row, column int
	text        string
}

// findings collects the properties of the cells read by a plan.
type findings struct {
	shown   Shape
	tallies []tally
	// unsure holds the first cell with an ambiguous point and the first cell with an ambiguous
	// comma.
	unsure [2]*cellPosition
}

// unsureShapes are the shapes of findings.unsure.
var unsureShapes = [2]Shape{MaybePoint, MaybeComma}

// note records the shape of a number.
func (f *findings) note(shown Shape, row, column int, text string) {
	f.shown |= shown
	for k, shape := range unsureShapes {
		if shown&shape != 0 && f.unsure[k] == nil {
			f.unsure[k] = &cellPosition{row, column, strings.Clone(text)}
		}
	}
}

// special reports whether the cells are not read as numbers.
func (m *mode) special() bool { return m.skip || m.text || m.dates.IsDate() }

// problem is a reason why a string is not a valid number.
type problem int

const (
	noProblem problem = iota
	notNumber
	decimalComma
	outOfRange
	infinite
)

// problems are the messages, which are printed after the text.
var problems = [...]string{
	notNumber: " is not a number", decimalComma: " is not a number; write the decimal comma as a point",
	outOfRange: " is out of the range of a number", infinite: " is not a finite number",
}

// of returns the message for a string, or "" for noProblem.
func (p problem) of(text string) string {
	if p == noProblem {
		return ""
	}
	return Excerpt(text) + problems[p]
}

// cell returns the number in a trimmed cell. It returns NaN for a missing or skipped cell, and NaN
// and the problem for text.
func (p *plan) cell(f *findings, row, column int, text string) (v float64, wrong problem) {
	m, tally := p.modes[column], &f.tallies[column]
	switch {
	case m.skip:
		return math.NaN(), noProblem
	case p.isMissing(text):
		tally.missing++
		return math.NaN(), noProblem
	case m.text:
		return math.NaN(), notNumber
	case m.dates.IsDate():
		if v, ok := m.dates.Parse(text, &tally.seen); ok {
			tally.dates++
			return v, noProblem
		}
		return math.NaN(), notNumber
	}
	return p.number(f, row, column, text)
}

func (p *plan) isMissing(text string) bool {
	if p.strict {
		return text == "" || strings.EqualFold(text, "NA") || strings.EqualFold(text, "NaN")
	}
	return IsMissing(text)
}

// number parses a number.
func (p *plan) number(f *findings, row, column int, text string) (v float64, wrong problem) {
	if !mayBeNumber(text[0]) {
		return math.NaN(), notNumber
	}
	var shown Shape
	ok, err := false, error(nil)
	if p.notation.Decimal == '.' {
		v, err = parseFloat(text)
		ok = err == nil
		// once decimal points are found, the shape of this cell adds nothing
		if ok && f.shown&PointDecimal == 0 && !p.strict {
			shown = ShapeOf(text)
		}
	}
	if !ok && !errors.Is(err, strconv.ErrRange) && !p.strict {
		v, shown, ok, err = p.notation.Parse(text)
	}
	if shown != 0 {
		f.note(shown, row, column, text)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return math.NaN(), outOfRange
	case !ok && p.strict && isNumber(strings.Replace(text, ",", ".", 1)):
		return math.NaN(), decimalComma
	case !ok:
		return math.NaN(), notNumber
	case math.IsNaN(v) || math.IsInf(v, 0):
		return math.NaN(), infinite
	}
	return v, noProblem
}

// mayBeNumber reports whether a number, including infinity and NaN, can begin with c.
func mayBeNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == ',' || c == 'i' ||
		c == 'I' || c == 'n' || c == 'N'
}

// newPlan returns the initial plan for a table with known columns.
func newPlan(opt ReadOptions, t *Table) (*plan, error) {
	if opt.Strict {
		return strictPlan(t.Width), nil
	}
	c := opt.Choices
	p := &plan{choices: c, modes: make([]mode, t.Width)}
	p.notation, _ = DecideNotation(0, 0, c)
	for _, word := range c.Ignore {
		k, err := t.column(word, "column")
		if err != nil {
			return nil, err
		}
		p.modes[k].skip = true
	}
	for _, word := range c.Categorical {
		k, err := t.column(word, "column")
		if err != nil {
			return nil, err
		}
		p.modes[k].text = true
	}
	return p, nil
}

// strictPlan returns the strict plan for a number of columns.
func strictPlan(width int) *plan {
	return &plan{strict: true, notation: PlainNotation, modes: make([]mode, width)}
}

// next returns the plan that follows from the cells of a table read by p.
func (p *plan) next(t *Table) *plan {
	if p.strict {
		return p
	}
	out := *p
	out.modes = slices.Clone(p.modes)
	out.notation, out.unsure = DecideNotation(t.found.shown, t.delimiter, p.choices)
	for c := range out.modes {
		m, cells := &out.modes[c], t.cells(c)
		switch {
		case m.skip || m.text || m.noDates:
		case m.dates.IsDate() && cells.Dates+len(cells.Texts) == 0: // all missing
		case m.dates.IsDate():
			m.dates = m.dates.Resolve(cells.Seen, p.choices.Dates)
			if len(cells.Texts) > 0 || !m.dates.IsDate() {
				*m = mode{noDates: true}
			}
		default:
			m.dates = cells.Layout(p.choices.Dates)
		}
	}
	return &out
}
