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

// Source identifies the data to load: a named data set or a file, and the way a file is read.
type Source struct {
	Name string
	// Targets chooses the target columns of a file, or some targets of a named set; see ReadCSV and
	// Load.
	Targets []string
	// Columns overrides the detected properties of the columns of a file.
	Columns columns.Choices
	// Pipe provides the text if Name is a pipe named by the user; nil for a file. Other pipes are
	// errors because reading them could block forever.
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

// Describe reads the file of a source and describes its columns and their use. Open questions and
// problems that prevent its use as a data set are reported in the table, not as an error. The
// caller is expected to adjust the targets and choices of the source to the user's answers and to
// call Describe again; Load accepts the source if there are no questions and no problem left.
//
// It returns an error if the file cannot be read as a table, or if the targets or choices name
// unknown columns.
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

// report describes a table that has been read.
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
	d.Err = d.trouble
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

// ReadCSV reads a table as a data set. The table is plain text or gzip, with cells separated by
// commas, semicolons, bars, tabs or white space, and with or without a header. Errors and the data
// set refer to the file by the name of the source.
//
// The kinds of columns are detected from all cells (see package columns) unless the source
// specifies them. Ambiguities are reported as a *CSVError with a Question. Each column that is
// neither a target nor ignored becomes one or more inputs.
//
// The targets of the source name the target columns by header name or by index from 0; negative
// indices count from the end. The default is the last column. Names take precedence over indices.
//
// Missing target cells, empty or NA or similar (see columns.IsMissing), are NaN in Y; the source
// determines the treatment of missing inputs. Warnings report missing values. Notes describe the
// columns of a file unless all are numbers.
//
// A target with exactly two values makes the task Binary, with targets -1 and +1 and a note. More
// than two values make the task Multiclass if they are text, or if they are numbers and the target
// is given with the suffix ":class"; a note gives the number of rows of each class. A small number
// of distinct integers raises a question, which the suffix ":class" or ":number" answers. Errors in
// the file are reported as a *CSVError with file, line and column.
//
// Reading takes at most three times the memory of the numbers. Exceeding a limit (see limits) is an
// error that explains how to raise it. If r is not an io.Seeker, it is read only once; see
// readTable.
func ReadCSV(ctx context.Context, r io.Reader, s Source) (*Dataset, error) {
	t, err := readTable(ctx, s.Name, r, tableOptions{labels: true, choices: s.Columns})
	if err != nil {
		return nil, err
	}
	return t.asDataset(s.Targets)
}

// asDataset converts the table to a data set.
func (t *table) asDataset(targets []string) (*Dataset, error) {
	if t.rows() == 1 {
		return nil, &CSVError{
			File:    t.name,
			Line:    t.lines.at(0),
			Problem: "only one row of numbers; at least 2 are needed",
		}
	}
	if t.width == 1 {
		return nil, &CSVError{
			File:    t.name,
			Problem: "only one column; at least one input and one target are needed",
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

// dataset converts a described table without errors to a data set.
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
	if summary := d.Summary(); summary != "" {
		ds.Notes = append(ds.Notes, columns.Note{Text: summary})
	}
	ds.noteMissing(func(i int) int { return t.lines.at(rows[i]) })
	return ds, nil
}

// names returns the names of the given columns, which are x1, x2, ... by position in the file if
// there is no header.
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

// layout returns the arrangement of the columns and the plan for reading them.
func (t *table) layout(d *described) layout {
	return layout{
		named:   t.header != nil,
		columns: d.Columns,
		plan:    t.plan,
		inputs:  d.inputs,
		targets: d.targets,
	}
}

// targets returns the columns named by words; see ReadCSV.
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

// column returns the column named by word. what describes the column in errors.
func (t *table) column(word, what string) (int, error) {
	found := -1
	for c, name := range t.names(consecutive(t.width)) {
		if name != word {
			continue
		}
		if found >= 0 {
			noun := strings.TrimSuffix(what, " column")
			return 0, &CSVError{File: t.name, Column: c + 1, Name: name,
				Problem: fmt.Sprintf("two columns have this name; give the index of the %s, %d or %d",
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
				Problem: fmt.Sprintf("no %s %d; valid indices are 0 to %d, or -1 to -%d",
					what, c, t.width-1, t.width),
			}
		}
		return (c + t.width) % t.width, nil
	}
	if t.header == nil {
		return 0, &CSVError{
			File: t.name,
			Problem: fmt.Sprintf("no %s %s: the file has no header; use an index from 0 to %d",
				what, excerpt(word), t.width-1),
		}
	}
	return 0, &CSVError{
		File:    t.name,
		Problem: fmt.Sprintf("no %s %s; the columns are %s", what, excerpt(word), shortList(t.header)),
	}
}

// minIndex is the minimum number of rows required to detect an index column.
const minIndex = 3

// indices warns of inputs that look like an index: a first column without a name that counts the
// rows, as written by data-frame tools, and identifier columns with distinct integers.
func (t *table) indices(d *described) (warnings []columns.Note) {
	if t.header == nil || t.rows() < minIndex {
		return nil
	}
	for _, c := range d.inputs {
		what := ""
		switch column := &d.Columns[c]; {
		case column.Kind != columns.Number:
		case c == 0 && column.Name == "x1" && t.isRowCounter(c):
			what = "the first column has no name and counts the rows"
		case isIdentifier(column.Name) && t.hasUniqueIntegers(c):
			what = "column " + column.Name + " has a different integer in every row"
		}
		if what != "" {
			warnings = append(warnings, columns.Note{
				Text:     what + ": it is used as an input but looks like an index",
				Remedies: []columns.Answer{t.ignoring(c)},
			})
		}
	}
	return warnings
}

// isRowCounter reports whether a column counts the rows.
func (t *table) isRowCounter(column int) bool {
	for i := range t.rows() {
		if t.at(i, column) != t.at(0, column)+float64(i) {
			return false
		}
	}
	return true
}

// hasUniqueIntegers reports whether a column has a different integer in every row.
func (t *table) hasUniqueIntegers(column int) bool {
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

// isIdentifier reports whether name is typical of an identifier.
func isIdentifier(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{"id", "idx", "index", "row", "nr", "no", "unnamed: 0"}, name) ||
		strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id")
}

// detectClasses converts targets with two classes to -1 and +1, sets the task to Binary and adds a
// note, provided that all targets have two classes.
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
			ds.Classes = nil // Classes are named only for a single target.
		}
		ds.Notes = append(ds.Notes, twoClasses(ds.Targets[j], low, 1))
	}
}

// noteClasses adds a note with the classes of the target and their numbers of rows.
func (ds *Dataset) noteClasses() {
	var list []string
	for k, n := range ds.ClassCounts() {
		list = append(list, fmt.Sprintf("%s (%d)", ds.Classes[k], n))
	}
	ds.Notes = append(ds.Notes, columns.Note{
		Text: fmt.Sprintf("target %s is treated as %d classes: %s",
			ds.Targets[0], len(list), shortList(list)),
	})
}

// shortList joins names and abbreviates long lists.
func shortList(names []string) string {
	const limit = 12
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return strings.Join(names, ", ")
}
