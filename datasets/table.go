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

	"dgplab/datasets/columns"
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

	delimiter rune
	plan      *plan
	found     findings
	refused   error // of the choices
}

// tableOptions says what is known of a file; the zero value means nothing.
type tableOptions struct {
	delimiter rune // 0 to detect it
	noHeader  bool // the first row is data whatever it looks like
	labels    bool // cells may be text
	choices   columns.Choices
	chunk     int // bytes that are parsed at once, 0 for the usual
}

// CSVError reports trouble in a table file.
type CSVError struct {
	File string
	// Line and Column count from 1; 0 if the trouble has no such place.
	Line, Column int
	// Name is the name of the column, if the file has a header.
	Name    string
	Problem string
	// Remedies are choices that mend it.
	Remedies []columns.Answer
	// Question is set where an answer is all that is needed, and is the problem then.
	Question *columns.Question
}

// Error returns one line: the place as far as it is known, the problem, and what flags of a
// command line do about it.
func (e *CSVError) Error() string {
	if e.Question != nil {
		return e.place() + ": " + e.Question.String()
	}
	return e.place() + ": " + columns.Note{Text: e.Problem, Remedies: e.Remedies}.String()
}

// WithoutFlags returns the place and the problem alone; for screens, which have keys.
func (e *CSVError) WithoutFlags() string { return e.place() + ": " + e.Problem }

// place names the file, and the cell as far as it is known.
func (e *CSVError) place() string {
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
	return place
}

// tidyCells is the size of a table from which on memory matters more than milliseconds.
const tidyCells = 1 << 21

// peekBytes is how much of a file is looked at to detect its delimiter.
const peekBytes = 1 << 16

// mostReadings is how often a file is read before what is found in it is taken as it is.
const mostReadings = 3

// readTable reads a table of numbers, plain or gzip-compressed, UTF-8 with or
// without a byte order mark. Blank lines and lines that start with # are
// skipped. name is what errors call the file. Errors are *CSVError, those of r,
// or ctx's.
//
// How cells are read is found in the beginning of the text. Where the rest shows that it
// was wrong, the file is read again, which an r that is no io.Seeker cannot.
func readTable(ctx context.Context, name string, r io.Reader, opt tableOptions) (*table, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	var p *plan
	for reading := 1; ; reading++ {
		t, err := readOnce(ctx, name, r, opt, limits, p)
		if err != nil {
			return nil, err
		}
		p = t.plan.next(t)
		if p.equal(t.plan) || reading == mostReadings {
			t.plan = p
			return t, nil
		}
		again, ok := r.(io.Seeker)
		if !ok {
			return nil, &CSVError{
				File: name,
				Problem: "its first rows are written in another way than the rest; it must be a file to be " +
					"read again",
			}
		}
		if _, err := again.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
	}
}

// readOnce reads a table by a plan, or by that of its first rows if there is none.
func readOnce(
	ctx context.Context, name string, r io.Reader, opt tableOptions, limits limits, p *plan,
) (*table, error) {
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	if opt.delimiter == 0 {
		opt.delimiter = detectDelimiter(text, opt.choices.First())
	}
	if p == nil {
		p, err = planOf(ctx, name, text, opt, limits)
		if err != nil {
			return nil, err
		}
	}
	t := newTable(name, opt, limits)
	t.plan = p
	if err := t.readRows(ctx, text, opt); err != nil {
		return nil, err
	}
	if t.rows()*t.width > tidyCells {
		runtime.GC() // The text that was read would stand in memory beside the copies that follow.
	}
	return t, nil
}

func newTable(name string, opt tableOptions, limits limits) *table {
	return &table{name: name, text: opt.labels, limits: limits, delimiter: opt.delimiter}
}

// planOf returns the plan that the first rows of a text suggest, which it does not consume;
// nil where they are not sound, which the reader of the text will say. Its errors are those
// of choices.
func planOf(
	ctx context.Context, name string, text *bufio.Reader, opt tableOptions, limits limits,
) (*plan, error) {
	if opt.choices.First() {
		return nil, nil
	}
	head, err := text.Peek(peekBytes)
	if err == nil {
		head = head[:max(bytes.LastIndexByte(head, '\n')+1, 0)]
	}
	sample := newTable(name, opt, limits)
	if err := sample.readRows(ctx, bytes.NewReader(head), opt); err != nil {
		return nil, sample.refused
	}
	return sample.plan.next(sample), nil
}

// begin takes the first row, and reports whether it is a header.
func (t *table) begin(cells []string, opt tableOptions) (header bool, err error) {
	t.grid = newGrid(len(cells))
	header = !opt.noHeader && isHeader(cells, opt.choices.First())
	if header {
		t.header = headerNames(cells)
	}
	t.found.tallies = make([]tally, t.width)
	if t.plan == nil {
		t.plan, err = newPlan(opt.choices, t)
		if err != nil {
			t.refused = err
		}
	}
	return header, err
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

// like returns a table of the same columns without rows.
func (t *table) like() *table {
	return &table{
		name:   t.name,
		header: t.header,
		grid:   newGrid(t.width),
		limits: t.limits,
		plan:   t.plan,
		found:  findings{tallies: make([]tally, t.width)},
	}
}

// addRow appends a row of a table of as many columns.
func (t *table) addRow(from *table, i int) {
	copy(t.extend(), from.row(i))
	t.lines.add(from.lines.at(i))
	for c, w := range from.words {
		if text := w.at(i); text != "" {
			to := t.wordsOf(c, w.first)
			to.cells++
			to.put(t.rows()-1, to.intern(text))
		}
	}
}

// isNumber says whether text is a finite number.
func isNumber(text string) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// isHeader says whether the cells of a first row are names: none is a number, in
// any notation but by the first rules, and not all are empty. A row of numbers with a
// typing error is no header.
func isHeader(cells []string, first bool) bool {
	named := false
	for _, cell := range cells {
		if isNumber(cell) || !first && columns.ShapeOf(strings.TrimSpace(cell)) != 0 {
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
		runes++
		if runes > most {
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
