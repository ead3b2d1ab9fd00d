package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// minStratum is the minimum number of rows of a class: one for training and one for testing.
	minStratum = 2
	// testShare is the share of the rows in a test set that is drawn.
	testShare = 0.1
)

// stratified draws the test rows of a stratified split. Every class has its share of the test set, up to
// less than one row. Rows without a target are not drawn.
func (s Split) stratified(ds *Dataset) ([]int, error) {
	if !ds.Task.Classes() || len(ds.Targets) != 1 {
		return nil, errors.New("a stratified split needs one target with classes; use interpolation:SEED")
	}
	n, _ := ds.Y.Dims()
	for class, rows := range ds.classRows(consecutive(n)) {
		if len(rows) > 0 && len(rows) < minStratum {
			return nil, fmt.Errorf("class %s has one row; a stratified split needs at least %d, "+
				"so use interpolation:SEED", ds.className(class), minStratum)
		}
	}
	_, test := ds.drawStratified(consecutive(n), testShare, stream(s.Number, "stratified"))
	return test, nil
}

// className returns the name of a class. Classes of built-in sets may have no names.
func (ds *Dataset) className(class int) string {
	if len(ds.Classes) > 0 {
		return ds.Classes[class]
	}
	return fmt.Sprint(codeOf(class, 2))
}

// classRows returns the given rows by class, in order. Rows without a target have no class.
func (ds *Dataset) classRows(rows []int) [][]int {
	list := make([][]int, max(2, len(ds.Classes)))
	for _, row := range rows {
		v := ds.Y.At(row, 0)
		if !math.IsNaN(v) {
			class := ClassOf(ds.Task, v)
			list[class] = append(list[class], row)
		}
	}
	return list
}

// drawStratified draws a share of the given rows, at least one, and of each class its share. It leaves at
// least one row of each class. It returns the remaining and the drawn rows, both in the given order.
func (ds *Dataset) drawStratified(rows []int, share float64, rng *rand.Rand) (rest, drawn []int) {
	classes := ds.classRows(rows)
	sizes := make([]int, len(classes))
	for k, list := range classes {
		sizes[k] = len(list)
	}
	for k, count := range strata(sizes, share) {
		for _, i := range rng.Perm(sizes[k])[:count] {
			drawn = append(drawn, classes[k][i])
		}
	}
	return separate(rows, drawn)
}

// strata returns how many rows to draw from classes of the given sizes, so that their sum is the share of all
// rows, at least one. Each number is the share of its class, rounded down or up: the largest remainders are
// rounded up, of equal ones the first. One row of each class is not drawn.
func strata(sizes []int, share float64) []int {
	total := 0
	for _, size := range sizes {
		total += size
	}
	left := max(1, int(math.Round(share*float64(total))))
	counts := make([]int, len(sizes))
	remainders := make([]float64, len(sizes))
	order := consecutive(len(sizes))
	exact := float64(left) / float64(max(1, total))
	for k, size := range sizes {
		part := exact * float64(size)
		counts[k] = min(int(part), max(0, size-1))
		remainders[k] = part - float64(counts[k])
		left -= counts[k]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, k := range order {
		if left > 0 && counts[k] < sizes[k]-1 {
			counts[k]++
			left--
		}
	}
	return counts
}
