package table

import (
	"bufio"
	"encoding/csv"
	"errors"
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

// newRecords returns the rows of text.
func newRecords(text *bufio.Reader, delimiter rune) records {
	if delimiter == Whitespace {
		return &spacedRecords{text: text}
	}
	r := csv.NewReader(text)
	r.Comma = delimiter
	r.Comment = '#'
	r.FieldsPerRecord = -1 // the table reports ragged rows in more detail
	r.TrimLeadingSpace = delimiter != '\t'
	r.ReuseRecord = true
	return &delimitedRecords{reader: r}
}

// delimitedRecords reads rows with cells separated by a character. Quoted cells may contain this
// character and line ends (RFC 4180).
type delimitedRecords struct {
	reader *csv.Reader
	at     int
}

func (d *delimitedRecords) next() ([]string, error) {
	for {
		cells, err := d.reader.Read()
		if err != nil {
			return nil, err
		}
		d.at, _ = d.reader.FieldPos(0)
		if len(cells) > 1 || strings.TrimSpace(cells[0]) != "" {
			return cells, nil
		}
	}
}

func (d *delimitedRecords) line() int { return d.at }

// spacedRecords reads rows with cells separated by spaces or tabs. Cells in double quotes may
// contain spaces and tabs.
type spacedRecords struct {
	text *bufio.Reader
	at   int
}

func (s *spacedRecords) next() ([]string, error) {
	for {
		line, err := s.text.ReadString('\n')
		if line == "" && err != nil {
			return nil, err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		s.at++
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells, ok := spacedCells(line)
		if !ok {
			return nil, &csv.ParseError{StartLine: s.at, Line: s.at, Err: csv.ErrQuote}
		}
		if len(cells) > 0 {
			return cells, nil
		}
	}
}

func (s *spacedRecords) line() int { return s.at }

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

// recordError converts a read error to an *Error.
func recordError(name string, err error) error {
	var parse *csv.ParseError
	var trouble *Error
	if errors.As(err, &trouble) {
		placed := *trouble
		placed.File = name
		return &placed
	}
	if errors.As(err, &parse) {
		return &Error{File: name, Line: parse.Line, Problem: badQuote}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: name, Problem: "the compressed file is cut short"}
	}
	return &Error{File: name, Problem: err.Error()}
}

// detectDelimiter examines the first lines of text without consuming them. It returns the first of
// tab, semicolon, bar, comma and white space that splits every line into the same number of cells,
// at least two. A comma does not count if white space also fits and all commas are decimal commas.
// If strict is set, bars and decimal commas are not considered. If no delimiter fits, because rows
// are ragged or there is a single column, it returns the first delimiter that splits the first
// line, which gives the most helpful error.
func detectDelimiter(text *bufio.Reader, strict bool) rune {
	const sample = 20
	head, err := text.Peek(peekBytes)
	whole := err != nil // the text ends within head
	var lines []string
	for rest := string(head); rest != "" && len(lines) < sample; {
		line, tail, complete := strings.Cut(rest, "\n")
		rest = tail
		if strings.TrimSpace(line) != "" && line[0] != '#' && (complete || whole || len(lines) == 0) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if len(lines) == 0 {
		return ','
	}
	candidates := []rune{'\t', ';', '|', ',', Whitespace}
	if strict {
		candidates = []rune{'\t', ';', ',', Whitespace}
	}
	fallback := rune(0)
	for _, delimiter := range candidates {
		if countCells(lines[0], delimiter) < 2 {
			continue
		}
		if cutsEvenly(lines, delimiter) && (strict || delimiter != ',' || !decimalCommas(lines)) {
			return delimiter
		}
		if fallback == 0 {
			fallback = delimiter
		}
	}
	if fallback == 0 {
		return ','
	}
	return fallback
}

// cutsEvenly reports whether a delimiter splits all lines into the same number of cells.
func cutsEvenly(lines []string, delimiter rune) bool {
	cells := countCells(lines[0], delimiter)
	for _, line := range lines[1:] {
		if countCells(line, delimiter) != cells {
			return false
		}
	}
	return true
}

// decimalCommas reports whether white space also splits all lines evenly and every comma is part of
// a number.
func decimalCommas(lines []string) bool {
	within, cells := false, countCells(lines[0], Whitespace)
	if cells < 2 || !cutsEvenly(lines, Whitespace) {
		return false
	}
	for _, line := range lines {
		list, _ := spacedCells(line)
		for _, cell := range list {
			if !strings.Contains(cell, ",") {
				continue
			}
			within = true
			if ShapeOf(cell) == 0 {
				return false
			}
		}
	}
	return within
}

// countCells returns the number of cells of a line, ignoring delimiters in double quotes.
func countCells(line string, delimiter rune) int {
	if delimiter == Whitespace {
		cells, _ := spacedCells(line)
		return len(cells)
	}
	cells, quoted := 1, false
	for _, r := range line {
		switch r {
		case '"':
			quoted = !quoted
		case delimiter:
			if !quoted {
				cells++
			}
		}
	}
	return cells
}
