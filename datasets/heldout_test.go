package datasets

import (
	"math"
	"slices"
	"testing"
)

// Models that need complete rows, or that accept only one target, are tested on the same points as
// any other model.
func TestForFamiliesWithoutMissingTargets(t *testing.T) {
	ds, split := soil(t), Split{Kind: Outputs, Targets: "Cd"}
	for _, c := range []struct {
		outputs, missing bool
		rows             []int
		targets          []string
		uses             string
	}{
		{true, true, []int{0, 1, 2, 4, 5, 6, 7}, ds.Targets, ""},
		{false, true, []int{0, 1, 2, 4, 5, 6, 7}, ds.Targets, ""},
		{true, false, []int{0, 1, 4, 5}, ds.Targets, "the rows that have Cd"},
		{false, false, []int{0, 1, 4, 5}, []string{"Cd"}, "Cd alone"},
	} {
		used, err := ds.For(split, c.outputs, c.missing)
		if err != nil {
			t.Fatal(err)
		}
		p := mustPrepare(t, used, split, 0, 0)
		if !slices.Equal(p.Train.Rows, c.rows) || !slices.Equal(p.Test.Rows, []int{6, 7}) ||
			!slices.Equal(used.Targets, c.targets) || used.Uses != c.uses {
			t.Errorf("%+v: trained on %v of %v, tested on %v; uses %q",
				c, p.Train.Rows, used.Targets, p.Test.Rows, used.Uses)
		}
		if p.Scaling.TargetMean[0] != 3.5 {
			t.Errorf("%+v: the mean of Cd is %v", c, p.Scaling.TargetMean[0])
		}
	}
	for _, s := range []Split{{Kind: Standard}, {Kind: Outputs, Targets: "Cd+Ni+Zn"}} {
		if used, err := ds.For(s, true, false); err != nil || used != ds {
			t.Errorf("%v: %+v, %v", s, used, err)
		}
	}
}

// Validation rows are treated like test rows.
func TestValidationOfHeldOutOutputs(t *testing.T) {
	ds, split := soil(t), Split{Kind: Outputs, Targets: "Cd"}
	p := mustPrepare(t, ds, split, 0.2, 1)
	if len(p.Train.Rows) != 7 || len(p.Validation.Rows) == 0 {
		t.Fatalf("rows %v, %v", p.Train.Rows, p.Validation.Rows)
	}
	for i, row := range p.Validation.Rows {
		y := p.Validation.Y.RawRowView(i)
		train := p.Train.Y.RawRowView(slices.Index(p.Train.Rows, row))
		if math.IsNaN(y[0]) || !math.IsNaN(y[1]) || !math.IsNaN(train[0]) ||
			math.IsNaN(train[1]) && math.IsNaN(train[2]) {
			t.Errorf("row %d: %v for validation, %v for training", row, y, train)
		}
	}
	ds.WholeRows = true
	whole := mustPrepare(t, ds, split, 0.2, 1)
	if !slices.Equal(whole.Validation.Rows, p.Validation.Rows) ||
		len(whole.Train.Rows)+len(p.Validation.Rows)+len(p.Test.Rows) != 6 {
		t.Errorf("whole rows: %v, %v", whole.Train.Rows, whole.Validation.Rows)
	}
}

func TestNamesOfSplits(t *testing.T) {
	ds := soil(t)
	for text, want := range map[string]string{
		"outputs:Zn+0:3": "outputs:Cd+Zn:3", "outputs:Ni+1": "outputs:Ni:0", "standard:2": "standard:2",
	} {
		s, err := ParseSplit(text)
		if err == nil {
			s, err = s.Named(ds)
		}
		if err != nil || s.String() != want {
			t.Errorf("%s is %v, %v", text, s, err)
		}
	}
	if _, err := (Split{Kind: Outputs, Targets: "Hg"}).Named(ds); err == nil ||
		err.Error() != `data set soil.csv, split outputs:Hg:0: no target "Hg"; the targets are Cd, Ni, Zn` {
		t.Errorf("an unknown target: %v", err)
	}
	if _, err := ds.For(Split{Kind: Outputs, Targets: "Hg"}, true, false); err == nil ||
		err.Error() != `no target "Hg"; the targets are Cd, Ni, Zn` {
		t.Errorf("the data for an unknown target: %v", err)
	}
}
