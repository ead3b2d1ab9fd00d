package table

import (
	"bufio"
	"io"
)

// guardedText reads the text of a table and returns an error at the first line, cell or number of
// columns that exceeds its limit. The reader that splits the text into cells reads from it, because
// that reader alone would store a whole row before it could check the row.
type guardedText struct {
	text      *bufio.Reader
	limits    limits
	delimiter rune
	failed    *Error // the error that ended the text

	line    int   // from 1
	row     int64 // bytes of the current row or comment
	cell    int64 // bytes of the current cell
	columns int64 // cells of the row, including the current one
	comment bool
	quoted  bool // the position is inside quotation marks
	closing bool // the position is directly after a closing quotation mark
	begun   bool // the cell has non-blank characters
}

func newGuardedText(text *bufio.Reader, l limits, delimiter rune) *guardedText {
	g := &guardedText{text: text, limits: l, delimiter: delimiter, line: 1}
	g.startRow()
	return g
}

// startRow resets the state before the first byte of a row.
func (g *guardedText) startRow() {
	g.row, g.columns, g.comment = 0, 0, false
	g.startCell()
	g.cell = 0
}

// startCell resets the state at the byte before a cell.
func (g *guardedText) startCell() {
	g.cell = -1
	g.quoted = false
	g.closing = false
	g.begun = false
	// With white space as the delimiter, a cell begins with its first non-blank byte.
	if g.delimiter != Whitespace {
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

// take processes one byte.
func (g *guardedText) take(c byte) {
	if c == '\n' {
		g.line++
		if !g.quoted || g.delimiter == Whitespace {
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

// cut tracks the boundaries of cells and quotations.
func (g *guardedText) cut(c byte) {
	blank := c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'
	if g.delimiter == Whitespace && !blank && !g.begun {
		g.columns++
	}
	switch {
	case c == '"' && (!g.begun || g.closing): // a doubled mark inside a quotation is literal
		g.quoted, g.closing, g.begun = true, false, true
	case c == '"' && g.quoted:
		g.quoted, g.closing = false, true
	case g.quoted:
	case g.delimiter == Whitespace && blank:
		g.startCell()
	case g.delimiter != Whitespace && rune(c) == g.delimiter:
		g.startCell()
	default:
		g.begun, g.closing = g.begun || !blank, false
	}
}

func (g *guardedText) fail(k limit, format string) {
	g.failed = &Error{Line: g.line, Column: int(g.columns), Problem: g.limits.exceeded(k, format)}
	if g.comment {
		g.failed.Column = 0
	}
}

// unzipped reads the text of a compressed file. It returns an error if the text is much longer than
// the compressed file, which never happens for tables of numbers.
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
		return n, &Error{
			Problem: u.limits.exceeded(ratioLimit,
				"the file is compressed to less than 1/%s of its text, unlike any table of numbers"),
		}
	}
	return n, err
}

// counted counts the bytes read.
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

// check returns an error if a row or comment starting on the given line exceeds a limit.
func (l limits) check(row []byte, delimiter rune, line int) *Error {
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
