package board

import (
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

func TestDifferingColumns(t *testing.T) {
	for _, c := range []struct {
		name string
		set  *Board
		want string
	}{
		{"one", two().only(0),
			"state family parameters objective val.best log_lik rmse crps coverage95 ms_step seconds"},
		{"two", two(),
			"state family inducing parameters objective val.best log_lik rmse crps coverage95 ms_step " +
				"seconds"},
		{"splits", splits(),
			"state family split parameters objective val.best log_lik rmse crps coverage95 ms_step seconds"},
		{"classes", classifiers(),
			"state family parameters objective val.best log_lik error_rate log_loss brier ece ms_step " +
				"seconds"},
	} {
		if got := strings.Join(columnNames(c.set.Runs), " "); got != c.want {
			t.Errorf("the table of %s has the columns\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// columnNames returns the names of all columns from left to right.
func columnNames(runs []*Run) (names []string) {
	for _, c := range columns(&kit.Theme{}, runs) {
		names = append(names, c.name)
	}
	return names
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		sort tableSort
		want []int
	}{
		{tableSort{}, []int{0, 1, 2, 3}},
		{tableSort{"nothing", true}, []int{0, 1, 2, 3}},
		{tableSort{"inducing", false}, []int{0, 2, 1, 3}}, // as numbers: 64, 64, 128, missing
		{tableSort{"inducing", true}, []int{1, 0, 2, 3}},
		{tableSort{"rmse", false}, []int{0, 1, 2, 3}},
		{tableSort{"rmse", true}, []int{1, 0, 2, 3}},
		{tableSort{"family", false}, []int{2, 1, 0, 3}},
		{tableSort{"objective", true}, []int{0, 1, 2, 3}}, // NaN, then missing, are last
		{tableSort{"objective", false}, []int{0, 1, 2, 3}},
	} {
		if got := tableOrder(four().Runs, c.sort); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.sort, got, c.want)
		}
	}
}

// Next visits every column in both directions, with the best values on top.
func TestNextVisitsEveryColumn(t *testing.T) {
	runs := two().Runs
	names := columnNames(runs)
	s := tableSort{}
	for i, name := range names {
		s = s.Next(runs, 1)
		largest := slices.Contains([]string{"objective", "val.best", "log_lik", "seconds"}, name)
		if s != (tableSort{name, largest}) {
			t.Errorf("column %d: got %+v", i, s)
		}
	}
	if last := s.Next(runs, 1); last != (tableSort{}) {
		t.Errorf("after the last column: %+v", last)
	}
	if back := (tableSort{}).Next(runs, -1); back.Column != names[len(names)-1] {
		t.Errorf("before the first column: %+v", back)
	}
}

// bestOf returns the labels of the runs with the best value of a column.
func bestOf(set *Board, name string) []string {
	lay := layTable(set, tableSort{}, 200)
	var out []string
	for i, c := range lay.list {
		for k, r := range set.Runs {
			if c.name == name && lay.best[i][k] {
				out = append(out, r.Brief)
			}
		}
	}
	return out
}

func TestBestValues(t *testing.T) {
	for _, c := range []struct {
		name, column string
		set          *Board
		want         []string
	}{
		{"lower", "rmse", two(), []string{"stripes-and-arrow"}},
		{"higher", "log_lik", two(), []string{"stripes-and-arrow"}},
		{"faster", "ms_step", two(), []string{"mean-field 128"}},
		{"alone", "rmse", two().only(0), nil},
		{"equal", "objective", two(), nil},
		{"no sense", "parameters", two(), nil},
		{"other splits", "rmse", splits(), nil},
		{"NaN is not the best", "objective", four(), nil},
	} {
		if got := bestOf(c.set, c.column); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	set := two()
	set.Runs[0].Snapshot.Test.Coverage = map[string]rundir.Number{"95": 0.99}
	set.Runs[1].Snapshot.Test.Coverage = map[string]rundir.Number{"95": 0.93}
	if got := bestOf(set, "coverage95"); !slices.Equal(got, []string{"mean-field 128"}) {
		t.Errorf("coverage: %v is not nearest to 0.95", got)
	}
}

// TestTableTexts checks the symbols in the table and their legend.
func TestTableTexts(t *testing.T) {
	text := strings.Join(drawTable(four(), tableSort{}, 160, 12), "\n")
	for _, want := range []string{"~-912.4", "★ best", "~ training", "- not measured",
		"estimated at the last step", "on part of the points", "▸ ▲ mean-field 128"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, h := range []int{2, 3, 4, 5} {
		small := strings.Join(drawTable(four(), tableSort{}, 40, h), "\n")
		if !strings.Contains(small, "▲ mean-field") {
			t.Errorf("h %d: the selected run is not in\n%s", h, small)
		}
	}
	narrow := strings.Join(drawTable(four(), tableSort{"seconds", true}, 40, 20), "\n")
	if !strings.Contains(narrow, "time↓") {
		t.Errorf("the sorted column is missing:\n%s", narrow)
	}
	for _, name := range []string{"CRPS", "ms/step", "parameters", "family"} {
		if !strings.Contains(narrow, name+" ") {
			t.Errorf("%s is neither a column nor in the details:\n%s", name, narrow)
		}
	}
}

func TestSameData(t *testing.T) {
	other := rundir.Summary{Config: kittest.Boston("star", 1, models.Values{})}
	if sameData(append(two().Runs, &Run{Snapshot: &session.Snapshot{Summary: other}})) {
		t.Error("another split counts as the same data")
	}
}

// The column appears if a run does not use all rows.
func TestUsesColumn(t *testing.T) {
	set := two()
	set.Runs[0].Snapshot.Data.Uses = "the rows that have Cd"
	set.Runs[0].Snapshot.Data.N = 259
	set.Runs[1].Snapshot.Data.N = 359
	list := columns(set.Theme, set.Runs)
	i := slices.IndexFunc(list, func(c column) bool { return c.name == "uses" })
	if i < 0 || list[i].value(set.Runs[0]).text != "the rows that have Cd" ||
		list[i].value(set.Runs[1]).text != "all rows" {
		t.Errorf("column %d", i)
	}
}

// If there are several outputs, the last columns belong to the individual outputs.
func TestOutputColumns(t *testing.T) {
	set := two()
	one := rundir.Number(0.25)
	other := rundir.Number(4)
	test := *set.Runs[0].Snapshot.Test
	test.Outputs = []*rundir.Metrics{{Output: "Cd", LogLik: -1, RMSE: &one},
		{Output: "Ni", LogLik: -2, RMSE: &other}}
	set.Runs[0].Snapshot.Test = &test
	var names []string
	for _, c := range columns(set.Theme, set.Runs) {
		names = append(names, c.name)
		if c.name == "rmse.Ni" && (c.value(set.Runs[0]).number != 4 || !c.value(set.Runs[1]).missing()) {
			t.Errorf("RMSE of Ni: %+v, %+v", c.value(set.Runs[0]), c.value(set.Runs[1]))
		}
	}
	if want := []string{"rmse.Cd", "log_lik.Cd", "rmse.Ni",
		"log_lik.Ni"}; !slices.Equal(names[max(0, len(names)-4):], want) {
		t.Errorf("columns %v", names)
	}
}

// Numbers come before words in the table, whatever their order.
func TestValueOrder(t *testing.T) {
	number := func(x float64) value { return value{text: "z", number: x, numeric: true} }
	for _, c := range []struct {
		a, b value
		want int
	}{
		{number(2), number(10), -1}, {number(2), number(2), 0}, {number(10), value{text: "a"}, -1},
		{value{text: "a"}, number(10), 1}, {value{text: "b"}, value{text: "a"}, 1},
	} {
		if got := compareValues(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
