package table

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// peekBytes is the number of bytes of a text that show its delimiter and its header.
const peekBytes = 1 << 16

// sampleRows is the number of rows that show them.
const sampleRows = 20

// opened is a file whose rows can be read.
type opened struct {
	records
	encoding  string
	format    string // "" for a text
	delimiter rune
	// header holds the names of the columns, or nil if the file has none. headerLine is its line.
	header     []string
	headerLine int
	// texts reports the columns whose cells are strings, or is nil if the file has no types.
	texts []bool
	notes []Note
	// question asks whether the first row is a header.
	question *Question
}

// note adds a note on the reading of the file.
func (o *opened) note(text string, remedies ...Answer) {
	o.notes = append(o.notes, Note{Text: text, Remedies: remedies})
}

// open opens the rows of a file. Its first row is read as a header or as data as the options say, and
// otherwise as it looks.
func (s *source) open(opt ReadOptions) (*opened, error) {
	format, err := s.format()
	if err != nil {
		return nil, err
	}
	o := &opened{format: format, delimiter: ','}
	switch format {
	case parquetName:
		rows, err := newParquetRows(s)
		if err != nil {
			return nil, err
		}
		o.records, o.texts = rows, rows.texts()
		o.header, err = rows.next()
		o.header, o.headerLine = slices.Clone(o.header), 1
		return o, o.nameColumns(err)
	case excelName:
		rows, note, err := newExcelRows(s, opt.Choices.Sheet)
		if err != nil {
			return nil, err
		}
		if note != "" {
			o.note(note, Answer{Item: "sheet=NAME", Label: "reads another"})
		}
		o.records = rows
		for range opt.Choices.Skip {
			if _, err := rows.next(); err != nil {
				return nil, err
			}
		}
		return o, o.chooseHeader(opt, nil)
	}
	return o, s.openText(o, opt)
}

// openText opens the rows of a text.
func (s *source) openText(o *opened, opt ReadOptions) error {
	plain, encoding, err := s.text(opt.Choices.Encoding)
	if err != nil {
		return err
	}
	o.encoding = encoding
	if opt.Choices.Encoding == "" && encoding == westernName {
		o.note("the text is not UTF-8 and is read as Windows-1252",
			Answer{Item: "encoding=NAME", Label: "reads another encoding"})
	}
	text := bufio.NewReaderSize(plain, peekBytes)
	before := 0
	for range opt.Choices.Skip {
		if _, err := text.ReadSlice('\n'); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return &Error{Problem: fmt.Sprintf("the text has fewer than %d lines", opt.Choices.Skip+1)}
		}
		before++
	}
	head, err := text.Peek(peekBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(bytes.ToLower(bytes.TrimLeft(head, " \t\n")), []byte("@relation")) {
		return &Error{Problem: "this is an ARFF file of Weka; write its data as CSV"}
	}
	f := form{delimiter: opt.Delimiter, comment: opt.Choices.commentRune()}
	// Spreadsheets write the delimiter on a line of its own.
	if f.delimiter == 0 && len(head) > 5 && strings.EqualFold(string(head[:4]), "sep=") && head[5] == '\n' {
		f.delimiter = rune(head[4])
		_, _ = text.Discard(6)
		before++
		head = head[6:]
	}
	whole := err != nil
	if f.delimiter == 0 {
		f.delimiter = detectDelimiter(head, whole, f.comment, opt.Strict)
	}
	o.delimiter = f.delimiter
	o.records = newTextRows(text, f, before, s.limits)
	return o.chooseHeader(opt, head)
}

// chooseHeader reads the first rows and decides whether the first one is a header. head is the beginning of a
// text.
func (o *opened) chooseHeader(opt ReadOptions, head []byte) error {
	ahead := &rowsAhead{records: o.records}
	var failed error
	for len(ahead.rows) < sampleRows {
		cells, err := o.records.next()
		if err != nil {
			failed = err
			break
		}
		ahead.rows = append(ahead.rows, row{slices.Clone(cells), o.records.line()})
	}
	ahead.err = failed
	o.records = ahead
	if len(ahead.rows) == 0 {
		return nil
	}
	if opt.NoHeader || opt.Choices.Header == No {
		return nil
	}
	first := ahead.rows[0]
	shorter := len(ahead.rows) > 1
	for _, other := range ahead.rows[1:] {
		shorter = shorter && len(other.cells) == len(first.cells)+1
	}
	isHeader, note := isHeader(first.cells, opt.Strict), ""
	switch {
	case opt.Choices.Header == Yes || opt.names != nil && subset(first.cells, opt.names):
		isHeader = true
	case isHeader || opt.Strict:
	default:
		var ask bool
		isHeader, ask, note = guessHeader(ahead.rows, head)
		if ask {
			o.question = headerQuestion(first.cells)
		}
	}
	if !isHeader {
		names := commentedHeader(head, len(first.cells), opt.Choices.commentRune(), o.delimiter)
		if names == nil {
			return nil
		}
		o.header, o.headerLine = names, first.line-1
		o.note("the names of the columns are in the comment before the first row")
		return o.nameColumns(nil)
	}
	if note != "" {
		o.note(note, Choose("header", No, "reads it as data"))
	}
	ahead.rows = ahead.rows[1:]
	o.header, o.headerLine = first.cells, first.line
	if shorter && isHeader { // the table of R's write.table has row names without a name
		o.header = slices.Insert(slices.Clone(first.cells), 0, "")
	}
	return o.nameColumns(nil)
}

// nameColumns makes the names of the columns printable and unique.
func (o *opened) nameColumns(err error) error {
	if err != nil {
		return err
	}
	for c, name := range o.header {
		if problem := invisible(name); problem != "" {
			return &Error{Line: o.headerLine, Column: c + 1, Problem: "the name of the column " + problem}
		}
	}
	names, changed := headerNames(o.header)
	o.header = names
	for _, c := range changed {
		o.note(fmt.Sprintf("column %d is named %s, because its name occurs before", c+1, names[c]))
	}
	return nil
}

// subset reports whether all cells are names.
func subset(cells, names []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool {
		return IndexOf(names, printableText(cell)) < 0
	})
}

// row is a row of a table and its line.
type row struct {
	cells []string
	line  int
}

// rowsAhead returns rows that were read ahead, then those of records.
type rowsAhead struct {
	records
	rows []row
	err  error // ends the rows that were read ahead
	at   int
}

func (r *rowsAhead) next() ([]string, error) {
	if len(r.rows) > 0 {
		first := r.rows[0]
		r.rows = r.rows[1:]
		r.at = first.line
		return first.cells, nil
	}
	if r.err != nil {
		return nil, r.err
	}
	cells, err := r.records.next()
	r.at = r.records.line()
	return cells, err
}

func (r *rowsAhead) line() int { return r.at }

// isHeader reports whether the cells of a first row are names: no cell is a number in any notation
// (if strict is set, in plain notation), and not all cells are empty.
func isHeader(cells []string, strict bool) bool {
	named := false
	for _, cell := range cells {
		if isNumber(cell) || !strict && ShapeOf(strings.TrimSpace(cell)) != 0 {
			return false
		}
		named = named || strings.TrimSpace(cell) != ""
	}
	return named
}

// guessHeader decides whether a first row with numbers is a header, and says why. ask reports that the rows
// do not show it.
func guessHeader(rows []row, head []byte) (header, ask bool, note string) {
	first := rows[0].cells
	numbers, names := []float64(nil), []int(nil)
	for c, cell := range first {
		cell = strings.TrimSpace(cell)
		switch v, err := parseFloat(cell); {
		case err == nil:
			numbers = append(numbers, v)
		case ShapeOf(cell) != 0, cell != "" && isDigit(cell[0]): // 1,5 or a typing error such as 2o
			return false, false, ""
		case !IsMissing(cell):
			names = append(names, c)
		}
	}
	counts := len(numbers) > 1 // 0, 1, 2, ..., as pandas names columns
	rises, falls := len(numbers) > 1, len(numbers) > 1
	for k, v := range numbers {
		counts = counts && v == float64(k)
		if k > 0 {
			rises = rises && v > numbers[k-1]
			falls = falls && v < numbers[k-1]
		}
	}
	switch {
	case len(rows) < 2:
		return false, false, ""
	case len(names) == 0 && onlyFirstQuoted(head):
		return true, false, "the first row is quoted, unlike the others, and is read as the header"
	case len(names) == 0 && counts && len(numbers) > 2:
		return true, false, "the first row counts the columns and is read as the header"
	case len(names) == 0 && counts && allFractions(rows[1:]):
		return false, true, ""
	case len(names) == 0:
		return false, false, ""
	case !overNumbers(rows, names):
		return false, false, ""
	case rises || falls:
		return true, false, "the first row has names and numbers in order and is read as the header"
	}
	return false, true, ""
}

// overNumbers reports whether all cells below the given cells of the first row are numbers or missing, for at
// least one of them.
func overNumbers(rows []row, names []int) bool {
	for _, c := range names {
		count, other := 0, 0
		for _, r := range rows[1:] {
			if c >= len(r.cells) {
				continue
			}
			cell := strings.TrimSpace(r.cells[c])
			switch {
			case isNumber(cell) || ShapeOf(cell) != 0:
				count++
			case !IsMissing(cell):
				other++
			}
		}
		if count > 0 && other == 0 {
			return true
		}
	}
	return false
}

// allFractions reports whether every row has only numbers with a fraction.
func allFractions(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool {
		return slices.ContainsFunc(r.cells, func(cell string) bool { return ShapeOf(cell)&PointDecimal == 0 })
	})
}

// onlyFirstQuoted reports whether the first line has quotation marks and the next lines have none.
func onlyFirstQuoted(head []byte) bool {
	lines := bytes.SplitN(head, []byte{'\n'}, sampleRows)
	if len(lines) < 2 || bytes.IndexByte(lines[0], '"') < 0 {
		return false
	}
	return !slices.ContainsFunc(lines[1:], func(line []byte) bool { return bytes.IndexByte(line, '"') >= 0 })
}

// headerQuestion asks whether a first row is a header.
func headerQuestion(cells []string) *Question {
	names, _ := headerNames(cells)
	return &Question{
		Text: fmt.Sprintf("the first row (%s) may be a header or data", ShortList(names)),
		Answers: []Answer{
			Choose("header", Yes, "a header"),
			Choose("header", No, "data"),
		},
	}
}

// commentedHeader returns the cells of the comment directly before the first row, if they are one name for
// each column, as numpy.savetxt writes them.
func commentedHeader(head []byte, width int, comment, delimiter rune) []string {
	if comment == 0 {
		return nil
	}
	last := ""
	for line := range bytes.Lines(head) {
		text := strings.TrimSpace(string(line))
		rest, commented := strings.CutPrefix(text, string(comment))
		if text != "" && !commented {
			break
		}
		last = rest
	}
	cells, ok := spacedCells(last)
	if delimiter != Whitespace {
		cells, ok = strings.Split(last, string(delimiter)), true
	}
	if !ok || len(cells) != width || width < 2 || !isHeader(cells, false) {
		return nil
	}
	return cells
}

// headerNames returns the printable names of a header. They are unique: names that occur before, and invented
// names of columns without a name, x1 for the first column and so on, are followed by .1, .2 and so on if the
// header has them already. changed lists the columns whose names were changed.
func headerNames(cells []string) (names []string, changed []int) {
	names = make([]string, len(cells))
	taken := map[string]bool{}
	var again []int
	for c, cell := range cells {
		names[c] = printableText(cell)
		if names[c] == "" || taken[names[c]] {
			again = append(again, c)
		}
		taken[names[c]] = true
	}
	for _, c := range again {
		given := names[c]
		name := cmp.Or(given, "x"+strconv.Itoa(c+1))
		names[c] = name
		for k := 1; taken[names[c]]; k++ {
			names[c] = name + "." + strconv.Itoa(k)
		}
		taken[names[c]] = true
		if given != "" || names[c] != name {
			changed = append(changed, c)
		}
	}
	return names, changed
}

// detectDelimiter examines the first lines of a text. It returns the first of tab, semicolon, bar, comma and
// white space that splits every line into the same number of cells, at least two. The first line may have one
// cell less. A comma does not count if white space also fits and all commas are decimal commas.
// If strict is set, bars and decimal commas are not considered. If no delimiter fits, because rows
// are ragged or there is a single column, it returns the first delimiter that splits the first
// line, which gives the most helpful error. whole reports whether head is the whole text.
func detectDelimiter(head []byte, whole bool, comment rune, strict bool) rune {
	var lines []string
	for rest := string(head); rest != "" && len(lines) < sampleRows; {
		line, tail, complete := strings.Cut(rest, "\n")
		rest = tail
		commented := comment != 0 && strings.HasPrefix(line, string(comment))
		if strings.TrimSpace(line) != "" && !commented && (complete || whole || len(lines) == 0) {
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

// cutsEvenly reports whether a delimiter splits all lines into the same number of cells. The first of three
// or more lines may have one cell less, as R's write.table writes them.
func cutsEvenly(lines []string, delimiter rune) bool {
	cells := countCells(lines[0], delimiter)
	if len(lines) > 2 && countCells(lines[1], delimiter) == cells+1 {
		cells++
	}
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
