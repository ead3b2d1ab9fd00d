package datasets

import (
	"bytes"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"dgplab/datasets/columns"
)

// rowParser cuts the text of whole rows into cells and reads these by the plan of a table. It
// reads what newRecords reads, many times faster, and may be one of several for a table.
type rowParser struct {
	t       *table // its rows are left alone
	*piece         // what it has read
	text    []byte
	at      int // the next byte
	stop    int // the end of the line, before the line end
	next    int // the beginning of the next line
	scratch []byte
	header  bool // the next row is one, whose cells are not looked at
	least   int64
	// decimals is what a number with decimals shows that can be nothing else.
	decimals columns.Shape
}

func newRowParser(t *table) *rowParser {
	p := &rowParser{t: t, piece: new(piece)}
	p.least = min(t.limits[lineLimit], t.limits[cellLimit], t.limits[columnLimit])
	p.decimals = columns.PointDecimal
	if t.plan.notation.Decimal == ',' {
		p.decimals = columns.CommaDecimal
	}
	return p
}

// parse reads rows, of which the first one may be a header.
func (p *rowParser) parse(text []byte, header bool) {
	p.reset(p.t.width)
	p.text, p.next, p.header = text, 0, header
	for p.next < len(text) {
		begin, line := p.next, p.count+1
		p.line()
		cells, kept := 0, len(p.texts)
		if text[begin] != '#' {
			cells = p.row(line)
		}
		if int64(p.next-begin) >= p.least {
			p.guard(text[begin:p.next], line)
		}
		if p.failed == nil && cells > 0 && !p.header {
			p.keep(cells, line)
		} else {
			p.grid, p.texts = p.grid[:p.rows*p.t.width], p.texts[:kept]
		}
		if p.failed != nil {
			return
		}
		p.header = p.header && cells == 0
	}
}

// line goes to the beginning of the next line.
func (p *rowParser) line() {
	p.at = p.next
	p.count++
	n := bytes.IndexByte(p.text[p.at:], '\n')
	if n < 0 {
		p.stop = len(p.text)
		p.next = len(p.text)
	} else {
		p.stop, p.next = p.at+n, p.at+n+1
	}
	if p.stop > p.at && p.text[p.stop-1] == '\r' {
		p.stop--
	}
}

// keep makes a row of the cells that were read, which begin on a line.
func (p *rowParser) keep(cells, line int) {
	if width := p.t.width; cells != width {
		p.fail(line, min(cells, width)+1,
			fmt.Sprintf("the row has %s, the first row has %d", count(cells, "cell"), width))
		p.failed.Name = ""
		return
	}
	p.lines.add(line)
	p.rows++
}

// guard refuses a row that exceeds a limit.
func (p *rowParser) guard(row []byte, line int) {
	if failed := p.t.limits.check(row, p.t.delimiter, line); failed != nil {
		p.failed = failed
	}
}

// fail says what is wrong with a cell, its column from 1.
func (p *rowParser) fail(line, column int, problem string) {
	p.failed = &CSVError{Line: line, Column: column, Problem: problem}
	if column > 0 && column <= p.t.width {
		p.failed.Name = p.t.nameOf(column - 1)
	}
}

// row reads the cells of a row and returns how many it has: 0 for a blank one. Those beyond
// the width of the table are counted only.
func (p *rowParser) row(line int) (cells int) {
	if p.t.delimiter == whitespace {
		return p.spacedRow(line)
	}
	for ; ; cells++ {
		if p.at < p.stop && (p.text[p.at] <= ' ' || p.text[p.at] >= utf8.RuneSelf) {
			p.leading()
		}
		if begin := p.at; p.at < p.stop && p.text[p.at] == '"' || !p.quick(cells) {
			cell, ok := p.slow(begin)
			if !ok {
				p.fail(p.count, 0, badQuote)
				return 0
			}
			if cells == 0 && p.at >= p.stop && len(bytes.TrimSpace(cell)) == 0 {
				return 0
			}
			p.cell(line, cells, cell)
		}
		if p.failed != nil {
			return 0
		}
		if p.at >= p.stop {
			return cells + 1
		}
		p.at++ // the delimiter
	}
}

// slow returns the text of a cell and goes behind it; ok is false where a quotation mark is out
// of place.
func (p *rowParser) slow(begin int) (cell []byte, ok bool) {
	if p.at < p.stop && p.text[p.at] == '"' {
		return p.quoted()
	}
	if n := bytes.IndexByte(p.text[p.at:p.stop], byte(p.t.delimiter)); n >= 0 {
		p.at += n
	} else {
		p.at = p.stop
	}
	cell = p.text[begin:p.at]
	return cell, bytes.IndexByte(cell, '"') < 0
}

// badQuote is the trouble with quotation marks.
const badQuote = "a double quote is out of place or never closed"

// leading skips the blanks before a cell, but between tabs.
func (p *rowParser) leading() {
	if p.t.delimiter == '\t' {
		return
	}
	for p.at < p.stop {
		c := p.text[p.at]
		if c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				return
			}
			p.at++
			continue
		}
		r, n := utf8.DecodeRune(p.text[p.at:p.stop])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

// quoted reads a cell in quotation marks, which may have several lines, and goes behind it; ok
// is false if the quotation is not closed where the cell ends.
func (p *rowParser) quoted() (cell []byte, ok bool) {
	p.at++
	p.scratch = p.scratch[:0]
	for {
		n := bytes.IndexByte(p.text[p.at:p.stop], '"')
		if n < 0 {
			p.scratch = append(append(p.scratch, p.text[p.at:p.stop]...), '\n')
			if p.next >= len(p.text) {
				return nil, false
			}
			p.line()
			continue
		}
		p.scratch = append(p.scratch, p.text[p.at:p.at+n]...)
		p.at += n + 1
		switch {
		case p.at >= p.stop || rune(p.text[p.at]) == p.t.delimiter:
			return p.scratch, true
		case p.text[p.at] != '"':
			return nil, false
		}
		p.scratch = append(p.scratch, '"')
		p.at++
	}
}

// spacedRow is row of cells that white space separates, where quotations end on their line.
func (p *rowParser) spacedRow(line int) (cells int) {
	for {
		for p.at < p.stop && isBlank(p.text[p.at]) {
			p.at++
		}
		if p.at >= p.stop {
			return cells
		}
		begin := p.at
		switch {
		case p.text[p.at] == '"':
			n := bytes.IndexByte(p.text[p.at+1:p.stop], '"')
			if n < 0 {
				p.fail(p.count, 0, badQuote)
				return 0
			}
			p.at += n + 2
			p.cell(line, cells, p.text[begin+1:p.at-1])
		case !p.quick(cells):
			for p.at < p.stop && !isBlank(p.text[p.at]) {
				p.at++
			}
			p.cell(line, cells, p.text[begin:p.at])
		}
		if p.failed != nil {
			return 0
		}
		cells++
	}
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// quick reads a cell that is a number without separators of thousands and goes behind it; it reports
// false, and stays, for any other cell.
func (p *rowParser) quick(column int) bool {
	if p.header || column >= p.t.width || p.t.plan.modes[column].special() {
		return false
	}
	s, ok := scanNumber(p.text[p.at:p.stop], p.t.plan.notation.Decimal)
	if !ok {
		return false
	}
	end := p.at + s.length
	if end < p.stop {
		if c := p.text[end]; p.t.delimiter == whitespace && !isBlank(c) ||
			p.t.delimiter != whitespace && rune(c) != p.t.delimiter {
			return false
		}
	}
	if s.point && p.found.shown&p.decimals == 0 && !p.t.plan.choices.First() {
		number := string(p.text[p.at:end])
		p.found.note(columns.ShapeOf(number), p.rows, column, number)
	}
	p.at = end
	p.number(s.v)
	return true
}

// cell takes any other cell of a row that begins on a line.
func (p *rowParser) cell(line, column int, raw []byte) {
	if column >= p.t.width || p.header {
		return
	}
	text := bytes.TrimSpace(raw)
	d := &p.dicts[column]
	if id := d.ids[string(text)]; id > 0 {
		p.piece.text(column, id)
		return
	}
	cell := string(text)
	v, problem := p.t.plan.cell(&p.found, p.rows, column, cell)
	switch {
	case problem == sound:
		p.number(v)
	case !p.t.text:
		p.number(math.NaN())
		p.fail(line, column+1, problem.of(cell))
	default:
		if len(d.texts) == 0 {
			d.problem = problem.of(cell)
		}
		p.piece.text(column, d.add(cell))
	}
}
