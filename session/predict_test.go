package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// tableOf writes rows of a data set as a table with its columns in reverse order.
func tableOf(ds *datasets.Dataset, rows []int, targets bool) string {
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "NA"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	line := func(cell func(matrix string, j int) string) {
		var cells []string
		for j := len(ds.Targets) - 1; j >= 0 && targets; j-- {
			cells = append(cells, cell("y", j))
		}
		for j := len(ds.Inputs) - 1; j >= 0; j-- {
			cells = append(cells, cell("x", j))
		}
		w.Write(cells)
	}
	line(func(matrix string, j int) string {
		return map[string][]string{"x": ds.Inputs, "y": ds.Targets}[matrix][j]
	})
	for _, i := range rows {
		line(func(matrix string, j int) string {
			switch {
			case matrix == "x":
				return number(ds.X.At(i, j))
			case ds.Classes != nil:
				return ds.Classes[datasets.ClassOf(ds.Task, ds.Y.At(i, j))]
			}
			return number(ds.Y.At(i, j))
		})
	}
	w.Flush()
	return text.String()
}

// predicted predicts the rows of a table with a run and returns the cells by column name.
func predicted(t *testing.T, id, table string, quantiles ...float64) (*probe.Predicted, map[string][]string) {
	t.Helper()
	record, err := rundir.FindReadOnly(id)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	done, err := Predict(context.Background(), record, "new.csv", strings.NewReader(table), &out,
		PredictOptions{RowOptions: probe.RowOptions{Quantiles: quantiles}})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for _, line := range lines[1:] {
		for c, name := range lines[0] {
			columns[name] = append(columns[name], line[c])
		}
	}
	return done, columns
}

// checkTestPart predicts the test set of a run as new rows and compares the results with the run's
// own evaluation, bit for bit.
func checkTestPart(t *testing.T, id string) map[string][]string {
	t.Helper()
	info, err := rundir.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	want, err := info.Predictions()
	if err != nil {
		t.Fatal(err)
	}
	ds, err := datasets.Load(context.Background(), info.Config.Source())
	if err != nil {
		t.Fatal(err)
	}
	done, columns := predicted(t, id, tableOf(ds, want.Rows, true), 0.05, 0.5, 0.95)
	if done.Rows != want.N || done.Step != info.Results.KeptStep || done.Scores == nil ||
		done.Scores.LogLik != info.Results.Test.LogLik {
		t.Errorf("%+v; want %d rows at step %d with the log-likelihood %v",
			done, want.N, info.Results.KeptStep, info.Results.Test.LogLik)
	}
	same := func(column string, want func(i int) float64) {
		t.Helper()
		for i, text := range columns[column] {
			if got, err := strconv.ParseFloat(text, 64); err != nil || got != want(i) {
				t.Fatalf("%s in row %d: %s; want %v", column, i, text, want(i))
			}
		}
		if len(columns[column]) != done.Rows {
			t.Fatalf("%d cells of %s", len(columns[column]), column)
		}
	}
	same("row", func(i int) float64 { return float64(i + 1) })
	same("log_lik", func(i int) float64 { return want.LogLik[i] })
	for k, name := range want.Names {
		if want.IsClassification() {
			for c, class := range want.Classes {
				same("p_"+class, func(i int) float64 { return want.Probabilities(nil, i)[c] })
			}
			continue
		}
		same(name+"_mean", func(i int) float64 { return want.Mean[i*want.P+k] })
		same(name+"_sd", func(i int) float64 { return math.Sqrt(want.Variance[i*want.P+k]) })
	}
	return columns
}

// checkAscending checks that the quantiles of a target ascend.
func checkAscending(t *testing.T, columns map[string][]string, names ...string) {
	t.Helper()
	for i := range columns["row"] {
		last := math.Inf(-1)
		for _, name := range names {
			v, err := strconv.ParseFloat(columns[name][i], 64)
			if err != nil || v <= last {
				t.Fatalf("row %d: %s is %v, not above %v (%v)", i, name, v, last, err)
			}
			last = v
		}
	}
}

func TestPredictClasses(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	r, err := Start(context.Background(), rundir.Config{
		Dataset: kindsFile(t),
		Targets: []string{"kind"},
		Family:  "svgp",
		Seed:    3,
		Set:     map[string]string{"steps": "5", "test_samples": "7", "inducing": "5"},
	})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	columns := checkTestPart(t, r.ID())
	if got := columns["kind_class"][0]; got != "red" && got != "green" && got != "blue" {
		t.Errorf("class %q", got)
	}
	if columns["kind"][0] == "" {
		t.Error("the column of the observed class is missing")
	}
}

// Predictions do not need targets; rows may lack some or all of them.
func TestPredictOutputs(t *testing.T) {
	c := soilConfig(t, "gprn", "")
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	columns := checkTestPart(t, r.ID())
	checkAscending(t, columns, "Cd_q5", "Cd_q50", "Cd_q95")
	checkAscending(t, columns, "Ni_q5", "Ni_q50", "Ni_q95")

	done, columns := predicted(t, r.ID(), "x\n1\n2.5\n")
	if _, has := columns["log_lik"]; has || done.Rows != 2 || done.Scores != nil {
		t.Errorf("without targets %+v, columns %v", done, columns)
	}
	done, columns = predicted(t, r.ID(), "Ni,x\n,1\n30,2\n")
	if done.Scores == nil || done.Scores.N != 1 || columns["log_lik"][0] != "" ||
		columns["log_lik"][1] == "" || columns["Ni"][0] != "" {
		t.Errorf("with one target of a row: %+v, %v", done, columns)
	}
	if _, has := columns["Cd"]; has {
		t.Error("a missing target has a column")
	}
}

// trained trains a run and returns it as a list shows it.
func trained(t *testing.T, c rundir.Config) rundir.Info {
	t.Helper()
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	<-r.Done()
	record, err := rundir.FindReadOnly(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// Invalid input is rejected with its position.
func TestPredictRefusals(t *testing.T) {
	record := trained(t, soilConfig(t, "linear", ""))
	for table, want := range map[string]string{
		"": "new.csv: no rows of numbers",
		"x,a\n1,2\n": "new.csv, line 1, column 2 (a): the data of the model have no such column; the " +
			"columns are x, Cd, Ni",
		"Cd,Ni\n1,2\n": `new.csv, line 1: the table lacks column "x", an input of the model`,
		"x,x\n1,2\n": "new.csv, line 1, column 2 (x.1): the data of the model have no such column; " +
			"the columns are x, Cd, Ni",
		"1,2\n": "new.csv, line 1: the row has 2 cells; want the 3 columns of the model's data (x, Cd, " +
			"Ni), or only its 1 input",
		"Ni,x\n1,2\n\n3,u\n": `new.csv, line 4, column 2 (x): "u" is not a number`,
		"Ni,x\n1,\n": "new.csv, line 2, column 2 (x): the cell is missing; only targets may be missing; " +
			"--missing mean uses the mean of the training set, --missing drop leaves the row out",
		"Ni,x\n1\n":       "new.csv, line 2, column 2 (x): the row has 1 cell, the first row has 2",
		"Ni,x\n1,1e308\n": "the prediction of row 1 is NaN",
	} {
		var out bytes.Buffer
		_, err := Predict(context.Background(), record, "new.csv",
			strings.NewReader(table), &out, PredictOptions{})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", table, err, want)
		}
	}
	var progress []int
	var options PredictOptions
	options.Progress = func(rows int) { progress = append(progress, rows) }
	if _, err := Predict(context.Background(), record, "new.csv",
		strings.NewReader("# a comment\r\n1;2;3\r\n4;5;6"), &bytes.Buffer{}, options); err != nil ||
		len(progress) != 1 || progress[0] != 2 {
		t.Errorf("all columns in order: %v, progress %v", err, progress)
	}
	ctx, cancel := context.WithCancel(context.Background())
	options.Progress = func(int) { cancel() }
	if _, err := Predict(ctx, record, "new.csv", strings.NewReader(strings.Repeat("1\n", 1000)),
		&bytes.Buffer{}, options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPredictGuardsAgainstPanics(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.onLoad = func(context.Context) { panic("boom\nand a stack") }
	if _, err := predict(context.Background(), record, w.environment(), "new.csv", strings.NewReader(""),
		&bytes.Buffer{}, PredictOptions{}); err == nil || !strings.HasSuffix(err.Error(), "panicked: boom") {
		t.Errorf("error %v", err)
	}
}

// kindsFile writes a table with an input and a target of three classes.
func kindsFile(t *testing.T) string {
	t.Helper()
	text := "width,kind,height\n"
	for i := range 60 {
		text += strconv.Itoa(i) + "," + []string{"red", "green", "blue"}[i%3] + "," +
			strconv.Itoa(i*i%17) + "\n"
	}
	path := filepath.Join(t.TempDir(), "kinds.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// New rows are read with the rules detected or chosen for the run's own file: decimal commas, levels, dates,
// logarithms, ignored columns and missing cells.
func TestPredictUsesColumnChoices(t *testing.T) {
	head := "id;sold;town;area;garden;price;rooms\n"
	var lines []string
	for i := range 60 {
		area := strconv.Itoa(40+i*i%97) + "," + strconv.Itoa(i%10)
		if i%20 == 7 {
			area = "NA"
		}
		lines = append(lines, strings.Join([]string{
			"h" + strconv.Itoa(i), "2021-0" + strconv.Itoa(1+i%9) + "-1" + strconv.Itoa(i%9),
			[]string{"Ulm", "Bonn", "Kiel"}[i%3], area,
			[]string{"yes", "no"}[i*i%2], strconv.Itoa(100+i*7%50) + "." + strconv.Itoa(100+i) + ",50",
			strconv.Itoa(2 + i%4)}, ";"))
	}
	for rule, dropped := range map[string]int{table.MissingMean: 0, table.MissingDrop: 1} {
		t.Setenv("DGPLAB_RUNS", t.TempDir())
		path := filepath.Join(t.TempDir(), "houses.csv")
		if err := os.WriteFile(path, []byte(head+strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Start(context.Background(),
			rundir.Config{Dataset: path, Targets: []string{"price"}, Family: "svgp", Seed: 2,
				Columns: table.Choices{Missing: rule, Log: []string{"area"}},
				Set:     map[string]string{"steps": "5", "inducing": "5", "test_samples": "5"}})
		if err != nil {
			t.Fatal(err)
		}
		end := wait(t, r, rundir.StopSteps)
		info, err := rundir.Find(r.ID())
		if err != nil {
			t.Fatal(err)
		}
		want, err := info.Predictions()
		if err != nil {
			t.Fatal(err)
		}
		kept := lines
		if rule == table.MissingDrop {
			kept = slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
				return strings.Contains(line, "NA")
			})
		}
		table := head
		for _, row := range want.Rows {
			table += kept[row] + "\n"
		}
		done, got := predicted(t, r.ID(), table+lines[7]+"\n", 0.5)
		if end.Data.D != 7 || done.Dropped != dropped || done.Rows != want.N+1-dropped {
			t.Errorf("missing=%s: D %d, %+v", rule, end.Data.D, done)
		}
		for i := range want.N {
			mean, err := strconv.ParseFloat(got["price_mean"][i], 64)
			if err != nil || mean != want.Mean[i] || got["price"][i] == "" {
				t.Errorf("missing=%s, row %d: %v, want %v (%v)",
					rule, i, got["price_mean"][i], want.Mean[i], err)
			}
		}
		// An ignored column may be absent, and the order of columns may differ.
		_, got = predicted(t, r.ID(), "garden;town;rooms;area;sold\nYES;Kiel;3;70,5;2021-03-01\n")
		if got["price_mean"][0] == "" || got["price_sd"][0] == "" {
			t.Errorf("without the ignored column: %v", got)
		}
		record, err := rundir.FindReadOnly(r.ID())
		if err != nil {
			t.Fatal(err)
		}
		for cells, problem := range map[string]string{
			"yes;Rome;3;70," +
				"5;2021-03-01": `new.csv, line 2, column 2 (town): "Rome" is not a level of the model; the ` +
				`levels are Bonn, Kiel, Ulm; --unknown ignore predicts without it`,
			"yes;Kiel;3;0;2021-03-01": `new.csv, line 2, column 4 (area): "0" has no logarithm`,
			"yes;Kiel;3;70," +
				"5;01/03/2021": `new.csv, line 2, column 5 (sold): "01/03/2021" is not a date in the ` +
				`model's format`,
			"perhaps;Kiel;3;5;2021-03-01": `new.csv, line 2, column 1 (garden): "perhaps" is not a level ` +
				`of the model; the levels are no, yes; --unknown ignore predicts without it`,
		} {
			_, err := Predict(context.Background(), record, "new.csv",
				strings.NewReader("garden;town;rooms;area;sold\n"+cells+"\n"),
				&bytes.Buffer{}, PredictOptions{})
			if err == nil || err.Error() != problem {
				t.Errorf("%s: %v; want %s", cells, err, problem)
			}
		}
		var out bytes.Buffer
		done, err = Predict(context.Background(), record, "new.csv", strings.NewReader(
			"garden;town;rooms;area;sold\nyes;Kiel;3;70;2021-03-01\nperhaps;Rome;3;70;2021-03-01\n"),
			&out, PredictOptions{RowOptions: probe.RowOptions{IgnoreUnknown: true, Format: probe.JSON}})
		if err != nil || done.Rows != 2 || done.Unknown != 1 {
			t.Fatalf("unknown levels ignored: %+v, %v", done, err)
		}
		var rows [2]struct {
			Event, Unknown *string
			Row            int
			Mean           float64 `json:"price_mean"`
		}
		for i, line := range strings.SplitN(strings.TrimSpace(out.String()), "\n", 2) {
			if err := json.Unmarshal([]byte(line), &rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := rows[0], rows[1]; a.Unknown != nil || b.Unknown == nil || *b.Unknown != "town; garden" ||
			*b.Event != "row" || b.Row != 2 || a.Mean == 0 || a.Mean == b.Mean {
			t.Errorf("unknown levels ignored: %s", out.String())
		}
	}
}

// The error of an output that cannot be opened names it.
func TestPredictIntoUnwritable(t *testing.T) {
	w := newWorld(t)
	end := wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	record, err := rundir.FindReadOnly(end.ID)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "socket")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	file := filepath.Join(t.TempDir(), "out.csv")
	_, err = PredictInto(t.Context(), record, "new.csv", strings.NewReader("1,2,3\n"), file, PredictOptions{})
	if err == nil || !strings.HasPrefix(err.Error(), `unknown family "fake"`) {
		t.Errorf("a model that cannot be built: %v", err)
	}
	for _, out := range []string{socket, filepath.Join(end.Dir, "config.json", "out.csv")} {
		_, err := PredictInto(t.Context(), record, "new.csv", strings.NewReader("1,2,3\n"), out,
			PredictOptions{})
		if path := new(os.PathError); !errors.As(err, &path) || path.Path != out {
			t.Errorf("%s: error %v", out, err)
		}
	}
}

// Suggest returns the errors of its table.
func TestSuggestRefusesBadTable(t *testing.T) {
	record := trained(t, soilConfig(t, "linear", ""))
	for table, want := range map[string]string{
		"":                          "new.csv: no rows of numbers",
		"x,Cd,Ni\n":                 "the table has no candidates",
		strings.Repeat("1\n", 5000): "4096 candidates are too many; want at most 3800",
		"x\n1\n\n3\nu\n":            `new.csv, line 5, column 1 (x): "u" is not a number`,
	} {
		_, err := Suggest(t.Context(), record, "new.csv", strings.NewReader(table),
			probe.SuggestOptions{Count: 1})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %s", table, err, want)
		}
	}
}
