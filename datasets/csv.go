package datasets

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/columns"
	"dgplab/datasets/files"
	"dgplab/datasets/task"
)

// Source is what data are loaded from: the name of a data set or the path of a file, and
// how it is read.
type Source struct {
	Name string
	// Targets chooses the target columns of a file, or some targets of a set that has a name;
	// see ReadCSV and Load.
	Targets []string
	// Columns says what the columns of a file are, where the file does not.
	Columns columns.Choices
	// Pipe is what is read where Name is a pipe that a person named; nil for a file. Other
	// pipes are errors: reading them would wait, perhaps for ever.
	Pipe *Pipe
}

// open opens the file of a source.
func (s Source) open() (io.ReadCloser, error) {
	if s.Pipe != nil {
		return s.Pipe.open(), nil
	}
	file, err := files.OpenLinked(s.Name)
	if err != nil {
		return nil, fmt.Errorf("data set: %w", err)
	}
	return file, nil
}

// Describe says what the columns of the file of a source are and what is made of them; what
// is open, and what keeps it from being a data set, is said in the table, not as an error.
// Whoever shows the table changes the targets and the choices of the source by what people
// answer, and describes it again; with no question and no trouble left, Load takes it.
//
// An error is that of a file that cannot be read as a table at all, or of targets or choices
// that name no column.
func Describe(ctx context.Context, s Source) (*columns.Table, error) {
	file, err := s.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := readTable(ctx, s.Name, file, tableOptions{labels: true, choices: s.Columns})
	if err != nil {
		return nil, err
	}
	return t.report(s.Targets)
}

// report is Describe of a table that was read.
func (t *table) report(targets []string) (*columns.Table, error) {
	d, err := t.describe(targets)
	if err != nil {
		return nil, err
	}
	if d.trouble == nil {
		var ds *Dataset
		ds, d.trouble = t.dataset(d)
		if ds != nil {
			d.Task, d.Notes, d.Warnings = ds.Task.String(), ds.Notes, ds.Warnings
		}
	}
	d.Trouble = d.trouble
	for c := range d.Columns {
		t.measure(&d.Columns[c])
	}
	return &d.Table, nil
}

// loadFile reads the file of a source as a data set.
func loadFile(ctx context.Context, s Source) (*Dataset, error) {
	file, err := s.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadCSV(ctx, file, s)
}

// ReadCSV reads a table as a data set: plain text or gzip; cells separated by commas,
// semicolons, bars, tabs or white space; with or without a header of names. The name of the
// source is what errors and the data set call the file.
//
// What the columns are is found by reading all of them (see package columns), unless the
// source says so; what a file does not tell is a *CSVError with a Question. Each column that
// is no target is an input, or several, unless it is ignored.
//
// The targets of the source name the target columns, by the name in the header or by index
// from 0; negative indices count from the end, so that -1 is the last column, which is
// the default. A name wins over an index.
//
// A target cell that is empty, NA or the like (see columns.IsMissing) was not observed, and
// is NaN in Y; what becomes of an input is for the source to say. Warnings say what is missing.
// Notes say what the columns of a file are where they are not all numbers.
//
// A target of two different values, whatever they are, makes the task Binary, with targets -1
// and +1; a note says so. Of texts, and of numbers if the target's word ends with
// ":class", more than two make it Multiclass; a note says how many rows each has. Few
// whole numbers are a question, which ":class" and ":number" behind the word answer. Trouble
// in the file is a *CSVError that names file, line and column.
//
// The table takes at most three times the memory of its numbers while it is read. What
// is more than a limit (see limits) is an error that says how to raise it. An r that is no
// io.Seeker is read once; see readTable.
func ReadCSV(ctx context.Context, r io.Reader, s Source) (*Dataset, error) {
	t, err := readTable(ctx, s.Name, r, tableOptions{labels: true, choices: s.Columns})
	if err != nil {
		return nil, err
	}
	return t.asDataset(s.Targets)
}

// asDataset makes a data set of the table.
func (t *table) asDataset(targets []string) (*Dataset, error) {
	if t.rows() == 1 {
		return nil, &CSVError{
			File:    t.name,
			Line:    t.lines.at(0),
			Problem: "there is only one row of numbers; at least two are needed",
		}
	}
	if t.width == 1 {
		return nil, &CSVError{
			File:    t.name,
			Problem: "there is only one column; at least one input and one target are needed",
		}
	}
	d, err := t.describe(targets)
	if err != nil {
		return nil, err
	}
	if d.trouble != nil {
		return nil, d.trouble
	}
	return t.dataset(d)
}

// dataset makes a data set of what is described without trouble.
func (t *table) dataset(d *described) (*Dataset, error) {
	rows := consecutive(t.rows())
	if d.Dropped > 0 {
		rows = t.complete(d.inputs)
	}
	if err := t.checkLogs(d, rows); err != nil {
		return nil, err
	}
	ds := &Dataset{
		Name: t.name, Title: filepath.Base(t.name), Origin: "file " + t.name,
		X: t.matrix(d, d.inputs, rows, d.D), Targets: t.names(d.targets),
		MeanInputs: t.plan.choices.Missing == columns.MissingMean, LogTargets: d.logTargets,
		Columns: &d.Table, layout: t.layout(d),
	}
	for _, c := range d.inputs {
		ds.Inputs = append(ds.Inputs, d.Columns[c].Inputs...)
	}
	if d.labelled {
		if err := t.classes(ds, &d.Columns[d.targets[0]], rows); err != nil {
			return nil, err
		}
	} else {
		ds.Y = t.matrix(d, d.targets, rows, d.P)
	}
	for j, c := range d.targets {
		first, constant := constantColumn(ds.Y, j)
		if constant && math.IsNaN(first) {
			return nil, t.about(&d.Columns[c], "the target is missing in every row")
		}
		if constant {
			return nil, t.about(&d.Columns[c],
				fmt.Sprintf("the target is constant (%s in every row); there is nothing to learn",
					t.firstLabel(c)))
		}
	}
	ds.Warnings = append(ds.Warnings, t.indices(d)...)
	switch {
	case d.pair.Text != "":
		ds.Notes = append(ds.Notes, d.pair)
	case d.labelled:
		ds.noteClasses()
	case !d.numbers:
		ds.detectClasses()
	}
	if summary := d.Summary(); summary != "" && !t.plan.choices.First() {
		ds.Notes = append(ds.Notes, columns.Note{Text: summary})
	}
	ds.noteMissing(func(i int) int { return t.lines.at(rows[i]) })
	return ds, nil
}

// names returns the names of columns: those of the header, else x1, x2, ...
// for all columns of the file, in its order.
func (t *table) names(columns []int) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "x" + strconv.Itoa(c+1)
		if t.header != nil {
			list[i] = t.header[c]
		}
	}
	return list
}

// layout returns how the columns lie, and how they are read.
func (t *table) layout(d *described) layout {
	return layout{
		named:   t.header != nil,
		columns: d.Columns,
		plan:    t.plan,
		inputs:  d.inputs,
		targets: d.targets,
	}
}

// targets returns the columns that the words name; see ReadCSV.
func (t *table) targets(words []string) ([]int, error) {
	if len(words) == 0 {
		return []int{t.width - 1}, nil
	}
	var columns []int
	for _, word := range words {
		c, err := t.column(strings.TrimSpace(word), "target column")
		if err != nil {
			return nil, err
		}
		if slices.Contains(columns, c) {
			return nil, &CSVError{
				File:    t.name,
				Column:  c + 1,
				Problem: fmt.Sprintf("target %q is named twice", word),
			}
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// column returns the column that one word names; what says what it is in an error.
func (t *table) column(word, what string) (int, error) {
	found := -1
	for c, name := range t.names(consecutive(t.width)) {
		if name != word {
			continue
		}
		if found >= 0 {
			noun := strings.TrimSuffix(what, " column")
			return 0, &CSVError{File: t.name, Column: c + 1, Name: name,
				Problem: fmt.Sprintf("two columns have this name; name the %s by its index, %d or %d",
					noun, found, c)}
		}
		found = c
	}
	if found >= 0 {
		return found, nil
	}
	if c, err := strconv.Atoi(word); err == nil {
		if c < -t.width || c >= t.width {
			return 0, &CSVError{
				File: t.name,
				Problem: fmt.Sprintf("no %s %d; indices go from 0 to %d, or from -1 back to -%d",
					what, c, t.width-1, t.width),
			}
		}
		return (c + t.width) % t.width, nil
	}
	if t.header == nil {
		return 0, &CSVError{
			File: t.name,
			Problem: fmt.Sprintf("no %s %s: the file has no header; name it by its index, from 0 to %d",
				what, excerpt(word), t.width-1),
		}
	}
	return 0, &CSVError{
		File:    t.name,
		Problem: fmt.Sprintf("no %s %s; there are %s", what, excerpt(word), shortList(t.header)),
	}
}

// minIndex is the fewest rows of which a column may look like an index.
const minIndex = 3

// indices warns of inputs that look like an index: the first column, if it has no name and counts
// the rows, as tools for data frames write it, and whole numbers that are called an identifier
// and are others in every row.
func (t *table) indices(d *described) (warnings []columns.Note) {
	if t.header == nil || t.rows() < minIndex {
		return nil
	}
	for _, c := range d.inputs {
		what := ""
		switch column := &d.Columns[c]; {
		case column.Kind != columns.Number:
		case c == 0 && column.Name == "x1" && t.countsRows(c):
			what = "the first column has no name and counts the rows"
		case isIdentifier(column.Name) && t.tellsRowsApart(c):
			what = "column " + column.Name + " has another whole number in every row"
		}
		if what != "" {
			warnings = append(warnings, columns.Note{
				Text:     what + ": it is used as an input, though it looks like an index",
				Remedies: []columns.Answer{t.ignoring(c)},
			})
		}
	}
	return warnings
}

// countsRows says whether a column merely counts the rows.
func (t *table) countsRows(column int) bool {
	for i := range t.rows() {
		if t.at(i, column) != t.at(0, column)+float64(i) {
			return false
		}
	}
	return true
}

// tellsRowsApart says whether a column has another whole number in every row.
func (t *table) tellsRowsApart(column int) bool {
	values := make([]float64, t.rows())
	for i := range values {
		values[i] = t.at(i, column)
		if !isWhole(values[i]) {
			return false
		}
	}
	slices.Sort(values)
	return len(slices.Compact(values)) == t.rows()
}

// isIdentifier says whether a name is one of those that people give to identifiers.
func isIdentifier(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{"id", "idx", "index", "row", "nr", "no", "unnamed: 0"}, name) ||
		strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id")
}

// detectClasses turns targets of two classes into -1 and +1 and the task into
// Binary, with a note. All targets must have classes for that.
func (ds *Dataset) detectClasses() {
	n, p := ds.Y.Dims()
	zeroed := make([]bool, p) // by column: the classes are 0 and 1
	for j := range p {
		seen := make(map[float64]bool)
		for i := 0; i < n && len(seen) <= 2; i++ {
			if v := ds.Y.At(i, j); !math.IsNaN(v) {
				seen[v] = true
			}
		}
		zeroed[j] = len(seen) == 2 && seen[0] && seen[1]
		if !zeroed[j] && !(len(seen) == 2 && seen[-1] && seen[1]) {
			return
		}
	}
	ds.Task = task.Binary
	for j, zero := range zeroed {
		low := -1.0
		ds.Classes = []string{"-1", "1"}
		if zero {
			low, ds.Classes = 0, []string{"0", "1"}
			for i := range n {
				ds.Y.Set(i, j, 2*ds.Y.At(i, j)-1)
			}
		}
		if p > 1 {
			ds.Classes = nil // There are names for one target.
		}
		ds.Notes = append(ds.Notes, twoClasses(ds.Targets[j], low, 1))
	}
}

// noteClasses says that a target is of classes, with how many rows each has.
func (ds *Dataset) noteClasses() {
	var list []string
	for k, n := range ds.ClassCounts() {
		list = append(list, fmt.Sprintf("%s (%d)", ds.Classes[k], n))
	}
	ds.Notes = append(ds.Notes, columns.Note{
		Text: fmt.Sprintf("target %s is taken as %d classes: %s", ds.Targets[0], len(list), shortList(list)),
	})
}

// shortList joins names, cutting a long list short.
func shortList(names []string) string {
	const limit = 12
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return strings.Join(names, ", ")
}
