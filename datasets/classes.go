package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// detectClasses converts targets with two classes to -1 and +1, sets the task to Binary and adds a
// note, provided that all targets have two classes.
func (ds *Dataset) detectClasses() {
	n, p := ds.Y.Dims()
	zeroed := make([]bool, p) // by column: whether the classes are 0 and 1
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
			ds.Classes = nil // only the classes of a single target have names
		}
		ds.Notes = append(ds.Notes, table.TwoClassesNote(ds.Targets[j], low, 1))
	}
}

// noteClasses adds a note with the classes of the target and their numbers of rows.
func (ds *Dataset) noteClasses() {
	var list []string
	for k, n := range ds.ClassCounts() {
		list = append(list, fmt.Sprintf("%s (%d)", ds.Classes[k], n))
	}
	ds.Notes = append(ds.Notes, table.Note{
		Text: fmt.Sprintf("target %s is treated as %d classes: %s",
			ds.Targets[0], len(list), table.ShortList(list)),
	})
}

// encode sets the single target of the data set to the codes of its classes. The labels are in a
// column of a table. class maps labels to class numbers.
func (ds *Dataset) encode(t *table.Table, column int, rows []int, class func(label string) int) {
	codes := map[string]float64{"": math.NaN()}
	ds.Y = mat.NewDense(len(rows), 1, nil)
	for k, i := range rows {
		label := t.Label(i, column)
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

// codeOf returns the target value of class k: -1 or +1 for two classes, otherwise k. It is NaN for
// k = -1, which means no class.
func codeOf(k, classes int) float64 {
	switch {
	case k < 0:
		return math.NaN()
	case classes == 2:
		return float64(2*k - 1)
	}
	return float64(k)
}

// ClassOf returns the class number, from 0, of a target value.
func ClassOf(t task.Task, target float64) int {
	if t == task.Binary {
		return int(target+1) / 2
	}
	return int(target)
}

// ClassCounts returns the number of rows of each class, or nil without Classes.
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
