package table

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// A layout that was written as JSON and read again is the same, so that it reads new rows in the same
// way. If a new field of the rules for reading cells is lost on the way, this test fails once it is set.
func TestLayoutsTravel(t *testing.T) {
	const text = "id;size;colour;sold;day;price;load\n" +
		"r1;1.234,5;red;yes;3.4.2021;10;0,5\nr2;;green;no;5.12.2021;20;1,5\n" +
		"r3;2.000,25;blue;yes;1.1.2022;30;2,5\nr4;3,25;red;yes;1.1.2022;30;2,5\n"
	table, err := Read(context.Background(), "a.csv", strings.NewReader(text), ReadOptions{Labels: true,
		Choices: Choices{Missing: MissingMean, Ignore: []string{"id"}, Log: []string{"price"}}})
	if err != nil {
		t.Fatal(err)
	}
	use, err := table.Describe(nil)
	if err != nil || use.Trouble != nil {
		t.Fatal(err, use.Trouble)
	}
	for name, want := range map[string]Layout{
		"a file": table.Layout(use), "a built-in set": OrderedLayout([]string{"a", "b"}, []string{"y"}),
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Layout
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %+v\nwant %+v, %+v", name, got, got.plan, want, want.plan)
		}
	}
	if d, p := table.Layout(use).Widths(); d != 7 || p != 1 {
		t.Errorf("%d inputs and %d targets, want 7 (3 for colours) and 1", d, p)
	}
}

// Columns to keep are found by name or by index. The model need not have them.
func TestKeptColumns(t *testing.T) {
	layout := OrderedLayout([]string{"a"}, []string{"y"})
	for _, c := range []struct {
		text string
		keep []string
		want []Kept
		err  string
	}{
		{"id,a\n7,1\n", []string{"id"}, []Kept{{0, "id"}}, ""},
		{"id,a\n7,1\n", []string{"id", "id", "a"}, []Kept{{0, "id"}, {1, "a"}}, ""},
		{"a,y\n7,1\n", []string{"-1"}, []Kept{{1, "y"}}, ""},
		{"7,1\n", []string{"0"}, []Kept{{0, "column 0"}}, ""},
		{"id,a\n7,1\n", []string{"ib"}, nil, "the data of the model have no such column"},
		{"a,y\n7,1\n", []string{"2"}, nil, `no column "2" to keep; the columns are a, y`},
		{"7,1\n", []string{"id"}, nil, `no column "id" to keep; the file has no header`},
	} {
		r, err := NewRowReader(layout.Keeping(c.keep), "new.csv", strings.NewReader(c.text))
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q, %q: %v; want %s", c.text, c.keep, err, c.err)
			}
		case err != nil || !reflect.DeepEqual(r.Kept, c.want):
			t.Errorf("%q, %q: %+v, %v; want %+v", c.text, c.keep, r, err, c.want)
		}
	}
}
