package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Whitespace is the delimiter for any run of spaces and tabs.
const Whitespace = ' '

// records iterates over the rows of a table, split into cells.
type records interface {
	// next returns the cells of the next row that is neither blank nor a comment, or io.EOF. The
	// slice is valid until the next call.
	next() ([]string, error)
	// line returns the line, from 1, on which the row of the last call starts.
	line() int
}

// badQuote is the message for misplaced quotation marks.
const badQuote = "a double quote is out of place or never closed"

// textRows iterates over the rows of a text. Cells are separated by a character, and quoted cells may contain
// this character and line ends (RFC 4180), or they are separated by white space.
type textRows struct {
	text   *bounded
	csv    *csv.Reader
	spaced *bufio.Reader // nil unless cells are separated by white space
	form   form
	at     int
	before int // number of lines before the text
	limits limits
}

// form is the form of a text.
type form struct {
	delimiter rune
	comment   rune // begins lines that are skipped, 0 for none
}

func newTextRows(text io.Reader, f form, before int, l limits) *textRows {
	r := &textRows{text: &bounded{Reader: text, limit: l[lineLimit]}, form: f, before: before, limits: l}
	if f.delimiter == Whitespace {
		r.spaced = bufio.NewReader(r.text)
		return r
	}
	r.csv = csv.NewReader(r.text)
	r.csv.Comma = f.delimiter
	r.csv.Comment = f.comment
	r.csv.FieldsPerRecord = -1 // the table reports ragged rows in more detail
	r.csv.TrimLeadingSpace = f.delimiter != '\t'
	r.csv.ReuseRecord = true
	return r
}

func (r *textRows) line() int { return r.before + r.at }

func (r *textRows) next() ([]string, error) {
	if r.spaced != nil {
		return r.nextSpaced()
	}
	for {
		r.text.n = 0
		cells, err := r.csv.Read()
		var parse *csv.ParseError
		switch {
		case r.text.exceeded:
			return nil, r.tooLong()
		case errors.As(err, &parse):
			return nil, &Error{Line: r.before + parse.StartLine, Problem: badQuote}
		case err != nil:
			return nil, err
		}
		r.at, _ = r.csv.FieldPos(0)
		if len(cells) > 1 || strings.TrimSpace(cells[0]) != "" {
			return cells, nil
		}
	}
}

// tooLong returns the error for a row that exceeds the limit.
func (r *textRows) tooLong() *Error {
	return &Error{
		Line:    r.line() + 1,
		Problem: r.limits.exceeded(lineLimit, "the line has more than %s bytes"),
	}
}

// nextSpaced returns the next row of cells between white space. Cells in double quotes may contain spaces and
// tabs.
func (r *textRows) nextSpaced() ([]string, error) {
	for {
		r.text.n = 0
		line, err := r.spaced.ReadString('\n')
		if r.text.exceeded {
			return nil, r.tooLong()
		}
		if line == "" && err != nil || err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		r.at++
		if r.form.comment != 0 && strings.HasPrefix(line, string(r.form.comment)) {
			continue
		}
		cells, ok := spacedCells(line)
		if !ok {
			return nil, &Error{Line: r.line(), Problem: badQuote}
		}
		if len(cells) > 0 {
			return cells, nil
		}
	}
}

// bounded ends a text with an error if more than about limit bytes are read for one row and the comments
// before it, so that a row without an end is not stored. Blank lines do not count.
type bounded struct {
	io.Reader
	limit, n int64
	exceeded bool
}

var errLine = errors.New("the line is too long")

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.n > b.limit+peekBytes { // readers read ahead
		b.exceeded = true
		return 0, errLine
	}
	n, err := b.Reader.Read(p)
	b.n += int64(n - bytes.Count(p[:n], []byte{'\n'}))
	return n, err
}

// spacedCells splits a line at runs of white space outside double quotes and removes the quotes. It
// returns false if a quote is not closed.
func spacedCells(line string) (cells []string, ok bool) {
	for {
		line = strings.TrimLeft(line, " \t\r\n\v\f")
		if line == "" {
			return cells, true
		}
		if line[0] == '"' {
			end := strings.IndexByte(line[1:], '"')
			if end < 0 {
				return nil, false
			}
			cells = append(cells, line[1:1+end])
			line = line[end+2:]
			continue
		}
		end := strings.IndexAny(line, " \t\r\n\v\f")
		if end < 0 {
			end = len(line)
		}
		cells = append(cells, line[:end])
		line = line[end:]
	}
}

// placed returns an error of a reader as an *Error about the file.
func placed(name string, err error) error {
	var trouble *Error
	if errors.As(err, &trouble) {
		copied := *trouble
		copied.File = name
		return &copied
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: name, Problem: "the compressed file is cut short"}
	}
	return &Error{File: name, Problem: err.Error()}
}

// checkRow returns an error if the cells of a row exceed a limit.
func (l limits) checkRow(cells []string, line int) *Error {
	if int64(len(cells)) > l[columnLimit] {
		return &Error{Line: line, Column: int(l[columnLimit]) + 1,
			Problem: l.exceeded(columnLimit, "the row has more than %s columns")}
	}
	for c, cell := range cells {
		if int64(len(cell)) > l[cellLimit] {
			return &Error{Line: line, Column: c + 1,
				Problem: l.exceeded(cellLimit, "the cell has more than %s bytes")}
		}
	}
	return nil
}

// raggedProblem returns the message for a row whose number of cells is not that of the first row.
func raggedProblem(cells, width int) string {
	return fmt.Sprintf("the row has %s, the first row has %d", Plural(cells, "cell"), width)
}
