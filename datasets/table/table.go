package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// Table holds the finite numbers of a table, with NaN for missing cells and text cells.
type Table struct {
	Name   string
	header []string // nil if the file has none
	grid
	lines   lineNumbers // line on which each row starts, from 1
	columns []content
	count   int  // number of text cells
	text    bool // text cells are allowed
	limits  limits

	format    string // "" for a text
	delimiter rune
	plan      *plan
	// shown holds the shapes of all numbers. unsure holds the first cell with an ambiguous point and the
	// first cell with an ambiguous comma.
	shown  Shape
	unsure [2]*cellPosition
	// question asks whether the first row is a header. notes describe the reading of the file.
	question *Question
	notes    []Note
}

// content describes the cells of a column that are not numbers.
type content struct {
	*words         // nil if all cells are numbers or missing
	missing int    // number of missing cells
	marks   int    // number of missing cells that are not empty
	mark    string // the first of them
	shapes  []Shape
	zeros   int // number of numbers that begin with a needless zero, such as 01002
	// invalid is the error of the first cell that does not fit the other cells of its column.
	invalid *Error
}

// cellPosition is the position and text of a cell.
type cellPosition struct {
	row, column int
	text        string
}

// unsureShapes are the shapes of Table.unsure.
var unsureShapes = [2]Shape{MaybePoint, MaybeComma}

// ReadOptions describes the known properties of a file. With the zero value, none are known.
type ReadOptions struct {
	Delimiter rune // 0 to detect it
	NoHeader  bool // the first row is never a header
	Labels    bool // text cells are allowed
	Strict    bool // see plan.strict
	Choices   Choices
	Divider   Divider
	names     []string // of which a header consists, if known
}

// gcCells is the number of cells above which a table triggers a garbage collection after reading.
const gcCells = 1 << 21

// Read reads a table: plain or compressed text in any encoding, with or without a header, a Parquet file or a
// sheet of an Excel workbook. Blank lines and comments are skipped. Errors refer to the file by name. Read
// returns an *Error, an error of r, or the error of ctx.
//
// Cells are read once. Whatever holds for the whole table, such as the notation of its numbers and the kinds
// of its columns, is decided after the last one. The encoding of a text is found before, from all of its
// bytes.
func Read(ctx context.Context, name string, r io.Reader, opt ReadOptions) (*Table, error) {
	limits, err := limitsOf()
	if err != nil {
		return nil, err
	}
	if opt.Strict {
		opt.Choices.Encoding = utf8Name
	}
	s := newSource(name, r, limits)
	rows, err := s.open(opt)
	if err != nil {
		return nil, placed(name, err)
	}
	t := &Table{Name: name, text: opt.Labels, limits: limits, format: rows.format,
		delimiter: rows.delimiter}
	t.header, t.question, t.notes = rows.header, rows.question, rows.notes
	if err := t.readRows(ctx, rows, opt); err != nil {
		return nil, err
	}
	if t.Rows() == 0 {
		return nil, &Error{File: name, Problem: "no rows of numbers"}
	}
	t.plan.encoding = rows.encoding
	t.decide()
	if t.Rows()*t.Width > gcCells {
		debug.FreeOSMemory() // free the text before the numbers are copied
	}
	return t, nil
}

// readRows reads all rows.
func (t *Table) readRows(ctx context.Context, rows *opened, opt ReadOptions) error {
	if t.header != nil {
		if trouble := t.limits.checkRow(t.header, rows.headerLine); trouble != nil {
			return placed(t.Name, trouble)
		}
		if err := t.begin(len(t.header), rows.texts, opt); err != nil {
			return err
		}
	}
	for {
		if t.Rows()%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return placed(t.Name, err)
		}
		line := rows.line()
		if trouble := t.limits.checkRow(cells, line); trouble != nil {
			return placed(t.Name, trouble)
		}
		if t.plan == nil {
			if err := t.begin(len(cells), nil, opt); err != nil {
				return err
			}
		}
		if len(cells) != t.Width {
			return &Error{File: t.Name, Line: line, Column: min(len(cells), t.Width) + 1,
				Problem: raggedProblem(len(cells), t.Width)}
		}
		if int64(t.Rows()+1)*int64(t.Width) > t.limits[numberLimit] {
			return &Error{File: t.Name, Line: line,
				Problem: t.limits.exceeded(numberLimit, "the table is too large: more than %s numbers")}
		}
		t.lines.add(line)
		if err := t.readRow(t.extend(), cells, line); err != nil {
			return err
		}
	}
}

// begin prepares the table for rows with a number of cells.
func (t *Table) begin(width int, texts []bool, opt ReadOptions) (err error) {
	if int64(width) > t.limits[columnLimit] {
		return &Error{
			File:    t.Name,
			Problem: t.limits.exceeded(columnLimit, "the row has more than %s columns"),
		}
	}
	t.grid = newGrid(width)
	t.columns = make([]content, width)
	t.plan, err = newPlan(opt, t)
	if err != nil {
		return err
	}
	for c, isText := range texts {
		t.plan.readings[c].strings = isText
	}
	return nil
}

// readRow reads the cells of the last row.
func (t *Table) readRow(dst []float64, cells []string, line int) error {
	for c, cell := range cells {
		r := &t.plan.readings[c]
		dst[c] = math.NaN()
		if r.skip {
			continue
		}
		text := strings.TrimSpace(cell)
		column := &t.columns[c]
		if t.plan.isMissing(r, text) {
			column.missing++
			if text != "" {
				column.marks++
				if column.mark == "" {
					column.mark = strings.Clone(text)
				}
			}
			continue
		}
		wrong := notNumber
		if !r.text && !r.strings {
			var v float64
			v, wrong = t.readNumber(c, text)
			if wrong == noProblem {
				dst[c] = v
				continue
			}
		}
		if err := t.addText(c, text, wrong, line); err != nil {
			return err
		}
	}
	return nil
}

// readNumber reads a cell of the last row as a number.
func (t *Table) readNumber(c int, text string) (v float64, wrong problem) {
	if t.shown&PointDecimal != 0 || t.plan.strict { // the shape of a plain number adds nothing
		v, err := parseFloat(text)
		if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			t.countZero(c, text)
			return v, noProblem
		}
	}
	v, shown, wrong := t.plan.number(text)
	if wrong != noProblem {
		return v, wrong
	}
	t.countZero(c, text)
	if shown != 0 {
		t.note(shown, c, text)
	}
	if shown&^PointDecimal != 0 {
		column := &t.columns[c]
		column.shapes = append(column.shapes, make([]Shape, t.Rows()-len(column.shapes))...)
		column.shapes[t.Rows()-1] = shown
	}
	return v, noProblem
}

// countZero counts a number with a needless zero.
func (t *Table) countZero(c int, text string) {
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		t.columns[c].zeros++
	}
}

// note records the shape of a number in the last row.
func (t *Table) note(shown Shape, column int, text string) {
	t.shown |= shown
	for k, shape := range unsureShapes {
		if shown&shape != 0 && t.unsure[k] == nil {
			t.unsure[k] = &cellPosition{t.Rows() - 1, column, strings.Clone(text)}
		}
	}
}

// addText adds a text to a column in the last row.
func (t *Table) addText(c int, text string, wrong problem, line int) error {
	column := &t.columns[c]
	trouble := func(problem string) *Error {
		return &Error{File: t.Name, Line: line, Column: c + 1, Name: t.nameOf(c), Problem: problem}
	}
	if !t.text {
		return trouble(wrong.of(text))
	}
	if column.words == nil {
		column.words = &words{number: map[string]int32{}, first: trouble(wrong.of(text))}
	}
	t.count++
	if int64(t.count) > t.limits[wordLimit] {
		return trouble(t.limits.exceeded(wordLimit, "more than %s cells of the table are not numbers"))
	}
	w := column.words
	w.cells++
	if w.many {
		return nil
	}
	before := len(w.texts)
	id, known := w.number[text]
	if !known {
		printable := printableText(text)
		if problem := invisible(text); problem != "" && w.invisible == nil {
			w.invisible = trouble("the cell " + problem)
			if strings.ContainsRune(text, 0) {
				w.invisible.Problem += "; if the text is UTF-16, use --encoding utf-16le"
			}
		}
		id = w.intern(printable)
		w.number[strings.Clone(text)] = id
	}
	w.put(t.Rows()-1, id)
	if w.bytes > t.limits[textLimit] {
		return trouble(t.limits.exceeded(textLimit, "the column has more than %s bytes of distinct text"))
	}
	if len(w.texts) == before {
		return nil
	}
	if number, _, ok := splitUnit(text); ok {
		t.note(ShapeOf(number), c, number)
	}
	if len(w.texts) == MaxLevels+1 && !t.plan.readings[c].divides && !mostlyValues(w.texts) {
		w.many = true
		w.rows = nil
	}
	return nil
}

// mostlyValues reports whether at least half of the texts are dates, times or numbers with a unit.
func mostlyValues(texts []string) bool {
	count := 0
	for _, text := range texts {
		if kindOfValue(text) != noValue {
			count++
		}
	}
	return 2*count >= len(texts)
}

// decide determines what holds for the whole table: the notation of the numbers and the readings of the
// columns. It converts texts with a value, such as dates, to numbers.
func (t *Table) decide() {
	p := t.plan
	if p.strict {
		return
	}
	p.notation, p.unsure = DecideNotation(t.shown, t.delimiter, p.choices)
	for c := range t.columns {
		t.settle(c)
		t.decideReading(c)
	}
}

// settle replaces the numbers of a column by those in the notation of the table.
func (t *Table) settle(c int) {
	column := &t.columns[c]
	for row, shown := range column.shapes {
		if shown == 0 {
			continue
		}
		if shown == t.plan.unsure {
			continue // the question comes first
		}
		v, ok := t.plan.notation.settle(t.at(row, c), shown)
		if !ok && column.invalid == nil {
			text := originalNumber(t.at(row, c), shown)
			column.invalid = t.cellError(row, c,
				fmt.Sprintf("%s is not a number in the notation of the other cells, %v",
					strconv.Quote(text), t.plan.notation))
		}
		t.Row(row)[c] = v
	}
	column.shapes = nil
}

// originalNumber writes a number in its shape.
func originalNumber(v float64, shown Shape) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if shown&(CommaDecimal|MaybeComma) != 0 {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// cellError returns an error about a cell.
func (t *Table) cellError(row, column int, problem string, remedies ...Answer) *Error {
	return &Error{File: t.Name, Line: t.lines.at(row), Column: column + 1, Name: t.nameOf(column),
		Problem: problem, Remedies: remedies}
}

// nameOf returns the name of a column, or "" if the table has no header.
func (t *Table) nameOf(column int) string {
	if t.header == nil {
		return ""
	}
	return t.header[column]
}

// Line returns the line, from 1, on which a row starts.
func (t *Table) Line(row int) int { return t.lines.at(row) }

// MeanInputs reports whether missing inputs are replaced by the mean of the training set.
func (t *Table) MeanInputs() bool { return t.plan.choices.Missing == MissingMean }

// kindOfValue returns what a text may mean.
func kindOfValue(text string) valueKind {
	if _, ok := readDate(text); ok {
		return dateValue
	}
	if _, ok := readClock(text); ok {
		return clockValue
	}
	if _, _, ok := splitUnit(text); ok {
		return unitValue
	}
	if _, ok := readDuration(text); ok {
		return durationValue
	}
	return noValue
}

// decideReading decides how the texts of a column are read. A column is of a kind if at least nine in ten of
// its cells are; the others are then errors.
func (t *Table) decideReading(c int) {
	column := &t.columns[c]
	r := &t.plan.readings[c]
	w := column.words
	if w == nil || w.many || r.text {
		return
	}
	numbers := t.Rows() - column.missing - w.cells
	if !r.forced && 10*w.cells < 9*(numbers+w.cells) {
		return // the first text among the numbers is the error
	}
	var tally [dateValue + 1]int
	units := map[string]int{}
	var order []string // of the units
	kinds := make([]valueKind, len(w.texts))
	for k, text := range w.texts {
		kinds[k] = kindOfValue(text)
		tally[kinds[k]] += w.counts[k]
		if kinds[k] == unitValue {
			_, unit, _ := splitUnit(text)
			if units[unit] == 0 {
				order = append(order, unit)
			}
			units[unit] += w.counts[k]
		}
	}
	best := *r
	short := false
	switch {
	case r.forced && r.value == numberValue && tally[unitValue] > 0 && numbers == 0:
		best.value = unitValue
	case r.forced && r.value == clockValue && tally[durationValue] > tally[clockValue]:
		best.value = durationValue
	case !r.forced:
		for kind := unitValue; kind <= dateValue; kind++ {
			if tally[kind] > 0 && (best.value == noValue || tally[kind] > tally[best.value]) {
				best.value = kind
			}
		}
		// A time of day is a duration too.
		if best.value == durationValue {
			tally[durationValue] += tally[clockValue]
		}
	}
	switch best.value {
	case noValue:
		return
	case unitValue:
		best.unit = slices.MaxFunc(order, func(a, b string) int { return units[a] - units[b] })
		tally[unitValue] = units[best.unit]
	case dateValue:
		best.dates = layoutOf(w, t.plan.choices.Dates)
		tally[dateValue] = 0
		seen := DatesSeen{}
		for k, text := range w.texts {
			if _, ok := best.dates.Parse(text, &seen); ok {
				tally[dateValue] += w.counts[k]
			}
		}
		best.perDay = !seen.Clock
		short = seen.Short
	}
	if !r.forced && 10*tally[best.value] < 9*(numbers+w.cells) {
		return
	}
	if short {
		t.notes = append(t.notes, Note{Text: fmt.Sprintf("years of two digits in column %s are 1969 to 2068",
			t.allNames()[c])})
	}
	*r = best
	t.convert(c)
}

// convert replaces the texts of a column by their values. The first text without one is the error of the
// column.
func (t *Table) convert(c int) {
	column := &t.columns[c]
	r := &t.plan.readings[c]
	w := column.words
	values := make([]float64, len(w.texts))
	for k, text := range w.texts {
		v, ok := r.parse(text, t.plan.notation)
		if !ok {
			v = math.NaN()
		}
		values[k] = v
	}
	for row := range t.Rows() {
		text, v := "", t.at(row, c)
		if id := w.id(row); id > 0 {
			text, v = w.texts[id-1], values[id-1]
			t.Row(row)[c] = v
			if !math.IsNaN(v) || r.value == unitValue && t.plan.unsure != 0 {
				continue
			}
		} else if math.IsNaN(v) || r.value == numberValue {
			continue // it is missing, or a number among numbers
		} else {
			text = formatNumber(v)
		}
		if column.invalid == nil {
			column.invalid = t.cellError(row, c,
				fmt.Sprintf("%s is not %v, unlike the other cells of the column", Excerpt(text), r),
				Choose("na", text, "makes it missing"),
				Choose("column", t.word(c)+":class", "reads the column as a category"))
		}
	}
	column.words = nil
}

// layoutOf returns the layout in which most of the dates of a column exist. If said is not empty, it gives
// the order of day and month.
func layoutOf(w *words, said string) DateLayout {
	var forms [named + 1]int
	for k, text := range w.texts {
		d, ok := readDate(text)
		if ok {
			forms[d.form] += w.counts[k]
		}
	}
	best := iso
	for form := iso; form <= named; form++ {
		if forms[form] > forms[best] {
			best = form
		}
	}
	if best != numeric {
		return DateLayout{best}
	}
	switch said {
	case DayFirst:
		return DateLayout{dayFirst}
	case MonthFirst:
		return DateLayout{monthFirst}
	}
	days, months := 0, 0
	for k, text := range w.texts {
		if _, ok := (DateLayout{dayFirst}).Parse(text, new(DatesSeen)); ok {
			days += w.counts[k]
		}
		if _, ok := (DateLayout{monthFirst}).Parse(text, new(DatesSeen)); ok {
			months += w.counts[k]
		}
	}
	switch {
	case days > months:
		return DateLayout{dayFirst}
	case months > days:
		return DateLayout{monthFirst}
	}
	return DateLayout{numeric}
}
