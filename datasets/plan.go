package datasets

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/columns"
)

// plan is how the cells of a table are read: what a person said, and what was found in the
// table so far.
type plan struct {
	choices  columns.Choices
	notation columns.Notation
	// unsure says that the notation is a question.
	unsure columns.Shape
	modes  []mode // by column
}

// mode is how the cells of a column are read; the zero value as numbers, where they are.
type mode struct {
	skip    bool // not at all
	text    bool // as they are
	dates   columns.DateLayout
	noDates bool // they have been tried
}

// equal says whether two plans read every cell alike.
func (p *plan) equal(o *plan) bool {
	return p.notation == o.notation && slices.Equal(p.modes, o.modes)
}

// tally is what was found in a column besides its values and texts.
type tally struct {
	missing, dates int
	seen           columns.DatesSeen
}

// place is a cell.
type place struct {
	row, column int
	text        string
}

// findings are what a plan finds in cells.
type findings struct {
	shown   columns.Shape
	tallies []tally
	// unsure are the first cells that may be thousands or decimals, with a point and with a comma.
	unsure [2]*place
}

// unsureShapes are the shapes of findings.unsure.
var unsureShapes = [2]columns.Shape{columns.MaybePoint, columns.MaybeComma}

// note takes what a number shows.
func (f *findings) note(shown columns.Shape, row, column int, text string) {
	f.shown |= shown
	for k, shape := range unsureShapes {
		if shown&shape != 0 && f.unsure[k] == nil {
			f.unsure[k] = &place{row, column, strings.Clone(text)}
		}
	}
}

// special says that the cells are not read as numbers.
func (m *mode) special() bool { return m.skip || m.text || m.dates.Known() }

// problem is what is wrong with a text as a number.
type problem int

const (
	sound problem = iota
	noNumber
	decimalComma
	outOfRange
	infinite
)

// problems are the words for them, behind the text.
var problems = [...]string{
	noNumber: " is not a number", decimalComma: " is not a number; write the decimal comma as a point",
	outOfRange: " is out of the range of a number", infinite: " is not a finite number",
}

// of says what is wrong with a text, "" if nothing is.
func (p problem) of(text string) string {
	if p == sound {
		return ""
	}
	return excerpt(text) + problems[p]
}

// cell reads the cell of a row and a column, without blanks around it: a number, NaN for what
// is missing or is not read, or else a text, with what is wrong with it as a number.
func (p *plan) cell(f *findings, row, column int, text string) (v float64, wrong problem) {
	m, tally := p.modes[column], &f.tallies[column]
	switch {
	case m.skip:
		return math.NaN(), sound
	case p.isMissing(text):
		tally.missing++
		return math.NaN(), sound
	case m.text:
		return math.NaN(), noNumber
	case m.dates.Known():
		if v, ok := m.dates.Parse(text, &tally.seen); ok {
			tally.dates++
			return v, sound
		}
		return math.NaN(), noNumber
	}
	return p.number(f, row, column, text)
}

func (p *plan) isMissing(text string) bool {
	if p.choices.First() {
		return columns.IsMissingFirst(text)
	}
	return columns.IsMissing(text)
}

// number reads a number, or says what is wrong with it.
func (p *plan) number(f *findings, row, column int, text string) (v float64, wrong problem) {
	if !mayBeNumber(text[0]) {
		return math.NaN(), noNumber
	}
	var shown columns.Shape
	ok, err := false, error(nil)
	if p.notation.Decimal == '.' {
		v, err = strconv.ParseFloat(text, 64)
		ok = err == nil
		if ok && f.shown&columns.PointDecimal == 0 && !p.choices.First() { // Else it would tell nothing new.
			shown = columns.ShapeOf(text)
		}
	}
	if !ok && !errors.Is(err, strconv.ErrRange) && !p.choices.First() {
		v, shown, ok, err = p.notation.Parse(text)
	}
	if shown != 0 {
		f.note(shown, row, column, text)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return math.NaN(), outOfRange
	case !ok && p.choices.First() && isNumber(strings.Replace(text, ",", ".", 1)):
		return math.NaN(), decimalComma
	case !ok:
		return math.NaN(), noNumber
	case math.IsNaN(v) || math.IsInf(v, 0):
		return math.NaN(), infinite
	}
	return v, sound
}

// mayBeNumber says whether a number, also one that is infinite, may begin with a byte.
func mayBeNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == ',' || c == 'i' ||
		c == 'I' || c == 'n' || c == 'N'
}

// newPlan is the plan for a file of which nothing is known but its columns.
func newPlan(c columns.Choices, t *table) (*plan, error) {
	p := &plan{choices: c, notation: columns.Plain, modes: make([]mode, t.width)}
	p.notation, _ = columns.Decide(0, 0, c)
	if c.First() {
		return p, nil
	}
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

// next returns the plan that follows from what a table of this plan has shown.
func (p *plan) next(t *table) *plan {
	if p.choices.First() {
		return p
	}
	out := *p
	out.modes = slices.Clone(p.modes)
	out.notation, out.unsure = columns.Decide(t.found.shown, t.delimiter, p.choices)
	for c := range out.modes {
		m, cells := &out.modes[c], t.cells(c)
		switch {
		case m.skip || m.text || m.noDates:
		case m.dates.Known() && cells.Dates+len(cells.Texts) == 0: // all missing
		case m.dates.Known():
			m.dates = m.dates.Settled(cells.Seen, p.choices.Dates)
			if len(cells.Texts) > 0 || !m.dates.Known() {
				*m = mode{noDates: true}
			}
		default:
			m.dates = cells.Layout(p.choices.Dates)
		}
	}
	return &out
}
