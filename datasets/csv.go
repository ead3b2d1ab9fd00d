package datasets

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/task"
)

// loadFile reads the CSV file at path.
func loadFile(ctx context.Context, path string, targets []string) (*Dataset, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("data set: %w", err)
	}
	defer file.Close()
	return ReadCSV(ctx, path, file, targets)
}

// ReadCSV reads a table of numbers as a data set: plain text or gzip; cells
// separated by commas, semicolons, tabs or white space; with or without a header
// of names. name is what errors and the data set call the file.
//
// targets names the target columns, by the name in the header or by index from
// 0; negative indices count from the end, so that -1 is the last column, which is
// the default. A name wins over an index. All other columns are inputs.
//
// A target cell that is empty, NA or NaN was not observed, and is NaN in Y; an input
// must be there. Warnings say what is missing.
//
// If every target has exactly the values 0 and 1, or -1 and +1, the task is
// Binary, with targets -1 and +1; a warning says so. The only target may have names of
// classes, which are any text, or numbers if its word ends with ":class": two of them
// make the task Binary, more make it Multiclass; a warning says how many rows each has. Trouble in the file is a
// *CSVError that names file, line and column.
//
// The table takes at most three times the memory of its numbers while it is read. What
// is more than a limit (see limits) is an error that says how to raise it.
func ReadCSV(ctx context.Context, name string, r io.Reader, targets []string) (*Dataset, error) {
	t, err := readTable(ctx, name, r, tableOptions{labels: true})
	if err != nil {
		return nil, err
	}
	if t.rows() == 1 {
		return nil, &CSVError{File: name, Line: t.lines.at(0), Problem: "there is only one row of numbers; at least two are needed"}
	}
	if t.width == 1 {
		return nil, &CSVError{File: name, Problem: "there is only one column; at least one input and one target are needed"}
	}
	targets, labelled := withoutSuffix(targets)
	outputs, err := t.targets(targets)
	if err != nil {
		return nil, err
	}
	var inputs []int
	for c := range t.width {
		if !slices.Contains(outputs, c) {
			inputs = append(inputs, c)
		}
	}
	if len(inputs) == 0 {
		return nil, &CSVError{File: name, Problem: "every column is a target; at least one input is needed"}
	}
	return t.dataset(inputs, outputs, labelled)
}

// withoutSuffix takes classSuffix off words and reports whether one had it.
func withoutSuffix(words []string) (out []string, labelled bool) {
	for _, word := range words {
		name, found := strings.CutSuffix(strings.TrimSpace(word), classSuffix)
		out, labelled = append(out, name), labelled || found
	}
	return out, labelled
}

// dataset makes a data set of the chosen columns; labelled says that the output has
// classes, whatever its values look like.
func (t *table) dataset(inputs, outputs []int, labelled bool) (*Dataset, error) {
	if err := t.onlyNumbers(inputs); err != nil {
		return nil, err
	}
	if err := t.complete(inputs); err != nil {
		return nil, err
	}
	labelled = labelled || t.isLabels(outputs[0])
	if labelled && len(outputs) > 1 {
		return nil, &CSVError{File: t.name, Column: outputs[0] + 1, Name: t.nameOf(outputs[0]),
			Problem: fmt.Sprintf("a target with names of classes must be the only one; there are %d", len(outputs))}
	}
	if !labelled {
		if err := t.onlyNumbers(outputs); err != nil {
			return nil, err
		}
	}
	x, err := t.pick(inputs)
	if err != nil {
		return nil, err
	}
	y, err := t.pick(outputs)
	if err != nil {
		return nil, err
	}
	ds := &Dataset{
		Name: t.name, Title: filepath.Base(t.name), Origin: "file " + t.name,
		X: x, Y: y, Inputs: t.names(inputs), Targets: t.names(outputs), layout: t.layout(inputs, outputs),
	}
	if labelled {
		labels, err := t.labels(outputs[0])
		if err != nil {
			return nil, err
		}
		t.classes(ds, outputs[0], labels)
	}
	for j, c := range outputs {
		first, constant := constantColumn(ds.Y, j)
		if constant && math.IsNaN(first) {
			return nil, &CSVError{File: t.name, Column: c + 1, Name: ds.Targets[j], Problem: "the target is missing in every row"}
		}
		if constant {
			return nil, &CSVError{File: t.name, Column: c + 1, Name: ds.Targets[j],
				Problem: fmt.Sprintf("the target is constant (%s in every row); there is nothing to learn", t.label(0, c))}
		}
	}
	if warning := t.indexWarning(inputs, ds.Inputs); warning != "" {
		ds.Warnings = append(ds.Warnings, warning)
	}
	if labelled {
		ds.noteClasses()
	} else {
		ds.detectClasses()
	}
	ds.noteMissing(&t.lines)
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

// layout returns how the columns lie of which those are inputs and targets.
func (t *table) layout(inputs, outputs []int) layout {
	all := make([]int, t.width)
	for c := range all {
		all[c] = c
	}
	return layout{names: t.names(all), named: t.header != nil, inputs: inputs, targets: outputs}
}

// targets returns the columns that the words name; see ReadCSV.
func (t *table) targets(words []string) ([]int, error) {
	if len(words) == 0 {
		return []int{t.width - 1}, nil
	}
	var columns []int
	for _, word := range words {
		c, err := t.target(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if slices.Contains(columns, c) {
			return nil, &CSVError{File: t.name, Column: c + 1, Problem: fmt.Sprintf("target %q is named twice", word)}
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// target returns the column that one word names.
func (t *table) target(word string) (int, error) {
	found := -1
	for c, name := range t.header {
		if name != word {
			continue
		}
		if found >= 0 {
			return 0, &CSVError{File: t.name, Column: c + 1, Name: name,
				Problem: fmt.Sprintf("two columns have this name; name the target by its index, %d or %d", found, c)}
		}
		found = c
	}
	if found >= 0 {
		return found, nil
	}
	if c, err := strconv.Atoi(word); err == nil {
		if c < -t.width || c >= t.width {
			return 0, &CSVError{File: t.name, Problem: fmt.Sprintf("no target column %d; indices go from 0 to %d, or from -1 back to -%d", c, t.width-1, t.width)}
		}
		return (c + t.width) % t.width, nil
	}
	if t.header == nil {
		return 0, &CSVError{File: t.name, Problem: fmt.Sprintf("no target column %s: the file has no header; name it by its index, from 0 to %d", excerpt(word), t.width-1)}
	}
	return 0, &CSVError{File: t.name, Problem: fmt.Sprintf("no target column %s; there are %s", excerpt(word), shortList(t.header))}
}

// indexWarning returns a warning if the first column is an input without a name
// that merely counts the rows, as tools for data frames write it.
func (t *table) indexWarning(inputs []int, names []string) string {
	if t.header == nil || inputs[0] != 0 || names[0] != "x1" || t.rows() < 3 {
		return ""
	}
	for i := range t.rows() {
		if t.at(i, 0) != t.at(0, 0)+float64(i) {
			return ""
		}
	}
	return "the first column has no name and counts the rows: it is used as an input, though it looks like an index"
}

// detectClasses turns targets of two classes into -1 and +1 and the task into
// Binary, with a warning. All targets must have classes for that.
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
		classes := "-1 and 1"
		if ds.Classes = []string{"-1", "1"}; zero {
			classes, ds.Classes = "0 and 1", []string{"0", "1"}
			for i := range n {
				ds.Y.Set(i, j, 2*ds.Y.At(i, j)-1)
			}
		}
		if p > 1 {
			ds.Classes = nil // There are names for one target.
		}
		ds.Warnings = append(ds.Warnings, fmt.Sprintf("target %s has only the values %s: taken as two classes, -1 and +1", ds.Targets[j], classes))
	}
}

// noteClasses warns that a target is of classes, with how many rows each has.
func (ds *Dataset) noteClasses() {
	var list []string
	for k, n := range ds.ClassCounts() {
		list = append(list, fmt.Sprintf("%s (%d)", ds.Classes[k], n))
	}
	ds.Warnings = append(ds.Warnings, fmt.Sprintf("target %s is taken as %d classes: %s", ds.Targets[0], len(list), shortList(list)))
}

// shortList joins names, cutting a long list short.
func shortList(names []string) string {
	const limit = 12
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + fmt.Sprintf(" and %d more", len(names)-limit)
	}
	return strings.Join(names, ", ")
}
