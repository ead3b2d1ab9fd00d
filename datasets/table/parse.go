package table

import (
	"bytes"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"
)

// rowParser splits the text of complete rows into cells and parses them by the plan of a table. It
// gives the same results as newRecords but is many times faster. Several parsers may work on one
// table.
type rowParser struct {
	t       *Table // its rows are not accessed
	*piece         // the parsed rows
	text    []byte
	at      int // next byte
	stop    int // end of the line, without the line end
	next    int // start of the next line
	scratch []byte
	header  bool // the next row is a header, whose cells are skipped
	least   int64
	// decimals is the shape of a number with an unambiguous decimal sign.
	decimals Shape
}

func newRowParser(t *Table) *rowParser {
	p := &rowParser{t: t, piece: new(piece)}
	p.least = min(t.limits[lineLimit], t.limits[cellLimit], t.limits[columnLimit])
	p.decimals = PointDecimal
	if t.plan.notation.Decimal == ',' {
		p.decimals = CommaDecimal
	}
	return p
}

// parse parses rows. If header is true, the first one is a header.
func (p *rowParser) parse(text []byte, header bool) {
	p.reset(p.t.Width)
	p.text, p.next, p.header = text, 0, header
	for p.next < len(text) {
		begin, line := p.next, p.count+1
		p.line()
		cells, kept := 0, len(p.texts)
		if text[begin] != '#' {
			cells = p.row(line)
		}
		if int64(p.next-begin) >= p.least {
			if failed := p.t.limits.check(text[begin:p.next], p.t.delimiter, line); failed != nil {
				p.failed = failed
			}
		}
		if p.failed == nil && cells > 0 && !p.header {
			p.keep(cells, line)
		} else {
			p.grid, p.texts = p.grid[:p.rows*p.t.Width], p.texts[:kept]
		}
		if p.failed != nil {
			return
		}
		p.header = p.header && cells == 0
	}
}

// line advances to the next line.
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

// keep adds the parsed cells, which begin on the given line, as a row.
func (p *rowParser) keep(cells, line int) {
	if width := p.t.Width; cells != width {
		p.fail(line, min(cells, width)+1,
			fmt.Sprintf("the row has %s, the first row has %d", Plural(cells, "cell"), width))
		p.failed.Name = ""
		return
	}
	p.lines.add(line)
	p.rows++
}

// fail records an error in a cell; column counts from 1.
func (p *rowParser) fail(line, column int, problem string) {
	p.failed = &Error{Line: line, Column: column, Problem: problem}
	if column > 0 && column <= p.t.Width {
		p.failed.Name = p.t.nameOf(column - 1)
	}
}

// row parses the cells of a row and returns their number, which is 0 for a blank row. Cells beyond
// the width of the table are only counted.
func (p *rowParser) row(line int) (cells int) {
	if p.t.delimiter == Whitespace {
		return p.spacedRow(line)
	}
	for ; ; cells++ {
		if p.at < p.stop && (p.text[p.at] <= ' ' || p.text[p.at] >= utf8.RuneSelf) {
			p.skipBlanks()
		}
		begin := p.at
		if p.at < p.stop && p.text[p.at] == '"' || !p.fastNumber(cells) {
			cell, ok := p.slowCell(begin)
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

// slowCell returns the text of a cell and advances past it. ok is false if a quotation mark is
// misplaced.
func (p *rowParser) slowCell(begin int) (cell []byte, ok bool) {
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

// badQuote is the message for misplaced quotation marks.
const badQuote = "a double quote is out of place or never closed"

// skipBlanks skips blanks before a cell, unless the delimiter is a tab.
func (p *rowParser) skipBlanks() {
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

// quoted reads a quoted cell, which may span several lines, and advances past it. ok is false
// unless the cell ends after the closing quotation mark.
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

// spacedRow parses a row with cells separated by white space. Quotations must end on their line.
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
		case !p.fastNumber(cells):
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

// fastNumber parses a cell that is a number without thousands separators and advances past it. For
// any other cell it returns false and does not advance.
func (p *rowParser) fastNumber(column int) bool {
	if p.header || column >= p.t.Width || p.t.plan.modes[column].special() {
		return false
	}
	s, ok := scanNumber(p.text[p.at:p.stop], p.t.plan.notation.Decimal)
	if !ok {
		return false
	}
	end := p.at + s.length
	if end < p.stop {
		if c := p.text[end]; p.t.delimiter == Whitespace && !isBlank(c) ||
			p.t.delimiter != Whitespace && rune(c) != p.t.delimiter {
			return false
		}
	}
	if s.point && p.found.shown&p.decimals == 0 && !p.t.plan.strict {
		number := string(p.text[p.at:end])
		p.found.note(ShapeOf(number), p.rows, column, number)
	}
	p.at = end
	p.number(s.v)
	return true
}

// cell adds a cell that is not a fast number, in a row that begins on the given line.
func (p *rowParser) cell(line, column int, raw []byte) {
	if column >= p.t.Width || p.header {
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
	case problem == noProblem:
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
