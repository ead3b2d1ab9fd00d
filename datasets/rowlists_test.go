package datasets

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/table"
)

// listed returns the split of a file with the given text.
func listed(t *testing.T, text string) Split {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Split{Kind: Listed, File: path}
}

func TestListedRows(t *testing.T) {
	for _, c := range []struct {
		text                    string
		train, validation, test []int
	}{
		{`{"train": [0, 9, 1], "validation": [2], "test": [4, 3]}`, []int{0, 1, 9}, []int{2}, []int{3, 4}},
		{` {"validation": [2], "test": [9]}`, []int{0, 1, 3, 4, 5, 6, 7, 8}, []int{2}, []int{9}},
		{"# test\n9\n\n 8\r\n", []int{0, 1, 2, 3, 4, 5, 6, 7}, nil, []int{8, 9}},
	} {
		p := mustPrepare(t, toy(10), listed(t, c.text), 0, 0)
		if !slices.Equal(p.Train.Rows, c.train) || !slices.Equal(p.Validation.Rows, c.validation) ||
			!slices.Equal(p.Test.Rows, c.test) {
			t.Errorf("%s: parts %v, %v, %v", c.text, p.Train.Rows, p.Validation.Rows, p.Test.Rows)
		}
	}
	p := mustPrepare(t, toy(10), listed(t, "3"), 0.2, 0)
	if len(p.Validation.Rows) != 2 || len(p.Train.Rows) != 7 || !slices.Equal(p.Test.Rows, []int{3}) {
		t.Errorf("only test rows: %v, %v, %v", p.Train.Rows, p.Validation.Rows, p.Test.Rows)
	}
}

// The checksum is that of the bytes of the file: sha256sum gives it for "3\n".
func TestListedChecksum(t *testing.T) {
	p := mustPrepare(t, toy(10), listed(t, "3\n"), 0, 0)
	const want = "1121cfccd5913f0a63fec40a6ffd44ea64f9dc135c66634ba001d10bcf4302a2"
	if p.SplitSHA256 != want {
		t.Errorf("checksum %s, want %s", p.SplitSHA256, want)
	}
	if p := mustPrepare(t, toy(10), Split{Kind: Interpolation}, 0, 0); p.SplitSHA256 != "" {
		t.Errorf("a split without a file has the checksum %s", p.SplitSHA256)
	}
}

// TestListedDropped checks that the numbers count all rows of the file. Row 1 is dropped because its input is
// missing, so row 3 of the file becomes row 2 of the data set.
func TestListedDropped(t *testing.T) {
	text := "a,y\n1,2.5\n,3.5\n3,4.5\n4,5.5\n5,1.5\n"
	source := Source{Name: "t.csv", Columns: table.Choices{Missing: table.MissingDrop}}
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), source)
	if err != nil {
		t.Fatal(err)
	}
	p := mustPrepare(t, ds, listed(t, `{"test": [1, 3]}`), 0, 0)
	if !slices.Equal(p.Test.Rows, []int{2}) || p.Test.Inputs.At(0, 0) != 4 || len(p.Train.Rows) != 3 {
		t.Errorf("test rows %v", p.Test.Rows)
	}
	if _, err := Prepare(ds, listed(t, "4"), 0, 0); err != nil {
		t.Errorf("the last row of the file: %v", err)
	}
}

func TestListedErrors(t *testing.T) {
	for text, want := range map[string]string{
		"1\nx\n":                       `rows.txt: line 2: "x" is not a row`,
		"1\n-2\n":                      `line 2: "-2" is not a row`,
		"10":                           "line 1: there is no row 10; the rows are 0 to 9",
		"1\n2\n1":                      "line 3: row 1 is in line 1 too",
		"":                             "it names no test rows",
		`{"test": [1, 1.5]}`:           `rows.txt: test[1]: "1.5" is not a row`,
		`{"test": [1], "train": [1]}`:  "test[0]: row 1 is in train[0] too",
		`{"train": [1, 2]}`:            "it names no test rows",
		`{"tset": [1]}`:                `unknown list "tset"; did you mean test?`,
		`{"test": 1}`:                  "or only test",
		`{"test": [1]} 2`:              "or only test",
		`{"test": [1], "train": [44]}`: "train[0]: there is no row 44",
	} {
		_, err := Prepare(toy(10), listed(t, text), 0, 0)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := Prepare(toy(3), listed(t, "0\n1\n2"), 0.1, 0)
	if err == nil || !strings.Contains(err.Error(), "too few rows: of 3 rows, 0 are left for training") {
		t.Errorf("all rows are for testing: %v", err)
	}
	_, err = Prepare(toy(10), Split{Kind: Listed, File: "gone.txt"}, 0, 0)
	if err == nil || !strings.Contains(err.Error(), "gone.txt") {
		t.Errorf("no such file: %v", err)
	}
}

// The name of a file is valid in every working directory.
func TestListedName(t *testing.T) {
	s, err := Split{Kind: Listed, File: "rows.json"}.Named(toy(10))
	if err != nil || !filepath.IsAbs(s.File) {
		t.Errorf("%v, %v", s, err)
	}
}
