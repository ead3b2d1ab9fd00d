package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
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
)

// splitNames are the names accepted by ParseSplit.
var splitNames = [...]string{
	Standard:      "standard",
	Interpolation: "interpolation",
	Extrapolation: "extrapolation",
	Random811:     "random811",
	Outputs:       "outputs",
}

// splitForms describes the input of ParseSplit.
const splitForms = "standard:K, interpolation:SEED, random811:SEED, extrapolation:SEED or outputs:TARGET:K"

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
}

// String returns the form that ParseSplit accepts, for example "standard:3".
func (s Split) String() string {
	if s.Kind == Outputs {
		return fmt.Sprintf("%v:%s:%d", s.Kind, s.Targets, s.Number)
	}
	return fmt.Sprintf("%v:%d", s.Kind, s.Number)
}

// ParseSplit parses "standard:K", "interpolation:SEED", "random811:SEED", "extrapolation:SEED" or
// "outputs:TARGET+TARGET:K". The number is optional and defaults to 0.
func ParseSplit(text string) (Split, error) {
	word, number, numbered := strings.Cut(strings.TrimSpace(text), ":")
	for i, name := range splitNames {
		kind := SplitKind(i)
		if word != name {
			continue
		}
		if kind == Outputs {
			return parseOutputs(text, number)
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

// DefaultSplit returns standard:0 for a data set with official splits, otherwise interpolation:0.
func DefaultSplit(ds *Dataset) Split { return defaultSplit(len(ds.TestRows)) }

// DefaultSplit returns the default split of the data set without loading it.
func (i Info) DefaultSplit() Split { return defaultSplit(i.Splits) }

func defaultSplit(official int) Split {
	if official > 0 {
		return Split{Kind: Standard}
	}
	return Split{Kind: Interpolation}
}

// parts returns the rows of the training, validation and test set, each ascending. They form a
// partition of all rows. Unless the split has its own validation set, a share of the rows outside
// the test set is drawn with seed.
func (s Split) parts(ds *Dataset, share float64, seed uint64) (train, validation, test []int, err error) {
	if s.Kind == Random811 {
		n, _ := ds.X.Dims()
		train, validation, test = s.tenths(n)
		return train, validation, test, nil
	}
	train, test, err = s.rows(ds)
	if err != nil {
		return nil, nil, nil, err
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
		s.Kind = DefaultSplit(ds).Kind
	}
	switch s.Kind {
	case Standard:
		test, err = s.standard(ds)
	case Interpolation:
		test = stream(s.Number, "interpolation").Perm(n)[:max(1, (n+5)/10)]
	case Extrapolation:
		test, err = s.extrapolation(ds)
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
			errors.New("there are no standard splits; use interpolation:SEED, random811:SEED, " +
				"extrapolation:SEED or outputs:TARGET:SEED")
	case s.Number >= uint64(count):
		return nil, fmt.Errorf("there are %d standard splits, from standard:0 to standard:%d", count, count-1)
	}
	return ds.TestRows[s.Number], nil
}

// extrapolation projects the standardised inputs on a random Gaussian direction and returns the
// upper half of the rows (the smaller half if their number is odd). This is the extrapolation task
// of Lindinger et al., "Beyond the Mean-Field: Structured Deep Gaussian Processes Improve the
// Predictive Uncertainties", 2020, section 4, arXiv:2005.11110. Ties keep the order of the rows.
func (s Split) extrapolation(ds *Dataset) ([]int, error) {
	n, d := ds.X.Dims()
	rng := stream(s.Number, "extrapolation")
	projection := make([]float64, n)
	for j := range d {
		direction := rng.NormFloat64()
		mean, sd, ok := columnScale(ds.X, j)
		if !ok {
			return nil, fmt.Errorf("input %s spans too wide or too narrow a range to be standardised",
				ds.Inputs[j])
		}
		if sd == 0 {
			continue
		}
		for i := range n {
			if v := ds.X.At(i, j); !math.IsNaN(v) { // a missing input counts as the mean
				projection[i] += direction * (v - mean) / sd
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(projection[a], projection[b]) })
	return order[(n+1)/2:], nil
}

// validationRows draws a share of the training rows. It returns the remaining rows and the drawn
// rows, both ascending.
func validationRows(train []int, share float64, seed uint64) (rest, drawn []int) {
	if share == 0 {
		return train, nil
	}
	count := max(1, int(math.Round(share*float64(len(train)))))
	order := stream(seed, "validation").Perm(len(train))
	isDrawn := make([]bool, len(train))
	for _, i := range order[:min(count, len(order))] {
		isDrawn[i] = true
	}
	for i, row := range train {
		if isDrawn[i] {
			drawn = append(drawn, row)
		} else {
			rest = append(rest, row)
		}
	}
	return rest, drawn
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
