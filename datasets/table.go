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

// table is a rectangle of finite numbers, NaN for missing and text cells.
type table struct {
	name   string
	header []string // nil if the file has none
	grid
	lines  lineNumbers    // line on which each row starts, from 1
	words  map[int]*words // by column, for text cells, which are NaN in the grid
	count  int            // number of text cells
	text   bool           // text cells are allowed
	limits limits

	delimiter rune
	plan      *plan
	found     findings
	refused   error // error in the choices
}

// tableOptions describes the known properties of a file; the zero value means none.
type tableOptions struct {
	delimiter rune // 0 to detect it
	noHeader  bool // the first row is data in any case
	labels    bool // text cells are allowed
	strict    bool // see plan.strict
	choices   columns.Choices
	chunk     int // bytes parsed at once, 0 for the default
}

// CSVError reports a problem in a table file.
type CSVError struct {
	File string
	// Line and Column count from 1; 0 if unknown.
	Line, Column int
	// Name is the name of the column, if the file has a header.
	Name    string
	Problem string
	// Remedies are choices that resolve the problem.
	Remedies []columns.Answer
	// Question is set if an answer resolves the problem.
	Question *columns.Question
}

// Error returns one line: the place as far as known, the problem, and the command-line flags that
// resolve it.
func (e *CSVError) Error() string {
	if e.Question != nil {
		return e.place() + ": " + e.Question.String()
	}
	return e.place() + ": " + columns.Note{Text: e.Problem, Remedies: e.Remedies}.String()
}

// WithoutFlags returns the place and the problem without flags, for screens.
func (e *CSVError) WithoutFlags() string { return e.place() + ": " + e.Problem }

// place returns the file, and the position of the cell as far as known.
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

// gcCells is the number of cells above which a table triggers a garbage collection after reading.
const gcCells = 1 << 21

// peekBytes is the number of bytes of a file examined to detect its delimiter.
const peekBytes = 1 << 16

// maxReadings is the maximum number of times a file is read to find its plan.
const maxReadings = 3

// readTable reads a table, plain or gzip-compressed, in UTF-8 with or without a byte order mark.
// Blank lines and lines that start with # are skipped. Errors refer to the file by name. Errors are
// *CSVError, errors of r, or the error of ctx.
//
// The plan for reading cells is derived from the beginning of the text. If the rest contradicts it,
// the file is read again, which requires r to be an io.Seeker.
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
		if p.equal(t.plan) || reading == maxReadings {
			t.plan = p
			return t, nil
		}
		again, ok := r.(io.Seeker)
		if !ok {
			return nil, &CSVError{
				File: name,
				Problem: "the first rows are written differently from the rest; save the data to a file, " +
					"which can be read twice",
			}
		}
		if _, err := again.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
	}
}

// readOnce reads a table by a plan; if p is nil it derives the plan from the first rows.
func readOnce(
	ctx context.Context, name string, r io.Reader, opt tableOptions, limits limits, p *plan,
) (*table, error) {
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	if opt.delimiter == 0 {
		opt.delimiter = detectDelimiter(text, opt.strict)
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
	if t.rows()*t.width > gcCells {
		runtime.GC() // Free the text before it is copied.
	}
	return t, nil
}

func newTable(name string, opt tableOptions, limits limits) *table {
	return &table{name: name, text: opt.labels, limits: limits, delimiter: opt.delimiter}
}

// planOf returns the plan suggested by the first rows of the text without consuming them. It
// returns nil if these rows are invalid; reading the text will report that. It returns an error
// only for invalid choices.
func planOf(
	ctx context.Context, name string, text *bufio.Reader, opt tableOptions, limits limits,
) (*plan, error) {
	if opt.strict {
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

// begin processes the first row and reports whether it is a header.
func (t *table) begin(cells []string, opt tableOptions) (header bool, err error) {
	t.grid = newGrid(len(cells))
	header = !opt.noHeader && isHeader(cells, opt.strict)
	if header {
		t.header = headerNames(cells)
	}
	t.found.tallies = make([]tally, t.width)
	if t.plan == nil {
		t.plan, err = newPlan(opt, t)
		if err != nil {
			t.refused = err
		}
	}
	return header, err
}

// plainText decompresses gzip, recognised by its first two bytes, and removes a byte order mark.
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

// emptyCopy returns a table with the same columns and no rows.
func (t *table) emptyCopy() *table {
	return &table{
		name:   t.name,
		header: t.header,
		grid:   newGrid(t.width),
		limits: t.limits,
		plan:   t.plan,
		found:  findings{tallies: make([]tally, t.width)},
	}
}

// addRow appends row i of a table with the same number of columns.
func (t *table) addRow(from *table, i int) {
	copy(t.extend(), from.row(i))
	t.lines.add(from.lines.at(i))
	for c, w := range from.words {
		if text := w.at(i); text != "" {
			to := t.wordsIn(c, w.first)
			to.cells++
			to.put(t.rows()-1, to.intern(text))
		}
	}
}

// isNumber reports whether text is a finite number.
func isNumber(text string) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// isHeader reports whether the cells of a first row are names: none is a number, in any notation
// (if strict, only in plain notation), and not all are empty. A row of numbers with a typing error
// is therefore not a header.
func isHeader(cells []string, strict bool) bool {
	named := false
	for _, cell := range cells {
		if isNumber(cell) || !strict && columns.ShapeOf(strings.TrimSpace(cell)) != 0 {
			return false
		}
		named = named || strings.TrimSpace(cell) != ""
	}
	return named
}

// printableText returns the text of a cell in a form that is safe to print on one line.
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

// headerNames returns the printable names of a header. A column without a name is called x followed
// by its position from 1.
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

// excerpt quotes the beginning of a string from a file on one line.
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

// count returns a number with its noun: "1 cell", "2 cells".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
