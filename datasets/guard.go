package datasets

import (
	"bufio"
	"io"
)

// guardedText passes the text of a table on and ends it with an error at the first
// place where a line, a cell or the number of columns exceeds its limit. It stands
// before whatever cuts the text into cells, which otherwise holds a whole row in memory
// before anybody can look at it.
type guardedText struct {
	text      *bufio.Reader
	limits    limits
	delimiter rune
	failed    *CSVError // what ended the text

	line    int   // from 1
	row     int64 // bytes of the row, or of the comment
	cell    int64 // bytes of the cell
	columns int64 // cells of the row, with this one
	comment bool
	quoted  bool // within quotation marks
	closing bool // just behind them
	begun   bool // the cell has more than blanks before it
}

func newGuardedText(text *bufio.Reader, l limits, delimiter rune) *guardedText {
	g := &guardedText{text: text, limits: l, delimiter: delimiter, line: 1}
	g.startRow()
	return g
}

// startRow is before the first byte of a row.
func (g *guardedText) startRow() {
	g.row, g.columns, g.comment = 0, 0, false
	g.startCell()
	g.cell = 0
}

// startCell is at the byte before a cell.
func (g *guardedText) startCell() {
	g.cell = -1
	g.quoted = false
	g.closing = false
	g.begun = false
	if g.delimiter != whitespace { // There a cell begins with what is not blank.
		g.columns++
	}
}

// Read implements io.Reader.
func (g *guardedText) Read(p []byte) (int, error) {
	if g.failed != nil {
		return 0, g.failed
	}
	n, err := g.text.Read(p)
	for i, c := range p[:n] {
		g.take(c)
		if g.failed != nil {
			return i, g.failed
		}
	}
	return n, err
}

// take follows the text by one byte.
func (g *guardedText) take(c byte) {
	if c == '\n' {
		g.line++
		if !g.quoted || g.delimiter == whitespace {
			g.startRow()
			return
		}
	}
	g.comment = g.comment || g.row == 0 && c == '#'
	if !g.comment {
		g.cut(c)
	}
	g.row, g.cell = g.row+1, g.cell+1
	switch {
	case g.columns > g.limits[columnLimit]:
		g.fail(columnLimit, "the row has more than %s columns")
	case g.cell > g.limits[cellLimit] && !g.comment:
		g.fail(cellLimit, "the cell has more than %s bytes")
	case g.row > g.limits[lineLimit]:
		g.fail(lineLimit, "the line has more than %s bytes")
	}
}

// cut follows where cells and quotations begin and end.
func (g *guardedText) cut(c byte) {
	blank := c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'
	if g.delimiter == whitespace && !blank && !g.begun {
		g.columns++
	}
	switch {
	case c == '"' && (!g.begun || g.closing): // Two of them within a quotation are one that is meant.
		g.quoted, g.closing, g.begun = true, false, true
	case c == '"' && g.quoted:
		g.quoted, g.closing = false, true
	case g.quoted:
	case g.delimiter == whitespace && blank:
		g.startCell()
	case g.delimiter != whitespace && rune(c) == g.delimiter:
		g.startCell()
	default:
		g.begun, g.closing = g.begun || !blank, false
	}
}

func (g *guardedText) fail(k limit, format string) {
	g.failed = &CSVError{Line: g.line, Column: int(g.columns), Problem: g.limits.exceeded(k, format)}
	if g.comment {
		g.failed.Column = 0
	}
}

// unzipped is the text of a compressed file. It ends with an error where it is much
// longer than what it was made of, as no table of numbers is.
type unzipped struct {
	io.Reader
	limits limits
	packed *counted
	length int64
}

// Read implements io.Reader.
func (u *unzipped) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	u.length += int64(n)
	if u.length > ratioFloor && u.length/u.limits[ratioLimit] > u.packed.n {
		return n, &CSVError{
			Problem: u.limits.exceeded(ratioLimit,
				"the file is compressed to less than 1/%s of its text, as no table of numbers is"),
		}
	}
	return n, err
}

// counted counts what is read.
type counted struct {
	io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// check returns the limit that a row, or a comment, which begins on a line exceeds, nil for
// none.
func (l limits) check(row []byte, delimiter rune, line int) *CSVError {
	g := newGuardedText(nil, l, delimiter)
	g.line = line
	for _, c := range row {
		g.take(c)
		if g.failed != nil {
			return g.failed
		}
	}
	return nil
}
