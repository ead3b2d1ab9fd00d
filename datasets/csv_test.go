package datasets

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

func readCSV(text string, targets ...string) (*Dataset, error) {
	return ReadCSV(context.Background(), strings.NewReader(text), Source{Name: "f.csv", Targets: targets})
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

// TestReadCSVForms reads the same table in many formats.
func TestReadCSVForms(t *testing.T) {
	wantX := mat.NewDense(3, 2, []float64{1, 2.5, -3, 4e2, 5, 6})
	wantY := mat.NewDense(3, 1, []float64{7, 8, 9})
	forms := map[string]string{
		"commas":              "a,b,c\n1,2.5,7\n-3,4e2,8\n5,6,9\n",
		"no header":           "1,2.5,7\n-3,4e2,8\n5,6,9\n",
		"no last line end":    "a,b,c\n1,2.5,7\n-3,4e2,8\n5,6,9",
		"semicolons":          "a;b;c\n1;2.5;7\n-3;4e2;8\n5;6;9\n",
		"tabs":                "a\tb\tc\n1\t2.5\t7\n-3\t4e2\t8\n5\t6\t9\n",
		"white space":         "  a  b  c\n 1  2.5\t7 \n-3 4e2 8\n 5 6 9\n",
		"spaces after commas": "a, b, c\n1, 2.5, 7\n-3, 4e2, 8\n5, 6, 9\n",
		"CRLF":                "a,b,c\r\n1,2.5,7\r\n-3,4e2,8\r\n5,6,9\r\n",
		"byte order mark":     "\xef\xbb\xbfa,b,c\n1,2.5,7\n-3,4e2,8\n5,6,9\n",
		"blank and comment":   "# made by hand\n\na,b,c\n\n1,2.5,7\n   \n# half way\n-3,4e2,8\n5,6,9\n\n",
		"quotes":              "\"a\",\"b\",\"c\"\n\"1\",\"2.5\",7\n-3,4e2,8\n5,6,9\n",
		"quoted delimiter":    "\"a, first\",b,\"c \"\"x\"\"\"\n1,2.5,7\n-3,4e2,8\n5,6,9\n",
		"quoted line end":     "\"a\nfirst\",b,c\n1,2.5,7\n-3,4e2,8\n5,6,9\n",
		"quoted and spaced":   "\"a b\" b c\n1 \"2.5\" 7\n-3 4e2 8\n5 6 9\n",
		"gzip":                zipped("a,b,c\n1,2.5,7\n-3,4e2,8\n5,6,9\n"),
		"gzip, tabs":          zipped("1\t2.5\t7\n-3\t4e2\t8\n5\t6\t9\n"),
	}
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			ds, err := readCSV(text)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(ds.X, wantX) || !mat.Equal(ds.Y, wantY) {
				t.Errorf("X = %v, Y = %v", mat.Formatted(ds.X), mat.Formatted(ds.Y))
			}
			if len(ds.Warnings) > 0 || ds.Task != task.Regression {
				t.Errorf("task %v, warnings %q", ds.Task, ds.Warnings)
			}
		})
	}
}

// The last cell of a file can be empty, with or without a line end.
func TestReadCSVEmptyLastCell(t *testing.T) {
	for _, delimiter := range []string{",", ";", "\t"} {
		for _, end := range []string{"", "\n", "\r\n", " "} {
			text := strings.ReplaceAll("a,b,c\n1,2,3\n4,5,6\n7,8,", ",", delimiter) + end
			ds, err := readCSV(text, "b", "c")
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if n, _ := ds.Y.Dims(); n != 3 || !math.IsNaN(ds.Y.At(2, 1)) || ds.Y.At(2, 0) != 8 {
				t.Errorf("%q: targets %v", text, mat.Formatted(ds.Y))
			}
		}
	}
}

func TestReadCSVTargets(t *testing.T) {
	const text = "a,b,1,d\n10,20,30,40\n11,22,33,44\n10,21,34,46\n"
	const bare = "10,20,30,40\n11,22,33,44\n12,21,34,46\n"
	cases := []struct {
		text    string
		targets []string
		want    []float64 // first row of Y
		inputs  string
	}{
		{bare, nil, []float64{40}, "x1 x2 x3"},
		{bare, []string{"0"}, []float64{10}, "x2 x3 x4"},
		{bare, []string{"-2"}, []float64{30}, "x1 x2 x4"},
		{bare, []string{"3", "1"}, []float64{40, 20}, "x1 x3"},
		{strings.Replace(text, "1,d", "c,d", 1), []string{"b"}, []float64{20}, "a c d"},
		{strings.Replace(text, "1,d", "c,d", 1), []string{" d ", "a"}, []float64{40, 10}, "b c"},
		{strings.Replace(text, "1,d", "c,d", 1), []string{"1"}, []float64{20}, "a c d"},
		{strings.Replace(text, "b,1,d", "b,,d", 1), []string{"-1"}, []float64{40}, "a b x3"},
	}
	for _, c := range cases {
		ds, err := readCSV(c.text, c.targets...)
		if err != nil {
			t.Errorf("%q: %v", c.targets, err)
			continue
		}
		if !slices.Equal(ds.Y.RawRowView(0), c.want) {
			t.Errorf("%q: first targets %v, want %v", c.targets, ds.Y.RawRowView(0), c.want)
		}
		if got := strings.Join(ds.Inputs, " "); got != c.inputs {
			t.Errorf("%q: inputs %q, want %q", c.targets, got, c.inputs)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	cases := []struct {
		name, text string
		targets    []string
		want       string // the whole message
	}{
		{"empty", "", nil, "f.csv: no rows of numbers"},
		{"blank", "\n  \n# nothing\n", nil, "f.csv: no rows of numbers"},
		{"header only", "a,b\n", nil, "f.csv: no rows of numbers"},
		{"one row", "a,b\n1,2\n", nil,
			"f.csv, line 2: only one row of numbers; at least 2 are needed"},
		{"one column", "1\n2\n", nil,
			"f.csv: only one column; at least one input and one target are needed"},
		{"word", "a,b\n1,2\n3,x\n", nil,
			`f.csv, line 3, column 2 (b): "x" is not a number; --target b:class reads the column as classes`},
		{"word, no header", "1,2\n3,4\nx,5\n", nil,
			`f.csv, line 3, column 1: "x" is not a number; --categorical x1 reads the column as a ` +
				`category, --ignore x1 ignores it`},
		{"typing error in the first row", "1,2o\n3,4\n", nil,
			`f.csv, line 1, column 2: "2o" is not a number; --target x2:class reads the column as classes`},
		{"comment counts as a line", "# c\n\n1,2\n3,x\n", nil,
			`f.csv, line 4, column 2: "x" is not a number; --target x2:class reads the column as classes`},
		{"line end in quotes counts", "\"a\nb\",c\n1,2\n3,x\n", nil,
			`f.csv, line 4, column 2 (c): "x" is not a number; --target c:class reads the column as classes`},
		{"empty input", "a,b\n1,2\n,4\n", nil,
			"f.csv, line 3, column 1 (a): the cell is missing; only targets may be missing; " +
				"--missing drop omits such rows, --missing mean uses the mean"},
		{"NaN input", "1,2\nNaN,4\n", nil,
			"f.csv, line 2, column 1: the cell is missing; only targets may be missing; --missing " +
				"drop omits such rows, --missing mean uses the mean"},
		{"target never there", "a,b\n1,NA\n3,\n", nil,
			"f.csv, column 2 (b): the target is missing in every row"},
		{"infinite", "a,b\n1,2\n3,inf\n", nil, `f.csv, line 3, column 2 (b): "inf" is not a finite number`},
		{"Inf", "1 2\n-inf 3\n", nil, `f.csv, line 2, column 1: "-inf" is not a finite number`},
		{"overflow", "1,2\n3,1e999\n", nil,
			`f.csv, line 2, column 2: "1e999" is out of the range of a number`},
		{"short row", "a,b,c\n1,2,3\n4,5\n", nil,
			"f.csv, line 3, column 3: the row has 2 cells, the first row has 3"},
		{"long row", "1,2\n3,4\n5,6,7\n", nil,
			"f.csv, line 3, column 3: the row has 3 cells, the first row has 2"},
		{"short spaced row", "1 2 3\n4\n", nil,
			"f.csv, line 2, column 2: the row has 1 cell, the first row has 3"},
		{"constant target", "a,b\n1,7\n2,7\n", nil,
			"f.csv, column 2 (b): the target is constant (7 in every row); there is nothing to learn"},
		{"nearly constant target", "1,0.998\n2,0.9980000000000001\n", nil,
			"f.csv, column 2 (x2): the target is constant (0.998 in every row); there is nothing to learn"},
		{"missing target", "a,b\n1,2\n3,4\n", []string{"z"},
			`f.csv: no target column "z"; the columns are a, b`},
		{"named target, no header", "1,2\n3,4\n", []string{"b"},
			`f.csv: no target column "b": the file has no header; use an index from 0 to 1`},
		{"target index", "1,2\n3,4\n", []string{"2"},
			"f.csv: no target column 2; valid indices are 0 to 1, or -1 to -2"},
		{"target index below", "1,2\n3,4\n", []string{"-3"},
			"f.csv: no target column -3; valid indices are 0 to 1, or -1 to -2"},
		{"target twice", "1,2\n3,4\n", []string{"1", "-1"}, `f.csv, column 2: target "-1" is named twice`},
		{"same name twice", "a,a,b\n1,2,3\n3,4,5\n", []string{"a", "0"},
			`f.csv, column 1: target "0" is named twice`},
		{"all targets", "1,2\n3,4\n", []string{"0", "1"},
			"f.csv: every column is a target; at least one input is needed"},
		{"open quote", "a,b\n1,\"2\n3,4\n", nil,
			"f.csv, line 2: a double quote is out of place or never closed"},
		{"open quote, spaced", "1 2\n3 \"4\n", nil,
			"f.csv, line 2: a double quote is out of place or never closed"},
		{"binary", "\x00\x01,\x02\n1,2\n3,4\n\x07,5\n", nil,
			`f.csv, line 1, column 1: the name of the column has the invisible character U+0000`},
		{"broken gzip", "\x1f\x8bxx", nil, "f.csv: the compressed file is cut short"},
		{"cut gzip", zipped("1,2\n3,4\n")[:25], nil, "f.csv: the compressed file is cut short"},
		{"long cell", "1,2\n3," + strings.Repeat("é", 100) + "\n", nil,
			`f.csv, line 2, column 2: "` + strings.Repeat("é", 30) +
				`…" is not a number; --target x2:class reads the column as classes`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := readCSV(c.text, c.targets...)
			var csvErr *table.Error
			if !errors.As(err, &csvErr) {
				t.Fatalf("got %v, want a *table.Error", err)
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestReadCSVClasses(t *testing.T) {
	cases := []struct {
		text    string
		targets []string
		task    task.Task
		y       []float64
		note    string
	}{
		{"1,0\n2,1\n3,1\n", nil, task.Binary, []float64{-1, 1, 1},
			"target x2 has only the values 0 and 1: treated as two classes, 0 and 1"},
		{"1,-1\n2,1\n3,1\n", nil, task.Binary, []float64{-1, 1, 1},
			"target x2 has only the values -1 and 1: treated as two classes, -1 and 1"},
		{"1,1\n2,2\n3,1\n", nil, task.Binary, []float64{-1, 1, -1},
			"target x2 has only the values 1 and 2: treated as two classes, 1 and 2; --target x2:number " +
				"treats them as numbers"},
		{"1,1\n2,2\n3,1\n", []string{"x2:number"}, task.Regression, []float64{1, 2, 1}, ""},
		{"1,0\n2,1\n3,1\n", []string{"1:number"}, task.Regression, []float64{0, 1, 1}, ""},
		{"1,5\n2,6\n", nil, task.Regression, []float64{5, 6}, ""},
		{"1,0\n2,1\n3,0.5\n", nil, task.Regression, []float64{0, 1, 0.5}, ""},
		{"1,0,5\n2,1,6\n3,1,7\n", []string{"1", "2"}, task.Regression, []float64{0, 5, 1, 6, 1, 7}, ""},
	}
	for _, c := range cases {
		ds, err := readCSV(c.text, c.targets...)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := noteText(ds.Notes); ds.Task != c.task || !slices.Equal(ds.Y.RawMatrix().Data, c.y) ||
			got != c.note || len(ds.Warnings) > 0 {
			t.Errorf("%q: task %v, Y %v, notes %q, warnings %q",
				c.text, ds.Task, ds.Y.RawMatrix().Data, got, ds.Warnings)
		}
	}
}

// noteText joins notes, with their remedies as flags.
func noteText(notes []table.Note) string {
	var texts []string
	for _, note := range notes {
		texts = append(texts, note.String())
	}
	return strings.Join(texts, "\n")
}

func TestReadCSVIndexColumnWarning(t *testing.T) {
	ds, err := readCSV(",a,b\n0,5,1\n1,6,4\n2,7,3\n")
	if err != nil || len(ds.Warnings) != 1 ||
		!strings.Contains(ds.Warnings[0].String(), "an index; --ignore x1 ignores it") {
		t.Errorf("warnings %q, error %v", ds.Warnings, err)
	}
	ds, err = readCSV("t,a,b\n0,5,1\n1,6,4\n2,7,3\n")
	if err != nil || len(ds.Warnings) != 0 {
		t.Errorf("a named column: warnings %q, error %v", ds.Warnings, err)
	}
	for text, want := range map[string]string{
		"a,House_ID,b\n0,7,1\n1,3,4\n2,5," +
			"3\n": "column House_ID has a different integer in every row: it is used as an input but looks " +
			"like an index; --ignore House_ID ignores it",
		"a,id,b\n0,7,1\n1,3,4\n2,7,3\n":          "",
		"a,id,b\n0,7.5,1\n1,3,4\n2,5,3\n":        "",
		"a,id,b\n0,1,1\n1,2,4\n":                 "",
		"a,b,id\n0,7,1\n1,3,4\n2,5,3\n3,8,3.5\n": "",
	} {
		if ds, err := readCSV(text); err != nil || noteText(ds.Warnings) != want {
			t.Errorf("%q: %v, warnings %q, want %q", text, err, ds.Warnings, want)
		}
	}
}

func TestLoadFile(t *testing.T) {
	nothing := Source{Name: filepath.Join(t.TempDir(), "nothing.csv")}
	_, described := Describe(t.Context(), nothing)
	_, loaded := loadFile(t.Context(), nothing)
	torn := Source{Name: filepath.Join(t.TempDir(), "torn.csv")}
	if err := os.WriteFile(torn.Name, []byte("a,b\n1,\"2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Describe(t.Context(), torn)
	if err == nil || !strings.HasPrefix(err.Error(), torn.Name+", line 2") {
		t.Errorf("described a torn file: %v", err)
	}
	for what, err := range map[string]error{"described": described, "loaded": loaded} {
		if !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "data set: ") {
			t.Errorf("%s a missing file: %v", what, err)
		}
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("boston", []byte("a,b\n1,2\n3,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DGPLAB_CACHE", t.TempDir())

	ds, err := Load(context.Background(), Source{Name: "./boston", Targets: []string{"a"}})
	if err != nil || ds.Targets[0] != "a" {
		t.Errorf("a path: %v, %v", ds, err)
	}
	var missing *NotFetchedError
	if _, err := Load(context.Background(), Source{
		Name: "boston",
	}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "dgplab datasets fetch boston") {
		t.Errorf("a name of the catalogue beside a file of that name: %v", err)
	}
	if info, err := Lookup("./boston"); err != nil || info.Kind != File {
		t.Errorf("Lookup of a path: %+v, %v", info, err)
	}
	for name, want := range map[string]string{
		"":          "no data set name given",
		"nosuch":    `unknown data set "nosuch"; use one of mountaincar,`,
		"no/such":   "no such file",
		"nosuch.cs": "no such file",
		"folder":    "is a folder",
	} {
		if _, err := Load(context.Background(), Source{
			Name: name,
		}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%q): %v, want %q", name, err, want)
		}
	}
}

func TestReadCSVHonoursContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := ReadCSV(ctx, strings.NewReader("1,2\n3,4\n"), Source{Name: "f.csv"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// FuzzReadCSV checks that any input gives either a valid data set or an error in one printable
// line.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{
		"", "a,b\n1,2\n3,4\n", "1;2\n3;4\n", "1\t2\n3\t4\r\n", " 1  2 \n 3 4\n", "\"a\nb\",c\n1,2\n3,5\n",
		"\xef\xbb\xbfx,y\n1,0\n2,1\n", "# c\n1,nan\n", "1,2\n3\n", "\"", "1 \"2\n",
		",\n,\n", "0x1p-2,1\n1_0,2\n",
		"1,2\n3,NA\n5,6\n7,9\n", "a,b\n1,yes\n2,no\n3,\n", "1,red\n2,green\n3,blue\n", "1,2\n3,x\n",
		"5\" 6\n1 2\n", "1,2\n\n\n3,4\n\n5,6\n",
		strings.Repeat("1,", 40) + "\n", "\"" + strings.Repeat("\n", 40) + "\",1\n2,3\n",
		zipped("1,2\n3,4\n"), "\x1f\x8b\x08", "\xff\xfe1", "1e308,1\n-1e308,2\n0,3\n",
		"5e-324,1\n0,2\n1e-323,3\n",
	} {
		f.Add([]byte(text), "")
		f.Add([]byte(text), "-1")
		f.Add([]byte(text), "1:class")
	}
	f.Fuzz(func(t *testing.T, text []byte, target string) {
		var targets []string
		if target != "" {
			targets = []string{target}
		}
		ds, err := ReadCSV(context.Background(), bytes.NewReader(text), Source{
			Name:    "f.csv",
			Targets: targets,
		})
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b\x00") {
				t.Errorf("error is not one printable line: %q", err)
			}
			return
		}
		checkDataset(t, ds)
		for _, split := range []Split{{Kind: Interpolation}, {Kind: Extrapolation}} {
			p, err := Prepare(ds, split, 0.1, 1)
			if err != nil {
				continue
			}
			for _, part := range []Part{p.Train, p.Validation, p.Test} {
				if len(part.Rows) > 0 && !(finite(part.X) && observed(part.Y)) {
					t.Errorf("%v: a prepared part is not finite", split)
				}
			}
		}
	})
}

// checkDataset fails the test unless ds is valid.
func checkDataset(t *testing.T, ds *Dataset) {
	t.Helper()
	n, d := ds.X.Dims()
	m, p := ds.Y.Dims()
	if n < 2 || d < 1 || p < 1 || m != n || len(ds.Inputs) != d || len(ds.Targets) != p {
		t.Errorf("X %d x %d, Y %d x %d, %d input and %d target names",
			n, d, m, p, len(ds.Inputs), len(ds.Targets))
	}
	if !finite(ds.X) || !observed(ds.Y) {
		t.Error("a value is not finite")
	}
	for _, v := range ds.Y.RawMatrix().Data {
		class := ds.Task == task.Multiclass && v >= 0 && v == math.Trunc(v) &&
			int(v) < len(ds.Classes)
		switch {
		case math.IsNaN(v) || ds.Task == task.Regression || class:
		case ds.Task == task.Multiclass, v != -1 && v != 1:
			t.Errorf("class %v of a %v task with classes %q", v, ds.Task, ds.Classes)
		}
	}
}

// observed reports whether all targets that are not missing are finite.
func observed(m *mat.Dense) bool {
	return !slices.ContainsFunc(m.RawMatrix().Data, func(v float64) bool { return math.IsInf(v, 0) })
}

func finite(m *mat.Dense) bool {
	return !slices.ContainsFunc(m.RawMatrix().Data, func(v float64) bool {
		return math.IsNaN(v) || math.IsInf(v, 0)
	})
}

// TestReadCSVTables reads every table of ../../shared/data/tables, if the folder exists.
func TestReadCSVTables(t *testing.T) {
	paths, _ := filepath.Glob("../../shared/data/tables/*/data.csv*")
	if len(paths) == 0 {
		t.Skip("../../shared/data/tables does not exist")
	}
	for _, path := range paths {
		ds, err := Load(context.Background(), Source{Name: path})
		var trouble *table.Error
		if errors.As(err, &trouble) && trouble.Question != nil {
			ds, err = Load(context.Background(), Source{
				Name:    path,
				Targets: []string{trouble.Question.Answers[0].Target},
			})
		}
		if err != nil {
			t.Error(err)
			continue
		}
		checkDataset(t, ds)
	}
}
