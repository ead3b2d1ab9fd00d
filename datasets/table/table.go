package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"runtime/debug"
)

// Table holds the finite numbers of a table, with NaN for missing cells and text cells.
type Table struct {
	Name   string
	header []string // nil if the file has none
	grid
	lines  lineNumbers    // line on which each row starts, from 1
	words  map[int]*words // text cells by column, which are NaN in the grid
	count  int            // number of text cells
	text   bool           // text cells are allowed
	limits limits

	delimiter rune
	plan      *plan
	found     findings
	refused   error // error in the choices
}

// ReadOptions describes the known properties of a file. With the zero value, none are known.
type ReadOptions struct {
	Delimiter rune // 0 to detect it
	NoHeader  bool // the first row is never a header
	Labels    bool // text cells are allowed
	Strict    bool // see plan.strict
	Choices   Choices
	chunk     int // bytes parsed at once, 0 for the default
}

// gcCells is the number of cells above which a table triggers a garbage collection after reading.
const gcCells = 1 << 21

// peekBytes is the number of bytes of a file examined to detect its delimiter.
const peekBytes = 1 << 16

// maxReadings is the maximum number of times a file is read to find its plan.
const maxReadings = 3

// Read reads a table, plain or gzip-compressed, in UTF-8 with or without a byte order mark, or in
// Windows-1252. Blank lines and lines that start with # are skipped. Errors refer to the file by name. Read
// returns an *Error, an error of r, or the error of ctx.
//
// The plan for reading cells is derived from the beginning of the text. If the rest contradicts it,
// the file is read again, which requires r to be an io.Seeker.
func Read(ctx context.Context, name string, r io.Reader, opt ReadOptions) (*Table, error) {
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
			return nil, &Error{
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

// readOnce reads a table by a plan. If p is nil, it derives the plan from the first rows.
func readOnce(
	ctx context.Context, name string, r io.Reader, opt ReadOptions, limits limits, p *plan,
) (*Table, error) {
	text, err := plainText(r, limits)
	if err != nil {
		return nil, recordError(name, err)
	}
	if opt.Delimiter == 0 {
		opt.Delimiter = detectDelimiter(text, opt.Strict)
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
	if t.Rows()*t.Width > gcCells {
		debug.FreeOSMemory() // free the text before the numbers are copied
	}
	return t, nil
}

func newTable(name string, opt ReadOptions, limits limits) *Table {
	return &Table{Name: name, text: opt.Labels, limits: limits, delimiter: opt.Delimiter}
}

// planOf returns the plan suggested by the first rows of the text without consuming them. It
// returns nil if these rows are invalid, which reading the text will report. It returns an error
// only for invalid choices.
func planOf(
	ctx context.Context, name string, text *bufio.Reader, opt ReadOptions, limits limits,
) (*plan, error) {
	if opt.Strict {
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
func (t *Table) begin(cells []string, opt ReadOptions) (header bool, err error) {
	t.grid = newGrid(len(cells))
	header = !opt.NoHeader && isHeader(cells, opt.Strict)
	if header {
		t.header = headerNames(cells)
	}
	t.found.tallies = make([]tally, t.Width)
	if t.plan == nil {
		t.plan, err = newPlan(opt, t)
		if err != nil {
			t.refused = err
		}
	}
	return header, err
}

// plainText decompresses gzip, recognised by its first two bytes, removes a byte order mark, converts
// Windows-1252 to UTF-8, and converts the line ends of a text that has only carriage returns.
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
	head, _ = text.Peek(peekBytes)
	if isWestern(head) {
		text = bufio.NewReaderSize(&western{text: text}, peekBytes)
	}
	end := bytes.IndexByte(head, '\r')
	if end >= 0 && end < len(head)-1 && bytes.IndexByte(head, '\n') < 0 {
		text = bufio.NewReaderSize(&lineEnds{text}, peekBytes)
	}
	return text, nil
}

// lineEnds replaces carriage returns, with which old programs end lines, by line feeds.
type lineEnds struct{ text io.Reader }

// Read implements io.Reader.
func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// Line returns the line, from 1, on which a row starts.
func (t *Table) Line(row int) int { return t.lines.at(row) }

// MeanInputs reports whether missing inputs are replaced by the mean of the training set.
func (t *Table) MeanInputs() bool { return t.plan.choices.Missing == MissingMean }
