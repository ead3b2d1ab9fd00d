package datasets

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets/task"
)

// toy returns a data set of n rows with two official splits.
func toy(n int) *Dataset {
	rng := stream(7, "toy")
	ds := &Dataset{
		Name:    "toy",
		Inputs:  []string{"a", "b"},
		Targets: []string{"y"},
		X:       mat.NewDense(n, 2, nil),
		Y:       mat.NewDense(n, 1, nil),
	}
	for i := range n {
		ds.X.SetRow(i, []float64{100 + rng.NormFloat64(), 1e-3 * rng.Float64()})
		ds.Y.Set(i, 0, 50+10*rng.NormFloat64())
	}
	ds.TestRows = [][]int{{1, 3}, {0, 2, 4}}
	return ds
}

func mustPrepare(t *testing.T, ds *Dataset, split Split, validation float64, seed uint64) *Prepared {
	t.Helper()
	p, err := Prepare(ds, split, validation, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseSplit(t *testing.T) {
	for text, want := range map[string]Split{
		"standard:0": {Kind: Standard}, "standard:19": {Kind: Standard, Number: 19},
		"standard":        {Kind: Standard, Number: 0},
		"interpolation:7": {Kind: Interpolation, Number: 7}, "random811:12": {Kind: Random811, Number: 12},
		"random811":                            {Kind: Random811},
		" extrapolation:18446744073709551615 ": {Kind: Extrapolation, Number: math.MaxUint64},
		"outputs:Cd":                           {Kind: Outputs, Targets: "Cd"},
		"outputs:a b+2:3":                      {Kind: Outputs, Targets: "a b+2", Number: 3},
		"stratified:2":                         {Kind: Stratified, Number: 2},
		"group:site":                           {Kind: Group, Column: "site"},
		"group:site: a:4":                      {Kind: Group, Column: "site: a", Number: 4},
		"group:3":                              {Kind: Group, Column: "3"},
		"time:day":                             {Kind: Time, Column: "day"},
		"time:day:1.5":                         {Kind: Time, Column: "day", Gap: 1.5},
		"time:a:5:0":                           {Kind: Time, Column: "a:5"},
		"time:a:b":                             {Kind: Time, Column: "a:b"},
		"column:part:2":                        {Kind: Column, Column: "part:2"},
		"rows:a:b.json":                        {Kind: Listed, File: "a:b.json"},
	} {
		got, err := ParseSplit(text)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if again, err := ParseSplit(got.String()); err != nil || again != got {
			t.Errorf("%v does not read itself: %v, %v", got, again, err)
		}
	}
	for _, text := range []string{"", "standard:", "standard:-1", "standard:x", "interpolation:1.5",
		"random:1", "Standard:0", "standard:1:2", "outputs", "outputs:", "outputs::1", "outputs:Cd:x",
		"group", "group:", "group::1", "time", "time: :2", "column:", "rows", "rows: ", "stratified:x"} {
		if got, err := ParseSplit(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// TestPartsAreAPartition checks that every row is in exactly one part.
func TestPartsAreAPartition(t *testing.T) {
	for _, n := range []int{5, 20, 101} {
		ds := toy(n)
		for _, split := range []Split{{Kind: Standard, Number: 0},
			{Kind: Standard, Number: 1}, {Kind: Interpolation, Number: 0},
			{Kind: Interpolation, Number: 3},
			{Kind: Extrapolation, Number: 0}, {Kind: Extrapolation, Number: 5}} {
			for _, share := range []float64{0, 0.1, 0.3} {
				if n == 5 && share > 0 && split.Number == 1 {
					continue // two rows remain, which are too few
				}
				p := mustPrepare(t, ds, split, share, 4)
				var all []int
				for _, part := range []Part{p.Train, p.Validation, p.Test} {
					if !slices.IsSorted(part.Rows) {
						t.Errorf("%v: rows are not ascending: %v", split, part.Rows)
					}
					all = append(all, part.Rows...)
				}
				slices.Sort(all)
				if len(all) != n || len(slices.Compact(all)) != n {
					t.Errorf("n=%d, %v, share %v: the parts are no partition", n, split, share)
				}
				if (share == 0) != (len(p.Validation.Rows) == 0) {
					t.Errorf("share %v, %d validation rows", share, len(p.Validation.Rows))
				}
			}
		}
	}
}

func TestSplitSizes(t *testing.T) {
	ds := toy(1000)
	for _, c := range []struct {
		split                   Split
		train, validation, test int
	}{
		{Split{Kind: Standard, Number: 1}, 897, 100, 3},
		{Split{Kind: Interpolation, Number: 0}, 810, 90, 100},
		{Split{Kind: Extrapolation, Number: 0}, 450, 50, 500},
		{Split{Kind: Random811, Number: 0}, 800, 100, 100},
	} {
		p := mustPrepare(t, ds, c.split, 0.1, 0)
		if len(p.Train.Rows) != c.train || len(p.Validation.Rows) != c.validation ||
			len(p.Test.Rows) != c.test {
			t.Errorf("%v: %d + %d + %d rows, want %d + %d + %d", c.split,
				len(p.Train.Rows), len(p.Validation.Rows), len(p.Test.Rows), c.train, c.validation, c.test)
		}
	}
}

// The parts of random811 do not depend on the validation share or the seed of the run. Sizes that
// are not multiples of ten are rounded.
func TestRandom811(t *testing.T) {
	for n, want := range map[int][3]int{
		1000: {800, 100, 100}, 506: {405, 50, 51}, 11: {9, 1, 1}, 10: {8, 1, 1},
	} {
		ds := toy(n)
		a := mustPrepare(t, ds, Split{Kind: Random811, Number: 4}, 0, 1)
		b := mustPrepare(t, ds, Split{Kind: Random811, Number: 4}, 0.3, 2)
		c := mustPrepare(t, ds, Split{Kind: Random811, Number: 5}, 0, 1)
		parts := func(p *Prepared) [][]int { return [][]int{p.Train.Rows, p.Validation.Rows, p.Test.Rows} }
		seen := make([]int, n)
		for i, rows := range parts(a) {
			if len(rows) != want[i] || !slices.IsSorted(rows) || !slices.Equal(rows, parts(b)[i]) {
				t.Errorf("n=%d, part %d: %v, with another share and seed %v; want %d rows",
					n, i, rows, parts(b)[i], want[i])
			}
			for _, row := range rows {
				seen[row]++
			}
		}
		if slices.ContainsFunc(seen, func(times int) bool { return times != 1 }) {
			t.Errorf("n=%d: the parts are no partition: %v", n, seen)
		}
		if n > 100 && slices.Equal(a.Test.Rows, c.Test.Rows) {
			t.Errorf("n=%d: another number, the same test part", n)
		}
	}
	if _, err := Prepare(toy(4), Split{Kind: Random811}, 0, 0); err == nil ||
		!strings.Contains(err.Error(), "too few rows") {
		t.Errorf("four rows: %v", err)
	}
}

func TestSeeds(t *testing.T) {
	ds := toy(200)
	for _, kind := range []SplitKind{Interpolation, Extrapolation} {
		a := mustPrepare(t, ds, Split{Kind: kind, Number: 1}, 0.1, 5)
		b := mustPrepare(t, ds, Split{Kind: kind, Number: 1}, 0.1, 5)
		if !slices.Equal(a.Test.Rows, b.Test.Rows) || !slices.Equal(a.Validation.Rows, b.Validation.Rows) ||
			!mat.Equal(a.Train.X, b.Train.X) {
			t.Errorf("%v: same seeds, different parts", kind)
		}
		if c := mustPrepare(t, ds, Split{Kind: kind, Number: 2}, 0.1,
			5); slices.Equal(a.Test.Rows, c.Test.Rows) {
			t.Errorf("%v: another seed, the same test part", kind)
		}
		c := mustPrepare(t, ds, Split{Kind: kind, Number: 1}, 0.1, 6)
		if slices.Equal(a.Validation.Rows, c.Validation.Rows) {
			t.Errorf("%v: another seed, the same validation part", kind)
		}
		if !slices.Equal(a.Test.Rows, c.Test.Rows) {
			t.Errorf("%v: the seed of the run changes the test part", kind)
		}
	}
}

// TestExtrapolationSeparates checks that a direction separates the training set from the test set.
// No direction separates random parts of 200 rows in two dimensions.
func TestExtrapolationSeparates(t *testing.T) {
	p := mustPrepare(t, toy(200), Split{Kind: Extrapolation, Number: 3}, 0, 0)
	for angle := 0.0; angle < 2*math.Pi; angle += 0.005 {
		side := func(part Part) (lo, hi float64) {
			lo = math.Inf(1)
			hi = math.Inf(-1)
			for i := range part.Rows {
				v := math.Cos(angle)*part.X.At(i, 0) + math.Sin(angle)*part.X.At(i, 1)
				lo = min(lo, v)
				hi = max(hi, v)
			}
			return lo, hi
		}
		_, top := side(p.Train)
		bottom, _ := side(p.Test)
		if top <= bottom+0.02 {
			return
		}
	}
	t.Error("no direction separates the parts")
}

func TestStandardisedByTrainingSet(t *testing.T) {
	ds := toy(100)
	before := mat.DenseCopyOf(ds.X)
	p := mustPrepare(t, ds, Split{Kind: Interpolation, Number: 0}, 0.2, 1)
	for j := range 2 {
		column := mat.Col(nil, j, p.Train.X)
		mean, sd := stat.PopMeanStdDev(column, nil)
		if math.Abs(mean) > 1e-12 || math.Abs(sd-1) > 1e-12 {
			t.Errorf("training input %d has mean %v and sd %v", j, mean, sd)
		}
		if mean, _ := stat.PopMeanStdDev(mat.Col(nil, j, p.Test.X), nil); math.Abs(mean) < 1e-6 {
			t.Errorf("test input %d has mean %v: it was scaled by itself", j, mean)
		}
	}
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		for i, row := range part.Rows {
			for j, v := range part.X.RawRowView(i) {
				got, want := p.Scaling.Input(j, v), ds.X.At(row, j)
				if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
					t.Fatalf("input %d of row %d: %v became %v in original units", j, row, want, got)
				}
			}
		}
	}
	if !mat.Equal(before, ds.X) {
		t.Error("the data set was changed")
	}
}

func TestConstantInputIsKept(t *testing.T) {
	ds := toy(50)
	for i := range 50 {
		ds.X.Set(i, 1, 0.998) // the computed standard deviation of such a column is not exactly zero
	}
	p := mustPrepare(t, ds, Split{Kind: Interpolation, Number: 0}, 0.1, 1)
	want := []string{"input b is constant in the training set: kept with scale 1"}
	if p.Scaling.InputSD[1] != 1 || !slices.Equal(p.Warnings, want) {
		t.Errorf("sd %v, warnings %q", p.Scaling.InputSD[1], p.Warnings)
	}
	for i := range p.Test.Rows {
		if p.Test.X.At(i, 1) != 0 {
			t.Fatalf("constant input is %v after scaling", p.Test.X.At(i, 1))
		}
	}
}

func TestColumnScale(t *testing.T) {
	cases := []struct {
		column   []float64
		mean, sd float64
		ok       bool
	}{
		{[]float64{1, 2, 3, 4}, 2.5, math.Sqrt(1.25), true},
		{[]float64{5, 5, 5}, 5, 0, true},
		{[]float64{0, 0}, 0, 0, true},
		{[]float64{1e9, 1e9 + 1, 1e9 + 2}, 1e9 + 1, math.Sqrt(2.0 / 3), true}, // a time stamp is not constant
		{[]float64{1, 1 + 4e-16, 1 - 4e-16}, 1, 0, true},
		{[]float64{1e200, -1e200}, 0, 1e200, true}, // squares overflow
		{[]float64{1e-200, -1e-200}, 0, 1e-200, true},
		{[]float64{1.7e308, -1.7e308, 0}, 0, 0, false},
		{[]float64{1e-310, -1e-310}, 0, 0, false}, // the inverse overflows
	}
	for _, c := range cases {
		mean, sd, ok := columnScale(mat.NewDense(len(c.column), 1, c.column), 0)
		if ok != c.ok || ok && (math.Abs(mean-c.mean) > 1e-9*max(1, c.sd) || math.Abs(sd-c.sd) > 1e-12*c.sd) {
			t.Errorf("%v: mean %v, sd %v, ok %v", c.column, mean, sd, ok)
		}
	}
}

func TestBinaryTargetsAreNotScaled(t *testing.T) {
	ds := toy(50)
	ds.Task = task.Binary
	for i := range 50 {
		ds.Y.Set(i, 0, float64(2*(i%2)-1))
	}
	p := mustPrepare(t, ds, Split{Kind: Interpolation, Number: 0}, 0.1, 1)
	if p.Task != task.Binary || p.Scaling.TargetMean[0] != 0 || p.Scaling.TargetSD[0] != 1 ||
		math.Abs(p.Train.Y.At(0, 0)) != 1 {
		t.Errorf("task %v, scaling %+v, first target %v", p.Task, p.Scaling, p.Train.Y.At(0, 0))
	}
}

func TestPrepareErrors(t *testing.T) {
	oneClass := toy(20)
	oneClass.Task = task.Binary
	constant := toy(20)
	wild := toy(20)
	wild.X.Set(0, 0, 1.7e308)
	wild.X.Set(1, 0, -1.7e308)
	wild.TestRows = [][]int{{2}}
	far := toy(20)
	far.X.Set(3, 1, 1e306)
	for i := range 20 {
		oneClass.Y.Set(i, 0, 1)
		constant.Y.Set(i, 0, 3)
	}
	constant.Y.Set(1, 0, 4) // a test row of standard:0
	unofficial := toy(20)
	unofficial.TestRows = nil
	wrong := toy(20)
	wrong.TestRows = [][]int{{1, 20}, {2, 2}}
	cases := []struct {
		ds         *Dataset
		split      Split
		validation float64
		want       string
	}{
		{toy(20), Split{Kind: Standard, Number: 2}, 0.1,
			"data set toy, split standard:2: there are 2 standard splits, from standard:0 to standard:1"},
		{unofficial, Split{Kind: Standard, Number: 0}, 0.1,
			"no standard splits; use interpolation:SEED, stratified:SEED, random811:SEED, " +
				"extrapolation:SEED or outputs:TARGET:SEED"},
		{toy(20), Split{Kind: Standard, Number: 0}, 1, "validation share 1: want at least 0 and less than 1"},
		{toy(20), Split{Kind: Standard, Number: 0}, -0.1, "validation share -0.1"},
		{toy(20), Split{Kind: Standard, Number: 0}, math.NaN(), "validation share NaN"},
		{toy(20), Split{Kind: Standard, Number: 0}, 0.99,
			"too few rows: of 20 rows, 0 are left for training, 18 for validation and 2 for testing"},
		{toy(2), Split{Kind: Interpolation, Number: 0}, 0,
			"too few rows: of 2 rows, 1 are left for training"},
		{constant, Split{Kind: Standard, Number: 0}, 0,
			"target y is constant (3) in the training set of this split"},
		{oneClass, Split{Kind: Standard, Number: 0}, 0,
			"target y has only one class in the training set of this split"},
		{far, Split{Kind: Standard, Number: 0}, 0,
			"row 4 is too far from the training set to be standardised"},
		{wild, Split{Kind: Standard, Number: 0}, 0, "input a spans too wide or too narrow a range"},
		{wild, Split{Kind: Extrapolation, Number: 1}, 0, "input a spans too wide or too narrow a range"},
		{wrong, Split{Kind: Standard, Number: 0}, 0, "test row 20 does not exist; there are 20 rows"},
		{wrong, Split{Kind: Standard, Number: 1}, 0, "test row 2 is named twice"},
		{toy(20), Split{Kind: SplitKind(99), Number: 1}, 0, "unknown kind of split"},
	}
	for _, c := range cases {
		if _, err := Prepare(c.ds, c.split, c.validation, 1); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.split, err, c.want)
		}
	}
}

func TestDefaultSplit(t *testing.T) {
	if got := DefaultSplit(toy(20)); got != (Split{Kind: Standard, Number: 0}) {
		t.Errorf("with official splits: %v", got)
	}
	ds, err := Load(context.Background(), Source{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	if got := DefaultSplit(ds); got != (Split{Kind: Interpolation, Number: 0}) {
		t.Errorf("without: %v", got)
	}
}
