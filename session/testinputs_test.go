package session

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// The inputs of the test rows are those of the data set. Data that have changed since the run are refused.
func TestReadTestInputs(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	spec, err := models.Lookup("linear")
	if err != nil {
		t.Fatal(err)
	}
	record := trained(t, realConfig(spec))
	found, err := ReadTestInputs(context.Background(), record)
	if err != nil {
		t.Fatal(err)
	}
	file, err := rundir.ReadConfig(record.Dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := realEnvironment().load(context.Background(), file.Source())
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Columns) != len(data.Inputs) || found.Columns[0].Name != data.Inputs[0] {
		t.Errorf("the columns are %+v, want %q", found.Columns, data.Inputs)
	}
	p, err := record.Predictions()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range p.Rows {
		if got, want := found.Row(row), data.X.RawRowView(row); !slices.Equal(got, want) {
			t.Errorf("row %d has the inputs %v, want %v", row, got, want)
		}
		if got, want := p.Target[i], data.Y.At(row, 0); got != want {
			t.Errorf("row %d has the target %g, want %g", row, got, want)
		}
	}
	if got := found.Row(-1); got != nil {
		t.Errorf("a row that was not tested has the inputs %v", got)
	}
	file.Data.TestSHA256 = "of other rows"
	if _, err := testInputsOf(context.Background(), file, new(Inspector)); err == nil ||
		!strings.Contains(err.Error(), "the data have changed") {
		t.Errorf("changed data: %v", err)
	}
}
