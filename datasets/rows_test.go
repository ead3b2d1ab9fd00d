package datasets

import (
	"context"
	"dgplab/datasets/table"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// rowsOf reads all rows of a table for a model of a data set. It scales inputs by 0.5 and does not
// scale targets.
func rowsOf(ds *Dataset, table string, most int) (rows *Rows, batches []*Batch, err error) {
	s := Scaling{Log: ds.LogTargets}
	for range ds.Inputs {
		s.InputMean = append(s.InputMean, 0)
		s.InputSD = append(s.InputSD, 0.5)
	}
	for range ds.Targets {
		s.TargetMean = append(s.TargetMean, 0)
		s.TargetSD = append(s.TargetSD, 1)
	}
	rows, err = NewRows(ds, s, "new.csv", strings.NewReader(table))
	for err == nil {
		var b *Batch
		b, err = rows.Next(context.Background(), most)
		if err == nil {
			batches = append(batches, b)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return rows, batches, err
}

// read returns the data set in a CSV string.
func read(t testing.TB, text string, targets ...string) *Dataset {
	t.Helper()
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), Source{
		Name:    "old.csv",
		Targets: targets,
	})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestRowsMatchColumns(t *testing.T) {
	nan := math.NaN()
	headed, plain := "a,y,b\n1,2,3\n4,5,7\n", "1,2,3\n4,5,7\n"
	cases := []struct {
		name, old, table string
		x, y             []float64
	}{
		{"as it was", headed, "a,y,b\n1,2,3\n", []float64{2, 6}, []float64{2}},
		{"another order and delimiter", headed, "b;y;a\n3;2;1\n", []float64{2, 6}, []float64{2}},
		{"no target", headed, "b\ta\n3\t1\n", []float64{2, 6}, []float64{nan}},
		{"no header", headed, "1,2,3\n", []float64{2, 6}, []float64{2}},
		{"inputs alone", headed, "1,3\n", []float64{2, 6}, []float64{nan}},
		{"a target that was not observed", headed, "1,NA,3\n", []float64{2, 6}, []float64{nan}},
		{"never a header", plain, "1,2,3\n", []float64{2, 6}, []float64{2}},
		{"a header of its own", plain, "p,q,r\n1,2,3\n", []float64{2, 6}, []float64{2}},
		{"a header of its own, inputs alone", plain, "p,q\n1,3\n", []float64{2, 6}, []float64{nan}},
	}
	for _, c := range cases {
		ds := read(t, c.old, "1")
		rows, batches, err := rowsOf(ds, c.table, 10)
		if err != nil || len(batches) != 1 {
			t.Errorf("%s: %d batches, %v", c.name, len(batches), err)
			continue
		}
		x := batches[0].X.RawMatrix().Data
		y := batches[0].Targets.RawMatrix().Data
		if !reflect.DeepEqual(x, c.x) || y[0] != c.y[0] && !(math.IsNaN(y[0]) && math.IsNaN(c.y[0])) {
			t.Errorf("%s: inputs %v, targets %v; want %v, %v", c.name, x, y, c.x, c.y)
		}
		if has := strings.Contains(c.name, "no target") ||
			strings.Contains(c.name, "alone"); rows.HasTarget() == has {
			t.Errorf("%s: has targets %v", c.name, rows.Targets())
		}
	}
	// Columns with equal names are located by order alone.
	twice := read(t, "a,a,y\n1,2,3\n4,5,7\n")
	if _, batches, err := rowsOf(twice, "a,a,y\n1,2,3\n", 10); err != nil ||
		!reflect.DeepEqual(batches[0].X.RawMatrix().Data, []float64{2, 4}) {
		t.Errorf("two columns of one name: %v", err)
	}
}

// Ignored columns may be present or absent, even without a header, if the columns can be located
// unambiguously.
func TestRowsWithoutIgnoredColumns(t *testing.T) {
	const old = "p,1.5,2.5,3.5\nq,4.5,5.5,7.5\nr,1.25,1,9.5\n" // p, q and r are row names
	one := read(t, old, "2")
	for table, want := range map[string][]float64{"x,1,2,3\n": {2, 6}, "1,3\n": {2, 6}} {
		if _, batches, err := rowsOf(one, table, 10); err != nil ||
			!reflect.DeepEqual(batches[0].X.RawMatrix().Data, want) {
			t.Errorf("%q: %v", table, err)
		}
	}
	if _, _, err := rowsOf(one, "1,2,3\n", 10); err == nil ||
		!strings.Contains(err.Error(),
			"match the model's columns (x1, x2, x3, x4) in several ways; add a header with their names") {
		t.Errorf("with the target or with the names: %v", err)
	}
	two := read(t, old, "2", "3")
	if _, batches, err := rowsOf(two, "1,2,3\n", 10); err != nil ||
		!reflect.DeepEqual(batches[0].Targets.RawMatrix().Data, []float64{2, 3}) {
		t.Errorf("two targets: %v", err)
	}
}

func TestRowsOfClasses(t *testing.T) {
	for table, want := range map[string][]float64{
		"1,low\n2,high\n3,\n": {1, -1, math.NaN()},
		"1,middle\n":          nil,
	} {
		_, batches, err := rowsOf(read(t, "1,low\n2,high\n3,low\n"), table, 10)
		if want == nil {
			if err == nil || err.Error() !=
				`new.csv, line 1, column 2: "middle" is not a class of the model; the classes are high, low` {
				t.Errorf("%q: %v", table, err)
			}
			continue
		}
		if got := batches[0].Y.RawMatrix().Data; err != nil || got[0] != want[0] ||
			got[1] != want[1] || !math.IsNaN(got[2]) {
			t.Errorf("%q: %v, %v; want %v", table, got, err, want)
		}
	}
	numbers := read(t, "1,0\n2,1\n3,1\n")
	if _, batches, err := rowsOf(numbers, "5,1.0\n5,0\n", 1); err != nil || len(batches) != 2 ||
		batches[0].Y.At(0, 0) != 1 || batches[1].Y.At(0, 0) != -1 || batches[1].Rows[0] != 1 {
		t.Errorf("classes that are numbers: %v", err)
	}
	signs := read(t, "1,0,1\n2,1,0\n3,1,1\n", "1", "2")
	if _, batches, err := rowsOf(signs, "5,1,0\n", 1); err != nil || batches[0].Y.At(0, 0) != 1 ||
		batches[0].Y.At(0, 1) != -1 {
		t.Errorf("two targets of two classes: %v", err)
	}
	if _, _, err := rowsOf(signs, "5,1,2\n", 1); err == nil {
		t.Error("2 was accepted as one of two classes")
	}
}

func TestRowsErrors(t *testing.T) {
	ds := read(t, "a,y\n1,2\n4,5\n")
	ds.LogTargets = true
	for table, want := range map[string]string{
		"a,y\n1,-2\n":            `new.csv, line 2, column 2 (y): "-2" has no logarithm`,
		"# old\na,y\n1,2\nu,3\n": `new.csv, line 4, column 1 (a): "u" is not a number`,
		"a\n1e308\n": "new.csv, line 2, column 1 (a): the number is too far from the training set to be " +
			"standardised",
		"\"a\n": "new.csv, line 1: a double quote is out of place or never closed",
	} {
		if _, _, err := rowsOf(ds, table, 10); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", table, err, want)
		}
	}
}

// Targets that overflow when standardised and overlong cells are errors.
func TestRowsBeyondLimits(t *testing.T) {
	ds := read(t, "a,y\n1,2\n4,2.1\n")
	s := Scaling{
		InputMean: []float64{0}, InputSD: []float64{1}, TargetMean: []float64{0}, TargetSD: []float64{0.5},
	}
	rows, err := NewRows(ds, s, "new.csv", strings.NewReader("a,y\n1,3\n1,1e308\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = rows.Next(t.Context(), 10)
	if want := "new.csv, line 3, column 2 (y): the number is too far from the training set to be " +
		"standardised"; err == nil || err.Error() != want {
		t.Errorf("a large target: %v, want %s", err, want)
	}
	_, _, err = rowsOf(ds, "a,y\n"+strings.Repeat("1", 70000)+",2\n", 10)
	if want := "new.csv, line 2, column 1: the cell has more than 64K bytes; "; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("a long cell: %v, want %s", err, want)
	}
}

// Rows must be complete and finite, or the error must be one line that names the file.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"a,y\n1,2\n", "y;a\n1;\n", "1\n2\n", "a\n1,5\n", "\x1f\x8b",
		"a,y\r\n\"1\",low", "\xef\xbb\xbfa\n1e400\n", "#\n\n a , y\n1 , NaN\n"} {
		f.Add(seed, uint8(3))
	}
	models := []*Dataset{read(f, "a,y\n1,2\n4,5\n"), read(f, "a,y\n1,low\n4,high\n"), read(f, "1 2\n4 5\n")}
	f.Fuzz(func(t *testing.T, text string, most uint8) {
		for _, ds := range models {
			rows, batches, err := rowsOf(ds, text, int(most)+1)
			var place *table.Error
			if err != nil &&
				(!errors.As(err, &place) || place.File != "new.csv" || strings.Contains(err.Error(), "\n")) {
				t.Fatalf("error %q", err)
			}
			next := 0
			for _, b := range batches {
				n, d := b.X.Dims()
				if n != len(b.Rows) || n > int(most)+1 || d != 1 || b.Rows[0] != next ||
					len(rows.Targets()) != 1 {
					t.Fatalf("%d rows of %d inputs from %v on", n, d, b.Rows)
				}
				next += n
				for _, v := range b.X.RawMatrix().Data {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("input %v", v)
					}
				}
			}
		}
	})
}
