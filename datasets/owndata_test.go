package datasets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// readWith reads a CSV string with choices such as "missing=drop". Items that begin with target=
// name targets.
func readWith(t *testing.T, text string, items ...string) (*Dataset, error) {
	t.Helper()
	s := Source{Name: "f.csv"}
	var chosen []string
	for _, item := range items {
		if word, ok := strings.CutPrefix(item, "target="); ok {
			s.Targets = append(s.Targets, word)
		} else {
			chosen = append(chosen, item)
		}
	}
	var err error
	s.Columns, err = table.ParseChoices(chosen)
	if err != nil {
		t.Fatal(err)
	}
	return ReadCSV(context.Background(), strings.NewReader(text), s)
}

// TestOwnData reads tables that are typical of users and hard to read.
func TestOwnData(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name, text string
		items      []string
		inputs     string
		x, y       []float64
	}{
		{"decimal commas", "a;b\n1,5;2\n2,25;3,5\n", nil, "a", []float64{1.5, 2.25}, []float64{2, 3.5}},
		{"decimal commas and blanks", "a b\n1,5 2\n2,25 3,5\n", nil, "a",
			[]float64{1.5, 2.25}, []float64{2, 3.5}},
		{"decimal commas and points for thousands", "a;b\n1.234,5;2\n12.345;3,5\n", nil, "a",
			[]float64{1234.5, 12345}, []float64{2, 3.5}},
		{"decimal commas without a header", "1,5;2\n2,5;3\n", nil, "x1",
			[]float64{1.5, 2.5}, []float64{2, 3}},
		{"decimal commas in quotes", "a,b\n\"1,5\",2\n\"2,25\",3\n", nil, "a",
			[]float64{1.5, 2.25}, []float64{2, 3}},
		{"commas for thousands", "a,b\n\"1,234,567\",2\n\"1,234\",3\n", nil, "a",
			[]float64{1234567, 1234}, []float64{2, 3}},
		{"commas for thousands beside points", "a,b\n\"1,234\",0.5\n\"12,345\",3\n", nil, "a",
			[]float64{1234, 12345}, []float64{0.5, 3}},
		{"other thousands", "a;b\n1 234,5;2\n1'234'567;3\n1\u202f234;4\n", nil, "a",
			[]float64{1234.5, 1234567, 1234}, []float64{2, 3, 4}},
		{"thousands answered", "a,b\n\"1,234\",2\n\"5,678\",3\n", []string{"thousands=comma"}, "a",
			[]float64{1234, 5678}, []float64{2, 3}},
		{"decimals answered", "a,b\n\"1,234\",2\n\"5,678\",3\n", []string{"decimal=comma"}, "a",
			[]float64{1.234, 5.678}, []float64{2, 3}},
		{"points answered", "a;b\n1.234;2\n5.678;3\n", []string{"thousands=point"}, "a",
			[]float64{1234, 5678}, []float64{2, 3}},
		{"three decimals", "a;b\n1.234;2\n0.678;3\n", nil, "a", []float64{1.234, 0.678}, []float64{2, 3}},
		{"bars", "a|b\n1|2\n2|3\n", nil, "a", []float64{1, 2}, []float64{2, 3}},
		{"empty cells and NA", "a,b,c\n1,2,3\n,5,6\n7,NA,9\n10,11,12\n", []string{"missing=drop"}, "a b",
			[]float64{1, 2, 10, 11}, []float64{3, 12}},
		{"the mean", "a,c\n1,3\nn/a,6\n7,9\n-,?\n", []string{"missing=mean"}, "a",
			[]float64{1, nan, 7, nan}, []float64{3, 6, 9, nan}},
		{"booleans", "a,b,c\nyes,True,1\nNO,false,2\nYes,TRUE,3\n", nil, "a b",
			[]float64{1, 1, 0, 0, 1, 1}, []float64{1, 2, 3}},
		{"German booleans", "a,y\nja,1\nNein,2\nJA,3\n", nil, "a", []float64{1, 0, 1}, []float64{1, 2, 3}},
		{"French booleans", "a,y\nnon,1\nOui,2\nnon,3\n", nil, "a", []float64{0, 1, 0}, []float64{1, 2, 3}},
		{"Spanish and Italian booleans", "a,b,c,y\nsi,sí,no,1\nNo,no,Sì,2\nSi,SÍ,no,3\n", nil, "a b c",
			[]float64{1, 1, 0, 0, 0, 1, 1, 1, 0}, []float64{1, 2, 3}},
		{"two languages", "a,y\nja,1\nno,2\nja,3\n", nil, "a=no", []float64{0, 1, 0}, []float64{1, 2, 3}},
		{"categories", "c,y\nred,1\nblue,2\ngreen,3\nred,4\n", nil, "c=blue c=green c=red",
			[]float64{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 2, 3, 4}},
		{"two levels", "c,y\nred,1\nblue,2\nred,4\n", nil, "c=red", []float64{1, 0, 1}, []float64{1, 2, 4}},
		{"categories of numbers", "zip,y\n01,1\n2,2\n01,4\n10,5\n", []string{"categorical=zip"},
			"zip=01 zip=2 zip=10", []float64{1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}, []float64{1, 2, 4, 5}},
		{"a missing category", "c,y\nred,1\n,2\nblue,3\nred,4\n", []string{"missing=mean"}, "c=red",
			[]float64{1, nan, 0, 1}, []float64{1, 2, 3, 4}},
		{"days", "d,y\n1970-01-02,1\n2000-02-29,2\n", nil, "d", []float64{1, 11016}, []float64{1, 2}},
		{"times", "d,y\n1970-01-01T00:01:00Z,1\n1970-01-02 01:00:00.5+01:00,2\n", nil, "d",
			[]float64{60, 86400.5}, []float64{1, 2}},
		{"day first", "d,y\n31/12/1970,1\n01/02/1970,2\n", nil, "d", []float64{364, 31}, []float64{1, 2}},
		{"month first", "d,y\n12/31/1970,1\n01/02/1970,2\n", nil, "d", []float64{364, 1}, []float64{1, 2}},
		{"dotted", "d;y\n31.12.1970;1\n1.2.1970;2\n", nil, "d", []float64{364, 31}, []float64{1, 2}},
		{"order answered", "d,y\n01/02/1970,1\n02/02/1970,2\n", []string{"dates=dmy"}, "d",
			[]float64{31, 32}, []float64{1, 2}},
		{"named months", "d,y\n2 Jan 1970,1\n1 Feb 1970,2\n", nil, "d", []float64{1, 31}, []float64{1, 2}},
		{"a target in the middle", "a,y,b\n1,2,3\n4,5,6\n", []string{"target=y"}, "a b",
			[]float64{1, 3, 4, 6}, []float64{2, 5}},
		{"names of rows", "id,a,y\nu1,1,2\nu2,3,4\nu3,5,6\n", nil, "a",
			[]float64{1, 3, 5}, []float64{2, 4, 6}},
		{"ignored", "a,b,y\n1,x,2\n3,4,5\n", []string{"ignore=b"}, "a", []float64{1, 3}, []float64{2, 5}},
		{"ignored last", "a,y,b\n1,2,x\n3,4,5\n", []string{"ignore=-1"}, "a",
			[]float64{1, 3}, []float64{2, 4}},
		{"an empty column", "a,b,y\n1,,2\n3,,5\n", nil, "a", []float64{1, 3}, []float64{2, 5}},
		{"logarithm", "a,y\n1,2\n100,5\n", []string{"log=a"}, "log(a)",
			[]float64{0, math.Log(100)}, []float64{2, 5}},
		{"answered as numbers", "a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6,2\n", []string{"target=y:number"}, "a",
			[]float64{1, 2, 3, 4, 5, 6}, []float64{0, 1, 2, 0, 1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ds, err := readWith(t, tt.text, tt.items...)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ds.Inputs, " "); got != tt.inputs {
				t.Errorf("inputs %s, want %s", got, tt.inputs)
			}
			if x := ds.X.RawMatrix().Data; !slices.EqualFunc(x, tt.x, same) {
				t.Errorf("X %v, want %v", x, tt.x)
			}
			if y := ds.Y.RawMatrix().Data; !slices.EqualFunc(y, tt.y, same) || ds.Task != task.Regression {
				t.Errorf("Y %v, want %v; task %v", y, tt.y, ds.Task)
			}
		})
	}
}

// TestOwnClasses reads targets with labels of every kind.
func TestOwnClasses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		items      []string
		task       task.Task
		classes    string
		y          []float64
	}{
		{"yes and no", "a,y\n1,Yes\n2,No\n3,YES\n", nil, task.Binary, "No Yes", []float64{1, -1, 1}},
		{"zero and one", "a,y\n1,0\n2,1\n3,1\n", nil, task.Binary, "0 1", []float64{-1, 1, 1}},
		{"one and two", "a,y\n1,1\n2,2\n3,1\n", nil, task.Binary, "1 2", []float64{-1, 1, -1}},
		{"texts", "a,y\n1,cat\n2,dog\n3,cat\n", nil, task.Binary, "cat dog", []float64{-1, 1, -1}},
		{"three numbers", "a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6,2\n", []string{"target=y:class"}, task.Multiclass,
			"0 1 2", []float64{0, 1, 2, 0, 1, 2}},
		{"by force", "a,y\n1,0\n2,1\n3,2\n", []string{"categorical=y"}, task.Multiclass,
			"0 1 2", []float64{0, 1, 2}},
		{"a dropped row", "a,y\n1,cat\n,dog\n3,bird\n4,cat\n", []string{"missing=drop"}, task.Binary,
			"bird cat", []float64{1, -1, 1}},
	} {
		ds, err := readWith(t, tt.text, tt.items...)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := strings.Join(ds.Classes, " "); ds.Task != tt.task || got != tt.classes ||
			!slices.Equal(ds.Y.RawMatrix().Data, tt.y) {
			t.Errorf("%s: %v of %s: %v", tt.name, ds.Task, got, ds.Y.RawMatrix().Data)
		}
	}
}

// TestOwnQuestions reads ambiguous tables: every question offers both answers, and each answer is
// accepted.
func TestOwnQuestions(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       string
	}{
		{"commas", "a,b\n\"1,234\",2\n\"5,678\",3\n",
			`f.csv, line 2, column 1 (a): "1,234" may be 1.234 or 1234; use --decimal comma or --thousands ` +
				`comma`},
		{"points", "a;b\n1;2\n5.678;3\n",
			`f.csv, line 3, column 1 (a): "5.678" may be 5.678 or 5678; use --decimal point or --thousands ` +
				`point`},
		{"days", "d,y\n01/02/1970,1\n02/02/1970,2\n",
			"f.csv, column 1 (d): dates such as 03/04/2021 may begin with the day or with the month; use " +
				"--dates dmy or --dates mdy"},
		{"whole numbers", "a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6,2\n",
			"f.csv, column 2 (y): the target has 3 different whole numbers (0, 1, 2), which may be " +
				"classes, numbers or counts; use --target y:class, --target y:number or --target y:count"},
	} {
		_, err := readWith(t, tt.text)
		var trouble *table.Error
		if !errors.As(err, &trouble) || err.Error() != tt.want || trouble.Question == nil {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
			continue
		}
		for _, a := range trouble.Question.Answers {
			item := a.Item
			if a.Target != "" {
				item = "target=" + a.Target
			}
			if _, err := readWith(t, tt.text, item); err != nil {
				t.Errorf("%s, %s: %v", tt.name, item, err)
			}
		}
	}
}

// TestOwnErrors checks errors and their remedies.
func TestOwnErrors(t *testing.T) {
	var cities strings.Builder
	for i := range 120 {
		cities.WriteString(strings.Repeat("x", i%60+1) + "," + strings.Repeat("1", i%7+1) + "\n")
	}
	for _, tt := range []struct {
		name, text string
		items      []string
		want       string
	}{
		{"a text among numbers", "a,b\n1,2\nx,3\n5,6\n", nil,
			`f.csv, line 3, column 1 (a): "x" is not a number; --categorical a reads the column as a ` +
				`category, --ignore a ignores it`},
		{"points and commas", "a;b\n1,5;0.5\n2;3\n", nil,
			`f.csv, line 2, column 1 (a): "1,5" is not a number`},
		{"a name of two words", "unit price,b\n1,2\nx,3\n", nil,
			`--categorical 0 reads the column as a category, --ignore 0 ignores it`},
		{"a name twice", "a,a,b\n1,2,2\n1,x,3\n", nil, `--categorical a.1 reads`},
		{"levels", cities.String(), []string{"target=1:number"},
			"f.csv, column 1 (x1): the category has 60 levels, more than 50; --levels 60 allows them, " +
				"--ignore x1 ignores it"},
		{"a logarithm", "a,b\n1,2\n0,3\n", []string{"log=a"},
			"f.csv, line 3, column 1 (a): 0 has no logarithm"},
		{"a logarithm of a category", "a,b\nx,2\ny,3\nx,4\n", []string{"log=a"},
			"the input is a category, which has no logarithm"},
		{"logarithms of some targets", "a,b,c\n1,2,3\n2,3,4\n", []string{"log=b", "target=b", "target=c"},
			"of all targets or of none"},
		{"no such column", "a,b\n1,2\n2,3\n", []string{"ignore=z"},
			`f.csv: no column "z"; the columns are a, b`},
		{"the target ignored", "a,b\n1,2\n2,3\n", []string{"ignore=b", "target=b"},
			"f.csv, column 2 (b): the target is ignored"},
		{"nothing left", "a,b\nx,2\ny,3\n", nil,
			"f.csv: no column is an input; at least one is needed"},
		{"no whole row", "a,b\n,2\n,3\n1,\n", []string{"missing=drop"}, "of 3 rows, 1 have all inputs"},
		{"texts as numbers", "a,y\n1,u\n2,v\n3,u\n", []string{"target=y:number"},
			"the cells are not numbers; --target y:class treats them as classes"},
	} {
		if _, err := readWith(t, tt.text, tt.items...); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
	if ds, err := readWith(t, cities.String(), "target=1:number", "levels=60"); err != nil ||
		len(ds.Inputs) != 60 {
		t.Errorf("more levels: %v", err)
	}
}

// TestMeanInputs checks that missing inputs become the mean of the training set.
func TestMeanInputs(t *testing.T) {
	ds, err := readWith(t, "a,c,y\n1,u,1\n,v,2.5\n3,,3\n4,w,4\n100,u,5\n", "missing=mean")
	if err != nil {
		t.Fatal(err)
	}
	ds.TestRows = [][]int{{4}}
	p := mustPrepare(t, ds, Split{Kind: Standard}, 0, 0)
	x := mat.DenseCopyOf(p.Train.X)
	x.Apply(func(_, j int, v float64) float64 { return p.Scaling.Input(j, v) }, x)
	closeTo(t, x, []float64{1, 1, 0, 0, 8. / 3, 0, 1, 0, 3, 1. / 3, 1. / 3, 1. / 3, 4, 0, 0, 1})
	if _, err := Prepare(ds, Split{Kind: Extrapolation}, 0, 0); err != nil {
		t.Error(err)
	}
}

// The last rows of a table count as much as the first ones.
func TestLateEvidence(t *testing.T) {
	long := strings.Repeat("1;2;12/11/2020\n2;3;01/02/2020\n", 3000)
	ds, err := readWith(t, "a;b;d\n"+long+"1,5;2.345;25/12/2020\n", "target=a:number")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := ds.X.Dims()
	if ds.X.At(n-1, 0) != 2345 || ds.Y.At(n-1, 0) != 1.5 || ds.X.At(0, 1) != 18578 || ds.X.At(1, 1) != 18293 {
		t.Errorf("last row %v, %v, first days %v, %v",
			ds.X.RawRowView(n-1), ds.Y.At(n-1, 0), ds.X.At(0, 1), ds.X.At(1, 1))
	}
	// Whatever the order of day and month is, one of the dates does not exist.
	contradictory := "a;b;d\n" + long + "1;2;25/12/2020\n1;2;12/25/2020\n"
	_, err = readWith(t, contradictory, "target=a:number", "dates=dmy")
	const want = `f.csv, line 6003, column 3 (d): "12/25/2020" is not a date, unlike the other cells of ` +
		"the column; --na 12/25/2020 makes it missing, --column d:class reads the column as a category"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestRowsOfOwnData checks that new rows are read in the same way as the file of the model.
func TestRowsOfOwnData(t *testing.T) {
	const old = "id;colour;sold;when;size;price\nu1;red;yes;1970-01-02;1,5;1\nu2;blue;no;1970-01-05;;2\n" +
		"u3;green;no;1970-01-03;2,5;3\nu4;red;yes;1970-01-04;1.234,5;4\n"
	ds, err := readWith(t, old, "missing=mean", "log=size")
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for _, tt := range []struct {
		name, table string
		x, y        []float64
		err         string
	}{
		{"as it was", "id;colour;sold;when;size;price\nv;blue;YES;1970-01-11;2.000,0;7\n",
			[]float64{1, 0, 0, 1, 10, math.Log(2000)}, []float64{7}, ""},
		{"without ignored columns", "price;size;when;sold;colour\n?;1;1970-01-11;no;red\n",
			[]float64{0, 0, 1, 0, 10, 0}, []float64{nan}, ""},
		{"a missing input", "colour;sold;when;size\n;no;1970-01-11;1\n",
			[]float64{0, 0, 0, 0, 10, 0}, []float64{nan}, ""},
		{"a new level", "colour;sold;when;size\npink;no;1970-01-11;1\n", nil, nil,
			`new.csv, line 2, column 1 (colour): "pink" is not a level of the model; the levels are blue, ` +
				`green, red; --unknown ignore predicts without it`},
		{"no date", "colour;sold;when;size\nred;no;11;1\n", nil, nil,
			`new.csv, line 2, column 3 (when): "11" is not a date in the model's format`},
		{"another notation", "colour;sold;when;size\nred;no;1970-01-11;1.5\n", nil, nil,
			`new.csv, line 2, column 4 (size): "1.5" is not a number in the notation of the model's data: ` +
				`decimal comma, points between thousands`},
		{"no logarithm", "colour;sold;when;size\nred;no;1970-01-11;0\n", nil, nil,
			`new.csv, line 2, column 4 (size): "0" has no logarithm`},
	} {
		_, batches, err := rowsOf(ds, tt.table, 5)
		switch {
		case tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)):
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.err)
		case tt.err == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.err == "":
			x := batches[0].X.RawMatrix().Data
			for k := range x {
				x[k] *= 0.5 // the scale of rowsOf
			}
			if !slices.Equal(x, tt.x) || !slices.EqualFunc(batches[0].Targets.RawMatrix().Data, tt.y, same) {
				t.Errorf("%s: X %v, targets %v", tt.name, x, batches[0].Targets.RawMatrix().Data)
			}
		}
	}
}

// FuzzDescribe describes arbitrary text. The loaded data must match the description, and an
// answered question must not recur.
func FuzzDescribe(f *testing.F) {
	for _, text := range []string{
		"a;b\n1,5;2\n2,25;3\n", "a;b\n1.234,5;2\n1.234;3\n", "a,b\n\"1,234\",2\n\"5,678\",3\n",
		"a;b\n1.234;2\n5.678;3\n", "a,b,c\n1,2,3\n,5,6\n7,NA,9\n", "d,y\n01/02/2020,1\n02/02/2020,2\n",
		"d,y\n2020-01-31,1\n2020-02-01 10:00,2\n", "a,y\nyes,1\nNo,2\nyes,3\n", "c,y\nred,1\nblue,2\nred,3\n",
		"a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6,2\n", "\"a b\",y\n\"x\ny\",1\nz,2\n",
		"id,a,y\nu1,1,2\nu2,3,4\n", "1|2\n3|4\n",
	} {
		f.Add(text, "missing=drop", "")
		f.Add(text, "missing=mean", "-1:class")
		f.Add(text, "categorical=0", "0:number")
	}
	f.Fuzz(func(t *testing.T, text, item, target string) {
		choices, err := table.ParseChoices([]string{item})
		if err != nil {
			return
		}
		s := Source{Name: "f.csv", Columns: choices}
		if target != "" {
			s.Targets = []string{target}
		}
		read, err := table.Read(context.Background(), s.Name, strings.NewReader(text), table.ReadOptions{
			Labels:  true,
			Choices: choices,
		})
		var described *table.Description
		if err == nil {
			described, err = report(read, s)
		}
		ds, loadErr := ReadCSV(context.Background(), strings.NewReader(text), s)
		switch {
		case err != nil || described.Err != nil:
			if loadErr == nil {
				t.Fatalf("loaded without error: %v, %+v", err, described)
			}
			if strings.ContainsAny(loadErr.Error(), "\n\r\x1b\x00") {
				t.Errorf("error is not one printable line: %q", loadErr)
			}
			var trouble *table.Error
			if errors.As(loadErr, &trouble) && trouble.Question != nil {
				askedOnce(t, text, s, trouble.Question)
			}
		case loadErr != nil:
			if n := described.Rows; n > 1 && len(described.Columns) > 1 {
				t.Fatalf("described without error: %v", loadErr)
			}
		default:
			n, d := ds.X.Dims()
			if n != described.N() || d != described.D || len(ds.Inputs) != d ||
				ds.Task.String() != described.Task {
				t.Errorf("X is %d x %d, of a %v; described as %d x %d, of a %s",
					n, d, ds.Task, described.N(), described.D, described.Task)
			}
		}
	})
}

// askedOnce reads a table with each answer to a question and checks that the question does not
// recur.
func askedOnce(t *testing.T, text string, s Source, q *table.Question) {
	t.Helper()
	for _, a := range q.Answers {
		answered := s
		if a.Target != "" {
			answered.Targets = []string{a.Target}
		} else {
			var err error
			answered.Columns, err = table.ParseChoices(append(s.Columns.Items(), a.Item))
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := ReadCSV(context.Background(), strings.NewReader(text), answered)
		var trouble *table.Error
		if errors.As(err, &trouble) && trouble.Question != nil && trouble.Question.Text == q.Text {
			t.Errorf("%s is asked again after %s", q.Text, a.Flag())
		}
	}
}

// TestQuestionsComeBeforeLevels reads ambiguous numbers that would have too many levels as a
// category. The question about their notation must come first.
func TestQuestionsComeBeforeLevels(t *testing.T) {
	text := "a,b\n"
	for i := range 80 {
		text += fmt.Sprintf("\"1,%03d\",%d\n\"1,%03d\",%d\n", i, i, i, i)
	}
	_, err := readWith(t, text)
	var open *table.Error
	if !errors.As(err, &open) || open.Question == nil {
		t.Errorf("the error is %v", err)
	}
	read, err := table.Read(context.Background(), "f.csv", strings.NewReader(text), table.ReadOptions{
		Labels: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := report(read, Source{}); err != nil || d.D != 1 || d.Columns[0].Kind != table.Number ||
		d.Columns[0].Question == nil {
		t.Errorf("described as %+v, %v", d, err)
	}
	ds, err := readWith(t, text, "thousands=comma")
	if err != nil || ds.X.At(1, 0) != 1000 {
		t.Errorf("%v, %v", ds, err)
	}
}
