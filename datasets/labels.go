package datasets

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/columns"
	"dgplab/datasets/task"
)

const (
	// maxClasses is the most classes of a target.
	maxClasses = 64
	// ClassSuffix after the name of a target says that its values are classes.
	ClassSuffix = ":class"
)

// words are the cells of a column that are no numbers. Equal ones are kept once.
type words struct {
	texts  []string         // the different ones
	number map[string]int32 // of each of them, from 1
	counts []int            // of cells, by text
	rows   []int32          // by row, 0 where the cell is a number; the last rows may be absent
	cells  int              // that are text
	many   bool             // there are more texts than levels of any category: rows is nil
	bytes  int64            // of the texts
	first  *CSVError
}

// id returns the number of the text of a row, from 1; 0 where the cell is a number.
func (w *words) id(row int) int {
	if row >= len(w.rows) {
		return 0
	}
	return int(w.rows[row])
}

// at returns the text of a row, "" where the cell is a number.
func (w *words) at(row int) string {
	if id := w.id(row); id > 0 {
		return w.texts[id-1]
	}
	return ""
}

// intern returns the number of a text, from 1, adding it.
func (w *words) intern(text string) int32 {
	k := w.number[text]
	if k == 0 {
		w.texts = append(w.texts, text)
		w.counts = append(w.counts, 0)
		w.bytes = w.bytes + int64(len(text))
		k = int32(len(w.texts))
		w.number[text] = k
	}
	return k
}

// put gives a row, behind those that have one, the text of a number.
func (w *words) put(row int, id int32) {
	for len(w.rows) < row {
		w.rows = append(w.rows, 0)
	}
	w.rows = append(w.rows, id)
	w.counts[id-1]++
}

// wordsOf returns the words of a column, whose first one is that trouble.
func (t *table) wordsOf(column int, first *CSVError) *words {
	if t.words == nil {
		t.words = make(map[int]*words)
	}
	w := t.words[column]
	if w == nil {
		w = &words{number: map[string]int32{}, first: first}
		t.words[column] = w
	}
	return w
}

// onlyNumbers returns the *CSVError of the first text in the chosen columns, nil if there is none.
func (t *table) onlyNumbers(columns []int) (first *CSVError) {
	for _, c := range columns {
		w := t.words[c]
		if w != nil &&
			(first == nil || w.first.Line < first.Line || w.first.Line == first.Line && c < first.Column-1) {
			first = w.first
		}
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
	if w := t.words[column]; w != nil && w.at(row) != "" {
		return w.at(row)
	}
	if v := t.at(row, column); !math.IsNaN(v) {
		return numberLabel(v)
	}
	return ""
}

// numberLabel is the name of a class that is a number.
func numberLabel(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// nameOf returns the name of a column, "" if the table has none.
func (t *table) nameOf(column int) string {
	if t.header == nil {
		return ""
	}
	return t.header[column]
}

// classes makes the only target of a data set that of some rows of a column of labels.
func (t *table) classes(ds *Dataset, c *columns.Column, rows []int) error {
	var labels []string
	var counts []int
	number := map[string]int{} // of a label, from 1
	for _, i := range rows {
		text := t.label(i, c.Index)
		k := number[text]
		if text != "" && k == 0 {
			labels = append(labels, text)
			counts = append(counts, 0)
			k = len(labels)
			number[text] = k
		}
		if w := t.words[c.Index]; len(labels) > maxClasses || w != nil && w.many {
			return &CSVError{File: t.name, Line: t.lines.at(i), Column: c.Index + 1, Name: t.nameOf(c.Index),
				Problem: fmt.Sprintf("the target has more than %d classes", maxClasses)}
		}
		if k > 0 {
			counts[k-1]++
		}
	}
	c.Levels = columns.LevelsOf(c.Kind, labels, counts)
	for _, level := range c.Levels {
		ds.Classes = append(ds.Classes, level.Name)
	}
	t.encode(ds, c.Index, rows, c.Level)
	return nil
}

// encode makes the only target of a data set the codes of its classes, which are known, as
// a function tells them from labels.
func (t *table) encode(ds *Dataset, column int, rows []int, class func(label string) int) {
	codes := map[string]float64{"": math.NaN()}
	ds.Y = mat.NewDense(len(rows), 1, nil)
	for k, i := range rows {
		label := t.label(i, column)
		code, known := codes[label]
		if !known {
			code = codeOf(class(label), len(ds.Classes))
			codes[label] = code
		}
		ds.Y.Set(k, 0, code)
	}
	ds.Task = task.Multiclass
	if len(ds.Classes) == 2 {
		ds.Task = task.Binary
	}
}

// firstLabel returns the text of the first cell of a column that is there.
func (t *table) firstLabel(column int) string {
	for i := range t.rows() {
		if text := t.label(i, column); text != "" {
			return text
		}
	}
	return ""
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
