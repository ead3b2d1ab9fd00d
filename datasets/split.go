package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// SplitKind is a method of dividing a data set into a training set and a test set.
type SplitKind int

const (
	// Standard is an official split of the data set.
	Standard SplitKind = iota
	// Interpolation draws 10 % of the rows for testing.
	Interpolation
	// Extrapolation tests on one side of the input space and trains on the other.
	Extrapolation
	// Random811 draws a tenth of the rows for validation and another tenth for testing.
	Random811
	// Outputs holds out some targets of the test rows of the default split; the other targets of
	// these rows are observed.
	Outputs
	// Stratified draws 10 % of the rows for testing, of each class its share.
	Stratified
	// Group tests on 10 % of the values of a column. All rows of a value are in the same part.
	Group
	// Time tests on the 10 % of the rows with the largest values of a column, and trains on earlier ones.
	Time
	// Column takes the part of each row from a column.
	Column
	// Listed takes the rows of the parts from a file.
	Listed
	// Lindinger is the extrapolation split of the code of Lindinger et al. 2020.
	Lindinger
)

// splitNames are the names accepted by ParseSplit.
var splitNames = [...]string{
	Standard:      "standard",
	Interpolation: "interpolation",
	Extrapolation: "extrapolation",
	Random811:     "random811",
	Outputs:       "outputs",
	Stratified:    "stratified",
	Group:         "group",
	Time:          "time",
	Column:        "column",
	Listed:        "rows",
	Lindinger:     "lindinger",
}

// splitForms describes the input of ParseSplit.
const splitForms = "standard:K, interpolation:SEED, stratified:SEED, random811:SEED, extrapolation:SEED, " +
	"lindinger:SEED, outputs:TARGET:K, group:COLUMN:SEED, time:COLUMN:GAP, column:NAME or rows:FILE"

// String returns the name accepted by ParseSplit.
func (k SplitKind) String() string { return splitNames[k] }

// Split specifies the division of a data set. Number is the number of an official split, from 0, or
// the seed of a random split.
type Split struct {
	Kind   SplitKind
	Number uint64
	// Targets names the targets held out by Outputs, by name or by index from 0, joined by plus
	// signs.
	Targets string
	// Column is the name or the index of the column that divides the rows for Group, Time and Column.
	Column string
	// Gap is the time before the test set without training rows, for Time: in units of the column, which
	// are days or seconds for dates.
	Gap float64
	// File is the path of the file with the rows of the parts, for Listed.
	File string
}

// Located returns the split with a path that is valid in every working directory.
func (s Split) Located() (Split, error) {
	if s.File == "" {
		return s, nil
	}
	path, err := filepath.Abs(s.File)
	s.File = path
	return s, err
}

// Reading returns what reading a data set needs of a split: the column that divides its rows. It is the zero
// value for splits without one.
func (s Split) Reading() Split {
	if s.Column == "" {
		return Split{}
	}
	return Split{Kind: s.Kind, Column: s.Column}
}

// OwnValidation reports whether the split may have its own validation set.
func (s Split) OwnValidation() bool {
	return s.Kind == Random811 || s.Kind == Column || s.Kind == Listed
}

// String returns the form that ParseSplit accepts, for example "standard:3".
func (s Split) String() string {
	switch s.Kind {
	case Outputs:
		return fmt.Sprintf("%v:%s:%d", s.Kind, s.Targets, s.Number)
	case Group:
		return fmt.Sprintf("%v:%s:%d", s.Kind, s.Column, s.Number)
	case Time:
		_, _, gap := cutGap(s.Column)
		if s.Gap > 0 || gap { // else the end of the name would be the gap
			return fmt.Sprintf("%v:%s:%s", s.Kind, s.Column, strconv.FormatFloat(s.Gap, 'g', -1, 64))
		}
		return fmt.Sprintf("%v:%s", s.Kind, s.Column)
	case Column:
		return fmt.Sprintf("%v:%s", s.Kind, s.Column)
	case Listed:
		return fmt.Sprintf("%v:%s", s.Kind, s.File)
	}
	return fmt.Sprintf("%v:%d", s.Kind, s.Number)
}

// ParseSplit parses "standard:K", "interpolation:SEED", "stratified:SEED", "random811:SEED",
// "extrapolation:SEED", "lindinger:SEED", "outputs:TARGET+TARGET:K", "group:COLUMN:SEED",
// "time:COLUMN:GAP", "column:NAME" or "rows:FILE". The number is optional and defaults to 0.
func ParseSplit(text string) (Split, error) {
	word, number, numbered := strings.Cut(strings.TrimSpace(text), ":")
	for i, name := range splitNames {
		kind := SplitKind(i)
		if word != name {
			continue
		}
		switch kind {
		case Outputs:
			return parseOutputs(text, number)
		case Group, Time, Column:
			return parseColumn(kind, text, number)
		case Listed:
			if strings.TrimSpace(number) == "" {
				return Split{}, fmt.Errorf("split %q: name the file with the rows, rows:FILE", text)
			}
			return Split{Kind: kind, File: number}, nil
		}
		if !numbered {
			return Split{Kind: kind}, nil
		}
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return Split{}, fmt.Errorf("split %q: %q is not a non-negative integer", text, number)
		}
		return Split{Kind: kind, Number: n}, nil
	}
	return Split{}, fmt.Errorf("split %q: want %s", text, splitForms)
}

// parseOutputs parses the text after "outputs:".
func parseOutputs(text, rest string) (Split, error) {
	s := Split{Kind: Outputs, Targets: rest}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 {
		n, err := strconv.ParseUint(rest[i+1:], 10, 64)
		if err != nil {
			return Split{}, fmt.Errorf("split %q: %q is not a non-negative integer", text, rest[i+1:])
		}
		s.Targets, s.Number = rest[:i], n
	}
	if s.Targets == "" {
		return Split{}, fmt.Errorf("split %q: name the targets to hold out, outputs:TARGET+TARGET:K",
			text)
	}
	return s, nil
}

// parseColumn parses the text after "group:", "time:" or "column:". The name of the column may contain
// colons.
func parseColumn(kind SplitKind, text, rest string) (Split, error) {
	s := Split{Kind: kind, Column: rest}
	at := strings.LastIndexByte(rest, ':')
	switch kind {
	case Group:
		seed, err := strconv.ParseUint(rest[at+1:], 10, 64)
		if at >= 0 && err == nil {
			s.Column, s.Number = rest[:at], seed
		}
	case Time:
		s.Column, s.Gap, _ = cutGap(rest)
	}
	s.Column = strings.TrimSpace(s.Column)
	if s.Column == "" {
		return Split{}, fmt.Errorf("split %q: name a column of the file, %v:COLUMN", text, kind)
	}
	return s, nil
}

// cutGap cuts the gap, a finite number from 0, after the last colon.
func cutGap(text string) (column string, gap float64, found bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, 0, false
	}
	gap, err := strconv.ParseFloat(text[at+1:], 64)
	if err != nil || !(gap >= 0) || math.IsInf(gap, 0) {
		return text, 0, false
	}
	return text[:at], gap, true
}

// DefaultSplit returns standard:0 for a data set with official splits, stratified:0 for a file whose target
// has classes of at least two rows each, and otherwise interpolation:0.
func DefaultSplit(ds *Dataset) Split {
	if ds.Columns != nil && len(ds.Classes) > 0 && slices.Min(ds.ClassCounts()) >= minStratum {
		return Split{Kind: Stratified}
	}
	return defaultSplit(len(ds.TestRows))
}

// DefaultSplit returns the default split of a named data set without loading it.
func (i Info) DefaultSplit() Split { return defaultSplit(i.Splits) }

func defaultSplit(official int) Split {
	if official > 0 {
		return Split{Kind: Standard}
	}
	return Split{Kind: Interpolation}
}

// parts returns the rows of the training, validation and test set, each ascending. They form a
// partition of all rows, except that the gap of a split of kind Time is in no part, and neither are
// rows that a file with training rows does not name. Unless the split has its own validation set, a share of
// the rows outside the test set is drawn with seed. text is the result of content.
func (s Split) parts(
	ds *Dataset, text []byte, share float64, seed uint64,
) (train, validation, test []int, err error) {
	n, _ := ds.X.Dims()
	switch {
	case s.Kind == Random811:
		train, validation, test = s.tenths(n)
		return train, validation, test, nil
	case s.Column != "" && (ds.divider == nil || ds.divider.by != s.Reading()):
		return nil, nil, nil, errors.New("the data set was read without the column of the split")
	case s.Kind == Group:
		return ds.divider.groups(s.Number, share, seed)
	case s.Kind == Time:
		return ds.divider.times(s.Gap, share)
	case s.Kind == Column:
		return ds.divider.named(share, seed)
	case s.Kind == Listed:
		return s.listed(ds, text, share, seed)
	}
	train, test, err = s.rows(ds)
	if err != nil {
		return nil, nil, nil, err
	}
	if s.Kind == Stratified && share > 0 {
		train, validation = ds.drawStratified(train, share, stream(seed, "validation"))
		return train, validation, test, nil
	}
	train, validation = validationRows(train, share, seed)
	return train, validation, test, nil
}

// tenths draws a random order of n rows. The first eight tenths are for training, the next for
// validation and the last for testing. These are the parts of Meng, Zhang, "Amortized Variational
// Inference for Deep Gaussian Processes", 2024, appendix C.1, arXiv:2409.12301: "always in the
// proportion 8:1:1".
func (s Split) tenths(n int) (train, validation, test []int) {
	order := stream(s.Number, "random811").Perm(n)
	first, second := (8*n+5)/10, (9*n+5)/10
	train, validation, test = order[:first], order[first:second], order[second:]
	for _, part := range [][]int{train, validation, test} {
		slices.Sort(part)
	}
	return train, validation, test
}

// rows returns the rows of the training set, including the validation rows, and of the test set,
// both ascending.
func (s Split) rows(ds *Dataset) (train, test []int, err error) {
	n, _ := ds.X.Dims()
	if s.Kind == Outputs {
		s.Kind = defaultSplit(len(ds.TestRows)).Kind
	}
	switch s.Kind {
	case Standard:
		test, err = s.standard(ds)
	case Interpolation:
		test = stream(s.Number, "interpolation").Perm(n)[:max(1, (n+5)/10)]
	case Stratified:
		test, err = s.stratified(ds)
	case Extrapolation:
		test, err = s.extrapolation(ds)
	case Lindinger:
		test, err = s.lindinger(ds)
	default:
		err = errors.New("unknown kind of split")
	}
	if err != nil {
		return nil, nil, err
	}
	test, err = ascending(test, n)
	if err != nil {
		return nil, nil, err
	}
	return complement(test, n), test, nil
}

// standard returns the official test rows.
func (s Split) standard(ds *Dataset) ([]int, error) {
	count := len(ds.TestRows)
	switch {
	case count == 0:
		return nil,
			errors.New("there are no standard splits; use interpolation:SEED, stratified:SEED, " +
				"random811:SEED, extrapolation:SEED or outputs:TARGET:SEED")
	case s.Number >= uint64(count):
		return nil, fmt.Errorf("there are %d standard splits, from standard:0 to standard:%d", count, count-1)
	}
	return ds.TestRows[s.Number], nil
}

// extrapolation projects the standardised inputs on a random Gaussian direction and returns the
// upper half of the rows (the smaller half if their number is odd). This is the extrapolation task
// of Lindinger et al., "Beyond the Mean-Field: Structured Deep Gaussian Processes Improve the
// Predictive Uncertainties", 2020, section 4, arXiv:2005.11110.
func (s Split) extrapolation(ds *Dataset) ([]int, error) {
	rng := stream(s.Number, "extrapolation")
	order, err := ds.alongDirection(func(float64) float64 { return rng.NormFloat64() })
	return order[(len(order)+1)/2:], err
}

// alongDirection returns all rows in the order of their standardised inputs along a direction. weight returns
// the entry of the direction for an input with a standard deviation; constant inputs have no effect. Ties
// keep the order of the rows.
func (ds *Dataset) alongDirection(weight func(sd float64) float64) ([]int, error) {
	n, d := ds.X.Dims()
	projection := make([]float64, n)
	for j := range d {
		mean, sd, ok := columnScale(ds.X, j)
		if !ok {
			return nil, fmt.Errorf("input %s spans too wide or too narrow a range to be standardised",
				ds.Inputs[j])
		}
		direction := weight(sd)
		if sd == 0 {
			continue
		}
		for i := range n {
			if v := ds.X.At(i, j); !math.IsNaN(v) { // a missing input counts as the mean
				projection[i] += direction * (v - mean) / sd
			}
		}
	}
	order := consecutive(n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(projection[a], projection[b]) })
	return order, nil
}

// validationRows draws a share of the training rows. It returns the remaining rows and the drawn
// rows, both ascending.
func validationRows(train []int, share float64, seed uint64) (rest, drawn []int) {
	if share == 0 {
		return train, nil
	}
	count := max(1, int(math.Round(share*float64(len(train)))))
	order := stream(seed, "validation").Perm(len(train))
	for _, i := range order[:min(count, len(order))] {
		drawn = append(drawn, train[i])
	}
	return separate(train, drawn)
}

// separate divides rows into those that are not drawn and those that are, both in the order of rows.
func separate(rows, drawn []int) (rest, chosen []int) {
	if len(drawn) == 0 {
		return rows, nil
	}
	isDrawn := make([]bool, slices.Max(rows)+1)
	for _, row := range drawn {
		isDrawn[row] = true
	}
	for _, row := range rows {
		if isDrawn[row] {
			chosen = append(chosen, row)
		} else {
			rest = append(rest, row)
		}
	}
	return rest, chosen
}

// ascending returns the rows in ascending order. It returns an error for a row outside 0 to n-1 and
// for duplicates.
func ascending(rows []int, n int) ([]int, error) {
	sorted := slices.Clone(rows)
	slices.Sort(sorted)
	for i, row := range sorted {
		if row < 0 || row >= n {
			return nil, fmt.Errorf("test row %d does not exist; there are %d rows", row, n)
		}
		if i > 0 && row == sorted[i-1] {
			return nil, fmt.Errorf("test row %d is named twice", row)
		}
	}
	return sorted, nil
}

// complement returns the rows from 0 to n-1 that are not in sorted.
func complement(sorted []int, n int) []int {
	rest := make([]int, 0, n-len(sorted))
	for row, next := 0, 0; row < n; row++ {
		if next < len(sorted) && sorted[next] == row {
			next++
			continue
		}
		rest = append(rest, row)
	}
	return rest
}
