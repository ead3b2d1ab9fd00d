package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

const (
	// maxWords bounds the cells of a table that are text.
	maxWords = 1 << 22
	// maxClasses is the most classes of a target.
	maxClasses = 64
	// classSuffix after the name of a target says that its values are classes.
	classSuffix = ":class"
)

// words are the cells of a column that are no numbers.
type words struct {
	text  map[int]string // by row
	first *CSVError
}

// word keeps the text of a cell of the row that is being added.
func (t *table) word(column int, cell string, trouble *CSVError) {
	if t.words == nil {
		t.words = make(map[int]*words)
	}
	w := t.words[column]
	if w == nil {
		w = &words{map[int]string{}, trouble}
		t.words[column] = w
	}
	w.text[t.rows()] = printableText(cell)
	t.count++
}

// onlyNumbers returns the *CSVError of the first text in the chosen columns.
func (t *table) onlyNumbers(columns []int) error {
	var first *CSVError
	for _, c := range columns {
		w := t.words[c]
		if w != nil && (first == nil || w.first.Line < first.Line || w.first.Line == first.Line && c < first.Column-1) {
			first = w.first
		}
	}
	if first == nil {
		return nil // Not first: a nil *CSVError is no nil error.
	}
	return first
}

// isLabels says whether a column has names of classes: no cell is a number, so that a
// slip of the pen does not turn numbers into classes.
func (t *table) isLabels(column int) bool {
	if t.words[column] == nil {
		return false
	}
	for i := range t.rows() {
		if !math.IsNaN(t.at(i, column)) {
			return false
		}
	}
	return true
}

// label returns the text of a cell; "" if it is missing.
func (t *table) label(row, column int) string {
	if w := t.words[column]; w != nil && w.text[row] != "" {
		return w.text[row]
	}
	if v := t.at(row, column); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return ""
}

// labels returns the different labels of a column: numbers in their order, then text.
func (t *table) labels(column int) ([]string, error) {
	var list []string
	seen := map[string]bool{}
	for i := range t.rows() {
		if text := t.label(i, column); text != "" && !seen[text] {
			if seen[text] = true; len(seen) > maxClasses {
				return nil, &CSVError{File: t.name, Line: t.lines[i], Column: column + 1, Name: t.nameOf(column),
					Problem: fmt.Sprintf("the target has more than %d classes", maxClasses)}
			}
			list = append(list, text)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		x, errA := strconv.ParseFloat(a, 64)
		y, errB := strconv.ParseFloat(b, 64)
		switch {
		case errA == nil && errB == nil && x != y:
			return int(math.Copysign(1, x-y))
		case (errA == nil) != (errB == nil):
			return map[bool]int{true: -1, false: 1}[errA == nil]
		}
		return strings.Compare(a, b)
	})
	return list, nil
}

// nameOf returns the name of a column, "" if the table has none.
func (t *table) nameOf(column int) string {
	if t.header == nil {
		return ""
	}
	return t.header[column]
}

// classes makes the only target of a data set that of a column of labels.
func (t *table) classes(ds *Dataset, column int, labels []string) {
	y := mat.NewDense(t.rows(), 1, nil)
	for i := range t.rows() {
		y.Set(i, 0, codeOf(slices.Index(labels, t.label(i, column)), len(labels)))
	}
	ds.Y, ds.Classes, ds.Task = y, labels, task.Multiclass
	if len(labels) == 2 {
		ds.Task = task.Binary
	}
}

// codeOf returns the target that stands for class k of so many: -1 and +1 of two. That
// of no class, -1, is missing.
func codeOf(k, classes int) float64 {
	switch {
	case k < 0:
		return math.NaN()
	case classes == 2:
		return float64(2*k - 1)
	}
	return float64(k)
}

// ClassOf returns the number of the class, from 0, that a target of a task says.
func ClassOf(t task.Task, target float64) int {
	if t == task.Binary {
		return int(target+1) / 2
	}
	return int(target)
}

// ClassCounts returns how many rows there are of each class; nil unless it has Classes.
func (ds *Dataset) ClassCounts() []int {
	if len(ds.Classes) == 0 {
		return nil
	}
	counts := make([]int, len(ds.Classes))
	for _, v := range ds.Y.RawMatrix().Data {
		if !math.IsNaN(v) {
			counts[ClassOf(ds.Task, v)]++
		}
	}
	return counts
}
