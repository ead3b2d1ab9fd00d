package datasets

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/table"
)

// readSplit reads a table as train does for a split. The table has a header line.
func readSplit(split string, lines ...string) (*Dataset, Split, error) {
	s, err := ParseSplit(split)
	if err != nil {
		return nil, s, err
	}
	source := Source{Name: "t.csv", Split: s.Reading()}
	ds, err := ReadCSV(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"), source)
	return ds, s, err
}

// partsOf returns the rows of the parts of a table.
func partsOf(t *testing.T, split string, share float64, lines ...string) (train, validation, test []int) {
	t.Helper()
	ds, s, err := readSplit(split, lines...)
	if err != nil {
		t.Fatalf("%s: %v", split, err)
	}
	p := mustPrepare(t, ds, s, share, 1)
	return p.Train.Rows, p.Validation.Rows, p.Test.Rows
}

// grouped returns a table of rows per group in turn, with the group as the last column.
func grouped(groups, rows int) []string {
	lines := []string{"a,y,site"}
	for i := range groups * rows {
		lines = append(lines, fmt.Sprintf("%d,%d.5,s%d", i, i*i%17, i%groups))
	}
	return lines
}

// TestGroups checks that no group is in two parts, that a tenth of the groups is for testing, and that all
// rows are in a part. The column is neither the target, although it is the last one, nor an input.
func TestGroups(t *testing.T) {
	for groups, want := range map[int]int{3: 1, 14: 1, 25: 3, 5000: 500} {
		lines := grouped(groups, 4)
		ds, s, err := readSplit("group:site:2", lines...)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ds.Inputs, []string{"a"}) || !slices.Equal(ds.Targets, []string{"y"}) {
			t.Errorf("inputs %v, targets %v", ds.Inputs, ds.Targets)
		}
		p := mustPrepare(t, ds, s, 0.2, 1)
		part := map[int]int{}
		total, tested := 0, map[int]bool{}
		for k, rows := range [][]int{p.Train.Rows, p.Validation.Rows, p.Test.Rows} {
			total += len(rows)
			if len(rows) == 0 {
				t.Errorf("%d groups: part %d is empty", groups, k)
			}
			for _, row := range rows {
				group := row % groups
				if before, seen := part[group]; seen && before != k {
					t.Fatalf("%d groups: group %d is in the parts %d and %d", groups, group, before, k)
				}
				part[group] = k
				if k == 2 {
					tested[group] = true
				}
			}
		}
		if total != 4*groups || len(tested) != want {
			t.Errorf("%d groups: %d rows in the parts, %d groups for testing, want %d",
				groups, total, len(tested), want)
		}
	}
	_, _, a := partsOf(t, "group:site:0", 0, grouped(40, 2)...)
	_, _, b := partsOf(t, "group:site:1", 0, grouped(40, 2)...)
	if slices.Equal(a, b) {
		t.Error("another seed draws the same groups")
	}
}

// TestDividerIgnored divides the rows by a column that the user ignores. A note tells that it does.
func TestDividerIgnored(t *testing.T) {
	s, err := ParseSplit("group:site:0")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(grouped(5, 4), "\n")
	source := Source{Name: "t.csv", Split: s.Reading(), Columns: table.Choices{Ignore: []string{"site"}}}
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), source)
	if err != nil {
		t.Fatal(err)
	}
	if ds.divider == nil || !slices.ContainsFunc(ds.Notes, func(n table.Note) bool {
		return n.Text == "column site divides the rows and is not an input"
	}) {
		t.Errorf("notes %v", ds.Notes)
	}
}

// Rows left out for a missing input do not shift the groups of the others.
func TestDividerDropped(t *testing.T) {
	s, err := ParseSplit("column:part")
	if err != nil {
		t.Fatal(err)
	}
	text := "a,y,part\n1,2.5,train\n,3.5,test\n3,4.5,train\n4,5.5,test\n5,1.5,train\n"
	source := Source{Name: "t.csv", Split: s.Reading(), Columns: table.Choices{Missing: table.MissingDrop}}
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), source)
	if err != nil {
		t.Fatal(err)
	}
	p := mustPrepare(t, ds, s, 0, 0)
	if !slices.Equal(p.Test.Rows, []int{2}) || p.Test.Inputs.At(0, 0) != 4 {
		t.Errorf("test rows %v", p.Test.Rows)
	}
}

// timed returns a table of 20 rows whose times are shuffled.
func timed(text func(k int) string) (lines []string, at [20]int) {
	lines = []string{"when,a,y"}
	for row := range 20 {
		k := row * 7 % 20
		at[k] = row
		lines = append(lines, fmt.Sprintf("%s,%d,%d.5", text(k), row, row*row%13))
	}
	return lines, at
}

// sorted returns the rows of the times from first to last.
func sorted(at [20]int, first, last int) []int {
	rows := slices.Clone(at[first : last+1])
	slices.Sort(rows)
	return rows
}

// TestTimes checks the parts of 20 times: the last 2 rows are for testing. The gap of 3 before time 18 leaves
// out the times 15, 16 and 17. The last fifth of the others is for validation.
func TestTimes(t *testing.T) {
	day := func(k int) string { return fmt.Sprintf("2021-03-%02d", k+1) }
	hour := func(k int) string { return fmt.Sprintf("2021-03-01 %02d:00", k) }
	for _, c := range []struct {
		split       string
		text        func(int) string
		end, middle int // the last times of training and validation, and of training
	}{
		{"time:when", func(k int) string { return fmt.Sprint(k) }, 17, 13},
		{"time:when:3", func(k int) string { return fmt.Sprint(k) }, 14, 11},
		{"time:when:3", day, 14, 11},
		{"time:when:10800", hour, 14, 11},
	} {
		lines, at := timed(c.text)
		train, validation, test := partsOf(t, c.split, 0.2, lines...)
		if want := sorted(at, 18, 19); !slices.Equal(test, want) {
			t.Errorf("%s: test rows %v, want %v", c.split, test, want)
		}
		if want := sorted(at, c.middle+1, c.end); !slices.Equal(validation, want) {
			t.Errorf("%s, %s: validation rows %v, want %v", c.split, lines[1], validation, want)
		}
		if want := sorted(at, 0, c.middle); !slices.Equal(train, want) {
			t.Errorf("%s, %s: training rows %v, want %v", c.split, lines[1], train, want)
		}
		train, validation, _ = partsOf(t, c.split, 0, lines...)
		if want := sorted(at, 0, c.end); !slices.Equal(train, want) || len(validation) > 0 {
			t.Errorf("%s without validation: training rows %v, want %v", c.split, train, want)
		}
	}
}

// Rows of the same time are in the same part: with times 0, 0, 1, 1, ..., the last row alone would split one.
func TestTimesTied(t *testing.T) {
	lines := []string{"when,a,y"}
	for row := range 10 {
		lines = append(lines, fmt.Sprintf("%d,%d,%d.5", row/2, row, row*row%13))
	}
	train, validation, test := partsOf(t, "time:when", 0.1, lines...)
	if !slices.Equal(test, []int{8, 9}) || !slices.Equal(validation, []int{6, 7}) || len(train) != 6 {
		t.Errorf("parts %v, %v, %v", train, validation, test)
	}
}

func TestNamedParts(t *testing.T) {
	lines := []string{"a,part,y", "1,train,2.5", "2,Training,3.5", "3,VALID,1.5", "4,Test,4.5", "5,val,2.5",
		"6,train,0.5", "7,validation,3.5"}
	train, validation, test := partsOf(t, "column:part", 0.5, lines...)
	if !slices.Equal(train, []int{0, 1, 5}) || !slices.Equal(validation, []int{2, 4, 6}) ||
		!slices.Equal(test, []int{3}) {
		t.Errorf("parts %v, %v, %v", train, validation, test)
	}
	// Without a row for validation, a share of the training rows is drawn.
	lines = []string{"a,part,y", "1,train,2.5", "2,train,3.5", "3,train,1.5", "4,test,4.5", "5,train,2.5"}
	train, validation, test = partsOf(t, "column:part", 0.25, lines...)
	if len(train) != 3 || len(validation) != 1 || !slices.Equal(test, []int{3}) {
		t.Errorf("parts %v, %v, %v", train, validation, test)
	}
}

func TestDividerErrors(t *testing.T) {
	for _, c := range []struct{ split, lines, want string }{
		{"group:stie:0", "a,site,y\n1,u,2.5\n2,v,3.5\n3,u,4.5", `no column "stie"; did you mean site?`},
		{"group:site:0", "a,site,y\n1,u,2.5\n2,,3.5\n3,u,4.5",
			"line 3, column 2 (site): the cell is missing,"},
		{"group:site:0", "a,site,y\n1,u,2.5\n2,u,3.5\n3,u,4.5", "all rows are in one group of column site"},
		{"group:site:0", "a,site,y\n1,u,2.5\n2,v,3.5\n3,u,4.5",
			"too few for training, validation and testing"},
		{"time:a", "a,b,y\n1,1,2.5\n,2,3.5\n3,3,4.5", "line 3, column 1 (a): the cell is missing"},
		{"time:a", "a,b,y\nu,1,2.5\nv,2,3.5\nu,3,4.5", "a split by time needs numbers, dates or times"},
		{"time:a", "a,b,y\n1,1,2.5\n1,2,3.5\n1,3,4.5", "the test set would begin at the earliest time"},
		{"time:a:5", "a,b,y\n1,1,2.5\n2,2,3.5\n3,3,4.5", "the gap 5 leaves no row before the test set"},
		{"time:a", "a,b,y\n1,1,2.5\n2,2,3.5\n3,3,4.5\nx,3,4.5", `line 5, column 1 (a): "x" is not a number`},
		{"column:a", "a,b,y\ntrain,1,2.5\nTset,2,3.5\ntest,3,4.5",
			`line 3, column 1 (a): "Tset" is not a part`},
		{"column:a", "a,b,y\ntrain,1,2.5\n,2,3.5\ntest,3,4.5", "line 3, column 1 (a): the cell is missing"},
		{"column:a", "a,b,y\ntrain,1,2.5\ntrain,2,3.5\nval,3,4.5", "names 2 training rows and 0 test rows"},
	} {
		ds, s, err := readSplit(c.split, strings.Split(c.lines, "\n")...)
		if err == nil {
			_, err = Prepare(ds, s, 0.1, 0)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %q: %v, want %s", c.split, c.lines, err, c.want)
		}
	}
	s, err := ParseSplit("group:x:0")
	if err != nil {
		t.Fatal(err)
	}
	source := Source{Name: "steps", Split: s.Reading()}
	_, err = Load(t.Context(), source)
	if err == nil || !strings.Contains(err.Error(), "steps is not a file") {
		t.Errorf("a built-in set: %v", err)
	}
	s.Column = "y"
	text := "a,site,y\n1,u,2.5\n2,v,3.5\n3,u,4.5"
	source = Source{Name: "t.csv", Split: s.Reading(), Targets: []string{"y"}}
	_, err = ReadCSV(t.Context(), strings.NewReader(text), source)
	if err == nil || !strings.Contains(err.Error(), "the target cannot divide the rows") {
		t.Errorf("the target as the column: %v", err)
	}
}
