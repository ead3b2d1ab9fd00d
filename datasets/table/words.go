package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxClasses is the maximum number of classes of a target.
	maxClasses = 64
	// ClassSuffix after the name of a target marks its values as classes.
	ClassSuffix = ":class"
)

// words holds the text cells of a column. Each distinct text is stored once.
type words struct {
	texts  []string         // distinct strings
	number map[string]int32 // id of each text, from 1
	counts []int            // number of cells, by text
	rows   []int32          // ids by row, 0 for numeric cells; trailing rows may be absent
	cells  int              // number of text cells
	many   bool             // more strings than any category may have; rows is nil
	bytes  int64            // total size of the strings
	// first is the error of the first text, invisible that of the first text with an invisible character.
	first, invisible *Error
}

// list returns the different texts. There may be no words.
func (w *words) list() []string {
	if w == nil {
		return nil
	}
	return w.texts
}

// unique reports whether all recorded texts occur only once.
func (w *words) unique() bool {
	return len(w.texts) > 1 && !slices.ContainsFunc(w.counts, func(n int) bool { return n > 1 })
}

// id returns the id of the text of a row, from 1, or 0 if the cell is a number. There may be no words.
func (w *words) id(row int) int {
	if w == nil || row >= len(w.rows) {
		return 0
	}
	return int(w.rows[row])
}

// at returns the text of a row, or "" if the cell is a number.
func (w *words) at(row int) string {
	if id := w.id(row); id > 0 {
		return w.texts[id-1]
	}
	return ""
}

// intern returns the id of a string and adds the string if necessary.
func (w *words) intern(text string) int32 {
	k := w.number[text]
	if k == 0 {
		text = strings.Clone(text)
		w.texts = append(w.texts, text)
		w.counts = append(w.counts, 0)
		w.bytes = w.bytes + int64(len(text))
		k = int32(len(w.texts))
		w.number[text] = k
	}
	return k
}

// put assigns a string to a row, which must follow all rows that have a string.
func (w *words) put(row int, id int32) {
	for len(w.rows) < row {
		w.rows = append(w.rows, 0)
	}
	w.rows = append(w.rows, id)
	w.counts[id-1]++
}

// onlyNumbers returns the error of the first text in the chosen columns, or nil if there is none.
func (t *Table) onlyNumbers(columns []int) (first *Error) {
	for _, c := range columns {
		w := t.columns[c].words
		if w != nil &&
			(first == nil || w.first.Line < first.Line || w.first.Line == first.Line && c < first.Column-1) {
			first = w.first
		}
	}
	return first
}

// Label returns the text of a cell, or "" if it is missing.
func (t *Table) Label(row, column int) string {
	if text := t.columns[column].at(row); text != "" {
		return text
	}
	if v := t.at(row, column); !math.IsNaN(v) {
		return numberLabel(v)
	}
	return ""
}

// LabelOf returns the label of a cell. v is the number in the cell if isNumber is true.
func LabelOf(cell string, v float64, isNumber bool) string {
	if isNumber {
		return numberLabel(v)
	}
	return printableText(cell)
}

// numberLabel returns the name of a numeric class.
func numberLabel(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// FindClasses sets the levels of a target to its classes in the given rows.
func (t *Table) FindClasses(c *Column, rows []int) error {
	var labels []string
	var counts []int
	number := map[string]int{} // id of a label, from 1
	for _, i := range rows {
		text := t.Label(i, c.Index)
		k := number[text]
		if text != "" && k == 0 {
			labels = append(labels, text)
			counts = append(counts, 0)
			k = len(labels)
			number[text] = k
		}
		if w := t.columns[c.Index].words; len(labels) > maxClasses || w != nil && w.many {
			return &Error{File: t.Name, Line: t.lines.at(i), Column: c.Index + 1, Name: t.nameOf(c.Index),
				Problem: fmt.Sprintf("the target has more than %d classes", maxClasses)}
		}
		if k > 0 {
			counts[k-1]++
		}
	}
	c.Levels = LevelsOf(c.Kind, labels, counts)
	return nil
}

// FirstLabel returns the text of the first non-missing cell of a column.
func (t *Table) FirstLabel(column int) string {
	for i := range t.Rows() {
		if text := t.Label(i, column); text != "" {
			return text
		}
	}
	return ""
}
