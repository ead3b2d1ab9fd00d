package probe

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// predictedAs predicts rows of a file with an ID in a format and returns the output.
func predictedAs(t *testing.T, text string, o RowOptions) (*Predicted, *bytes.Buffer) {
	t.Helper()
	p := onFile(t, &linear{})
	var out bytes.Buffer
	done, err := p.PredictRows(t.Context(), keeping(t, p, realRows, text, o.Keep...), &out, 4, o)
	if err != nil {
		t.Fatal(err)
	}
	return done, &out
}

// keeping returns new rows with columns to keep, for the model of a probe that was trained on a file.
func keeping(t *testing.T, p *Probe, file, text string, keep ...string) *datasets.Rows {
	t.Helper()
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(file), datasets.Source{Name: "data.csv"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := datasets.NewRows(ds, p.Data.Scaling, "rows.csv", strings.NewReader(text), keep...)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

const rowsWithID = "id,a,b,y\n007,0.5,1,17\n=x,2,-4,\n"

// All formats hold the same columns in the same order: kept cells as text, and numbers in full.
func TestFormatsOfPredictions(t *testing.T) {
	o := RowOptions{Keep: []string{"id"}, Above: []float64{17}}
	names := []string{"row", "id", "y", "y_mean", "y_sd", "y_above_17", "log_lik", "outside"}
	above := 0.5 * math.Erfc(1/math.Sqrt2) // The first row has the mean 15 and the deviation 2.
	_, out := predictedAs(t, rowsWithID, o)
	lines, err := csv.NewReader(out).ReadAll()
	if err != nil || !slices.Equal(lines[0], names) ||
		!slices.Equal(lines[1][:5], []string{"1", "007", "17", "15", "2"}) ||
		!slices.Equal(lines[2][:3], []string{"2", "'=x", ""}) {
		t.Errorf("CSV: %q, %v", lines, err)
	}

	o.Format = JSON
	_, out = predictedAs(t, rowsWithID, o)
	var row map[string]any
	if err := json.NewDecoder(out).Decode(&row); err != nil || row["id"] != "007" || row["y"] != 17.0 ||
		len(row) != len(names)+1 || math.Abs(row["y_above_17"].(float64)-above) > 1e-15 {
		t.Errorf("JSON: %v, %v", row, err)
	}

	o.Format = NPZ
	_, out = predictedAs(t, rowsWithID, o)
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for k, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		kind := cmp.Or(map[string]string{"id": "'<U3'", "outside": "'<U1'"}[names[k]], "'<f8'")
		if err != nil || f.Name != names[k]+".npy" || !bytes.Contains(text, []byte(kind)) ||
			!bytes.Contains(text, []byte("(2,)")) {
			t.Errorf("NPZ: %s begins with %.70q (%v)", f.Name, text, err)
		}
	}

	o.Format = Parquet
	_, out = predictedAs(t, rowsWithID, o)
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, path := range file.Schema().Columns() {
		columns = append(columns, path[0])
	}
	got := make([]parquet.Row, 3)
	n, err := parquet.NewReader(file).ReadRows(got)
	if !slices.Equal(columns, names) || n != 2 || err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("Parquet: %q, %d rows, %v", columns, n, err)
	}
	if first := got[0]; first[0].Int64() != 1 || first[1].String() != "007" || first[2].Double() != 17 ||
		first[3].Double() != 15 || math.Abs(first[5].Double()-above) > 1e-15 {
		t.Errorf("Parquet: %v", first)
	}
	if second := got[1]; second[1].String() != "=x" || !second[2].IsNull() || !second[6].IsNull() {
		t.Errorf("Parquet: %v", second)
	}
}

// A large Parquet file comes back complete.
func TestManyRowsOfParquet(t *testing.T) {
	const n = parquetGroup + 10
	var out bytes.Buffer
	w := newRowFormat(&out, Parquet, 0)
	if err := w.head([]rowColumn{{"row", rowNumber}, {"b", predictedNumber}, {"a", textCell}}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		cells := []rowCell{{number: float64(i)}, {number: 1 / float64(i+1)}, {text: "x"}}
		if err := w.row(cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || file.NumRows() != n || len(file.RowGroups()) != 2 {
		t.Fatalf("%v, %v", file, err)
	}
}

// Columns of the file whose names are those of predictions are renamed, so that no name occurs twice, and
// "row" is the number of the row.
func TestColumnsOfPredictionsAreUnique(t *testing.T) {
	const text = "row,log_lik,y_mean,event,a,b,y\nr,l,m,e,0.5,1,17\n"
	always := []string{"row", "row_data", "log_lik_data", "y_mean_data", "y", "y_mean", "y_sd", "log_lik"}
	for format, name := range map[Format]string{CSV: "event", JSON: "event_data"} {
		want := append(slices.Clip(always), name)
		o := RowOptions{Format: format, Keep: []string{"row", "log_lik", "y_mean", "event"}}
		done, out := predictedAs(t, text, o)
		head := strings.SplitN(out.String(), "\n", 2)[0]
		for _, name := range want {
			if n := strings.Count(","+head+",", `,`+name+`,`) + strings.Count(head, `"`+name+`":`); n != 1 {
				t.Errorf("%s: %q occurs %d times in %s", format, name, n, head)
			}
		}
		if !slices.Contains(done.Renamed, "row is row_data") ||
			slices.Contains(done.Renamed, "event is event_data") != (format == JSON) {
			t.Errorf("%s: renamed %q", format, done.Renamed)
		}
	}
	w := &rowWriter{targets: []string{"row", "row_mean"}, has: []bool{true, true}, any: true}
	var out bytes.Buffer
	w.out = newRowFormat(&out, CSV, 0)
	if err := errors.Join(w.head(), w.out.end()); err != nil {
		t.Fatal(err)
	}
	const want = "row,row_data,row_mean,row_sd,row_mean_data,row_mean_mean,row_mean_sd,log_lik,outside\n"
	if out.String() != want {
		t.Errorf("targets with such names: %s\nwant %s", out.String(), want)
	}
}

// Rounded predictions have the chosen number of significant digits, and observed targets keep theirs.
func TestDigitsOfPredictions(t *testing.T) {
	const want = "row,y,y_mean,y_sd,log_lik,outside\n1,17.123456789,15,2,-2.18,a\n"
	if _, out := predictedAs(t, "a,b,y\n0.5,1,17.123456789\n", RowOptions{Digits: 3}); out.String() != want {
		t.Errorf("%s\nwant %s", out, want)
	}
}

// Rows with missing inputs are predicted at the mean, left out or refused, as chosen for the table.
func TestMissingInputsOfRows(t *testing.T) {
	const text = "a,b\n0.5,1\n,1\n"
	done, _ := predictedAs(t, text, RowOptions{Missing: table.MissingMean})
	if done.Rows != 2 || done.Dropped > 0 {
		t.Errorf("mean: %+v", done)
	}
	done, _ = predictedAs(t, text, RowOptions{Missing: table.MissingDrop})
	if done.Rows != 1 || done.Dropped != 1 {
		t.Errorf("drop: %+v", done)
	}
	p := onFile(t, &linear{})
	for _, missing := range []string{"", table.MissingError} {
		_, err := p.PredictRows(t.Context(), keeping(t, p, realRows, text), io.Discard, 4,
			RowOptions{Missing: missing})
		if err == nil || !strings.Contains(err.Error(), "line 3, column 1 (a): the cell is missing") ||
			!strings.Contains(err.Error(), "--missing mean") {
			t.Errorf("%q: %v", missing, err)
		}
	}
}

// Only numbers have a probability above a limit.
func TestAboveOfClassesIsRefused(t *testing.T) {
	p := onFile(t, &linear{class: true})
	p.Data.Task = task.Binary
	_, err := p.PredictRows(t.Context(), keeping(t, p, classRows, "a,b\n1,2\n"), io.Discard, 4,
		RowOptions{Above: []float64{1}})
	if err == nil || !strings.Contains(err.Error(), "the targets are classes") {
		t.Error(err)
	}
}
