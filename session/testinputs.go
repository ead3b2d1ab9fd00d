package session

import (
	"context"
	"errors"
	"slices"

	"dgplab/datasets"
	"dgplab/session/rundir"
)

// TestInputs holds the inputs of the test rows of a run in original units.
type TestInputs struct {
	Columns []datasets.InputColumn
	rows    []int // ascending
	inputs  [][]float64
}

// ReadTestInputs reads the data of a recorded run. It returns an error if the test rows have changed since
// the run.
func ReadTestInputs(ctx context.Context, run rundir.Info) (*TestInputs, error) {
	if run.WithoutData() {
		return nil, errWithoutData
	}
	file, err := rundir.ReadConfig(run.Dir)
	if err != nil {
		return nil, err
	}
	return testInputsOf(ctx, file, new(Inspector))
}

func testInputsOf(ctx context.Context, file *rundir.ConfigFile, data *Inspector) (*TestInputs, error) {
	loaded, err := data.load(ctx, file.Config)
	if err != nil {
		return nil, err
	}
	test := loaded.prepared.Test
	if loaded.prepared.TestSHA256 != file.Data.TestSHA256 {
		return nil, errors.New("the data have changed since the run")
	}
	found := &TestInputs{Columns: loaded.ds.InputColumns(), rows: test.Rows}
	if found.Columns == nil {
		found.Columns = datasets.NumberColumns(loaded.ds.Inputs)
	}
	for i := range test.Rows {
		found.inputs = append(found.inputs, test.Inputs.RawRowView(i))
	}
	return found, nil
}

// Row returns the inputs of a row of the data set, or nil if it is not a test row.
func (t *TestInputs) Row(row int) []float64 {
	i, ok := slices.BinarySearch(t.rows, row)
	if !ok {
		return nil
	}
	return t.inputs[i]
}
