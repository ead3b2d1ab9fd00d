package datasets

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"unicode"
)

// table is a rectangle of finite numbers, NaN where a cell is missing.
type table struct {
	name   string
	header []string // nil if the file has none
	grid
	lines  lineNumbers    // on which each row starts, from 1
	words  map[int]*words // by column, where cells are text; NaN in the grid
	count  int            // of such cells
	text   bool           // cells may be text
	limits limits
}

// tableOptions says what is known of a file; the zero value means nothing.
type tableOptions struct {
	delimiter rune // 0 to detect it
	noHeader  bool // the first row is data whatever it looks like
	labels    bool // cells may be text
}

// CSVError reports trouble in a table file.
type CSVError struct {
	File string
	// Line and Column count from 1; 0 if the trouble has no such place.
	Line, Column int
	// Name is the name of the column, if the file has a header.
	Name    string
	Problem string
}

// Error returns one line: the place as far as it is known, and the problem.
func (e *CSVError) Error() string {
	place := e.File
	if e.Line > 0 {
		place += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Column > 0 {
		place += fmt.Sprintf(", column %d", e.Column)
	}
	if e.Name != "" {
		place += fmt.Sprintf(" (%s)", e.Name)
	}
	return place + ": " + e.Problem
}

// tidyCells is the size of a table from which on memory matters more than milliseconds.
const tidyCells = 1 << 21

// peekBytes is how much of a file is looked at to detect its delimiter.
const peekBytes = 1 << 16

// readTable reads a table of numbers, plain or gzip-compressed, UTF-8 with or
// without a byte order mark. Blank lines and lines that start with # are
// skipped. name is what errors call the file. Errors are *CSVError, those of r,
// or ctx's.
func readTable(ctx context.Context, name string, r io.Reader, opt tableOptions) (*table, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	if opt.delimiter == 0 {
		opt.delimiter = detectDelimiter(text)
	}
	t := &table{name: name, text: opt.labels, limits: limits}
	guarded := newGuardedText(text, limits, opt.delimiter)
	records := newRecords(bufio.NewReader(guarded), opt.delimiter)
	for first := true; ; first = false {
		if first || t.rows()%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		cells, err := records.next()
		if guarded.failed != nil && err != nil {
			err = guarded.failed
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, recordError(name, err)
		}
		if first {
			t.grid = newGrid(len(cells))
			if !opt.noHeader && isHeader(cells) {
				t.header = headerNames(cells)
				continue
			}
		}
		if err := t.add(cells, records.line()); err != nil {
			return nil, err
		}
	}
	if t.rows() == 0 {
		return nil, &CSVError{File: name, Problem: "no rows of numbers"}
	}
	if t.rows()*t.width > tidyCells {
		runtime.GC() // The text that was read would stand in memory beside the copies that follow.
	}
	return t, nil
}

// plainText undoes gzip, recognised by its first two bytes, and takes off a
// byte order mark.
func plainText(r io.Reader, l limits) (*bufio.Reader, error) {
	packed := &counted{Reader: r}
	text := bufio.NewReaderSize(packed, peekBytes)
	head, err := text.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		plain, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(&unzipped{Reader: plain, limits: l, packed: packed}, peekBytes)
	}
	head, _ = text.Peek(3)
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, errors.New("the text is UTF-16; save it as UTF-8")
	case bytes.Equal(head, []byte("\xef\xbb\xbf")):
		_, _ = text.Discard(3)
	}
	return text, nil
}

// add appends one row of cells, which starts at a line of the file.
func (t *table) add(cells []string, line int) error {
	if len(cells) != t.width {
		return &CSVError{File: t.name, Line: line, Column: min(len(cells), t.width) + 1,
			Problem: fmt.Sprintf("the row has %s, the first row has %d", count(len(cells), "cell"), t.width)}
	}
	if int64(t.rows()+1)*int64(t.width) > t.limits[numberLimit] {
		return &CSVError{File: t.name, Line: line, Problem: t.limits.exceeded(numberLimit, "the table is too large: more than %s numbers")}
	}
	row := t.extend()
	t.lines.add(line)
	for c, cell := range cells {
		v, problem := parseCell(cell)
		if problem != "" {
			trouble := &CSVError{File: t.name, Line: line, Column: c + 1, Name: t.nameOf(c), Problem: problem}
			if !t.text || problem != notANumber(cell) {
				return trouble
			}
			if err := t.word(c, cell, trouble); err != nil {
				return err
			}
			v = math.NaN()
		}
		row[c] = v
	}
	return nil
}

// like returns a table of the same columns without rows.
func (t *table) like() *table {
	return &table{name: t.name, header: t.header, grid: newGrid(t.width), limits: t.limits}
}

// addRow appends a row of a table of as many columns.
func (t *table) addRow(from *table, i int) {
	copy(t.extend(), from.row(i))
	t.lines.add(from.lines.at(i))
	for c, w := range from.words {
		if text := w.at(i); text != "" {
			t.wordsOf(c, w.first).add(t.rows()-1, text)
		}
	}
}

// isMissing says whether the text of a cell stands for a number that was not observed.
func isMissing(text string) bool {
	return text == "" || strings.EqualFold(text, "NA") || strings.EqualFold(text, "NaN")
}

// complete returns a *CSVError for the first cell of the chosen columns that is
// missing.
func (t *table) complete(columns []int) error {
	for i := range t.rows() {
		for _, c := range columns {
			if !math.IsNaN(t.at(i, c)) {
				continue
			}
			return &CSVError{File: t.name, Line: t.lines.at(i), Column: c + 1, Name: t.nameOf(c), Problem: "the number is missing; only targets may be"}
		}
	}
	return nil
}

// parseCell returns the number in a cell, NaN if it is missing, or what is wrong with it.
func parseCell(cell string) (v float64, problem string) {
	text := strings.TrimSpace(cell)
	if isMissing(text) {
		return math.NaN(), ""
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, excerpt(text) + " is out of the range of a number"
	case err != nil && isNumber(strings.Replace(text, ",", ".", 1)):
		return 0, excerpt(text) + " is not a number; write the decimal comma as a point"
	case err != nil:
		return 0, notANumber(text)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, excerpt(text) + " is not a finite number"
	}
	return v, ""
}

// notANumber is the trouble with a cell that is some text.
func notANumber(cell string) string { return excerpt(strings.TrimSpace(cell)) + " is not a number" }

// isNumber says whether text is a finite number.
func isNumber(text string) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// isHeader says whether the cells of a first row are names: none is a number and
// not all are empty. A row of numbers with a typing error is no header.
func isHeader(cells []string) bool {
	named := false
	for _, cell := range cells {
		if isNumber(cell) {
			return false
		}
		named = named || strings.TrimSpace(cell) != ""
	}
	return named
}

// printableText cleans the text of a cell, so that it is safe to print on one line.
func printableText(cell string) string {
	printable := func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(printable, cell)), " ")
}

// headerNames cleans the names of a header; a column without one is called x and its
// number, from 1.
func headerNames(cells []string) []string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = printableText(cell)
		if names[i] == "" {
			names[i] = "x" + strconv.Itoa(i+1)
		}
	}
	return names
}

// excerpt quotes the beginning of a text from a file, on one line.
func excerpt(text string) string {
	const most = 30
	runes := 0
	for at := range text {
		if runes++; runes > most {
			return strconv.Quote(text[:at] + "…")
		}
	}
	return strconv.Quote(text)
}

// count returns "1 cell", "2 cells".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
