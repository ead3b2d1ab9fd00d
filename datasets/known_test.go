package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/table"
)

// knownTable is a table of n rows with an input, a standard deviation, a weight and a target. Every third
// weight is 0.
func knownTable(n int) string {
	text := "x,err,w,y\n"
	for i := range n {
		text += fmt.Sprintf("%d.5,%g,%d,%d\n", i, 0.1*float64(1+i%4), i%3, i*i%17)
	}
	return text
}

func knownSource(items ...string) Source {
	choices, err := table.ParseChoices(items)
	if err != nil {
		panic(err)
	}
	return Source{Name: "a.csv", Targets: []string{"y:number"}, Columns: choices}
}

func readKnown(t *testing.T, text string, items ...string) *Dataset {
	t.Helper()
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), knownSource(items...))
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// The columns are no inputs, standard deviations are squared, and the training set has scaled variances and
// no row of weight 0.
func TestKnownNoiseAndWeights(t *testing.T) {
	ds := readKnown(t, knownTable(60), "noise=sd:err+learned", "weight=w")
	if !slices.Equal(ds.Inputs, []string{"x"}) || !ds.LearnedNoise || len(ds.Noise) != 60 {
		t.Errorf("inputs %q, learned %v, %d variances", ds.Inputs, ds.LearnedNoise, len(ds.Noise))
	}
	if got, want := ds.Noise[2], 0.1*3*(0.1*3); math.Abs(got-want) > 1e-15 {
		t.Errorf("the variance of row 2 is %v, want %v", got, want)
	}
	roles := map[string]string{"x": "input", "err": "known noise", "w": "weight", "y": "target"}
	for _, c := range ds.Columns.Columns {
		if c.Role.String() != roles[c.Name] {
			t.Errorf("column %s has the role %v, want %s", c.Name, c.Role, roles[c.Name])
		}
	}
	p, err := Prepare(ds, Split{Kind: Interpolation}, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	scale := p.Scaling.TargetSD[0]
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		for i, row := range part.Rows {
			want := ds.Noise[row] / (scale * scale)
			if math.Abs(part.Noise[i]-want) > 1e-12*want || part.Weights[i] != ds.Weights[row] {
				t.Errorf("row %d has the noise %v and the weight %v, want %v and %v",
					row, part.Noise[i], part.Weights[i], want, ds.Weights[row])
			}
		}
	}
	if slices.Min(p.Train.Weights) <= 0 {
		t.Error("the training set has a row of weight 0")
	}
	all := slices.Concat(p.Train.Rows, p.Validation.Rows, p.Test.Rows)
	if len(p.Train.Rows) >= 44 || len(all)-len(p.Train.Rows) != 6+11 {
		t.Errorf("%d of %d rows are for training, want fewer than the 43 that are not held out",
			len(p.Train.Rows), len(all))
	}
	whole := readKnown(t, knownTable(60), "weight=w", "ignore=err")
	if whole.Noise != nil || whole.Weights == nil || whole.LearnedNoise {
		t.Error("weights alone come with a known noise")
	}
}

// Errors name the line, the column and a remedy.
func TestKnownErrors(t *testing.T) {
	head := "x,err,w,y\n1,0.1,1,2\n2,0.2,2,4\n3,0.1,1,5\n"
	for _, c := range []struct {
		row   string
		items []string
		want  string
	}{
		{"4,0,1,7\n", []string{"noise=err"}, "a.csv, line 5, column 2 (err): the known noise variance 0 is " +
			"not positive; give a small number for an exact target"},
		{"4,-1,1,7\n", []string{"noise=sd:err"}, "a.csv, line 5, column 2 (err): the known noise standard " +
			"deviation -1 is not positive; give a small number for an exact target"},
		{"4,1e-200,1,7\n", []string{"noise=sd:err"}, "a.csv, line 5, column 2 (err): the known noise " +
			"standard deviation 1e-200 has no finite, positive variance"},
		{"4,,1,7\n", []string{"noise=err"}, "a.csv, line 5, column 2 (err): the cell is missing; give the " +
			"noise of the row, or delete the row"},
		{"4,1,-2,7\n", []string{"weight=w"}, "a.csv, line 5, column 3 (w): the weight -2 is negative; 0 " +
			"leaves a row out of training"},
		{"4,1,,7\n", []string{"weight=w"}, "a.csv, line 5, column 3 (w): the cell is missing; give the " +
			"weight of the row, 0 to leave it out of training"},
		{"4,1,1,7\n", []string{"noise=w", "weight=w"}, "a.csv, column 3 (w): a column cannot hold both the " +
			"known noise and the weights"},
		{"4,1,1,7\n", []string{"noise=y"}, "a.csv, column 4 (y): the target cannot be the known noise; " +
			"choose another target or another column"},
		{"4,1,1,7\n", []string{"noise=err", "log=err"},
			"a.csv, column 2 (err): a known noise has no logarithm"},
		{"4,1,1,7\n", []string{"noise=err", "log=y"}, "a.csv: a known noise is that of the target, not of " +
			"its logarithm; use one of the two, or a table with the logarithms and their noise"},
		{"4,1,1,7\n", []string{"noise=err", "categorical=err"}, "a.csv, column 2 (err): the column is a " +
			"category; a known noise needs numbers"},
	} {
		_, err := ReadCSV(context.Background(), strings.NewReader(head+c.row), knownSource(c.items...))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q with %q: %v, want %s", c.row, c.items, err, c.want)
		}
	}
	zeros := "x,w,y\n1,0,2\n2,0,4\n3,0,5\n"
	_, err := ReadCSV(context.Background(), strings.NewReader(zeros), knownSource("weight=w"))
	sum := "a.csv, column 2 (w): the sum of the column is 0; give a finite, positive one"
	if err == nil || err.Error() != sum {
		t.Errorf("weights of 0: %v, want %s", err, sum)
	}
	s := knownSource("noise=err")
	s.Split = Split{Kind: Group, Column: "err"}
	_, err = ReadCSV(context.Background(), strings.NewReader(head), s)
	divides := "a.csv, column 2 (err): a column that divides the rows cannot hold the known noise"
	if err == nil || err.Error() != divides {
		t.Errorf("a column with two uses: %v, want %s", err, divides)
	}
	s = knownSource("noise=err")
	s.Targets = []string{"y", "w"}
	_, err = ReadCSV(context.Background(), strings.NewReader(head), s)
	single := "a.csv: a known noise needs a single target, and there are 2"
	if err == nil || err.Error() != single {
		t.Errorf("two targets: %v, want %s", err, single)
	}
	var choices table.Choices
	if choices.Set("noise", "sd:+learned") == nil {
		t.Error("a known noise without a column is accepted")
	}
}

// New rows have their own noise, or none if the table lacks the column. They are read by the layout of a
// packed model as by that of its data.
func TestKnownNoiseOfNewRows(t *testing.T) {
	ds := readKnown(t, knownTable(60), "noise=sd:err", "weight=w")
	p, err := Prepare(ds, Split{Kind: Interpolation}, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Pack(ds, p))
	if err != nil {
		t.Fatal(err)
	}
	var packed Packed
	if err := json.Unmarshal(text, &packed); err != nil {
		t.Fatal(err)
	}
	if err := packed.Check(); err != nil {
		t.Fatal(err)
	}
	unpacked, parts := packed.Unpack(packed.StandIn())
	if err := packed.CheckRows(parts.Train); err != nil || len(parts.Train.Noise) != p.Train.Len() ||
		len(parts.Train.Weights) != p.Train.Len() {
		t.Errorf("the rows that stand in have %d variances and %d weights (%v)",
			len(parts.Train.Noise), len(parts.Train.Weights), err)
	}
	for _, from := range []*Dataset{ds, unpacked} {
		rows, err := NewRows(from, p.Scaling, "new.csv", strings.NewReader("err,x\n0.5,1\n2,3\n"))
		if err != nil {
			t.Fatal(err)
		}
		batch, err := rows.Next(context.Background(), 10)
		if err != nil {
			t.Fatal(err)
		}
		scale := p.Scaling.TargetSD[0]
		for i, want := range []float64{0.25 / (scale * scale), 4 / (scale * scale)} {
			if math.Abs(batch.Noise[i]-want) > 1e-12*want {
				t.Errorf("row %d has the noise %v, want %v", i, batch.Noise[i], want)
			}
		}
		rows, err = NewRows(from, p.Scaling, "new.csv", strings.NewReader("x\n1\n"))
		if err != nil || rows.LacksNoise() != "err" {
			t.Errorf("the table lacks %q, want err (%v)", rows.LacksNoise(), err)
		}
		rows, err = NewRows(from, p.Scaling, "new.csv", strings.NewReader("x,err\n1,0\n"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = rows.Next(context.Background(), 10)
		want := "new.csv, line 2, column 2 (err): the known noise standard deviation 0 is not positive; " +
			"give a small number for an exact target"
		if err == nil || err.Error() != want {
			t.Errorf("a noise of 0: %v, want %s", err, want)
		}
	}
}
