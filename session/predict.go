package session

import (
	"context"
	"io"

	"dgplab/datasets"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// PredictOptions holds options for predicting new rows.
type PredictOptions struct {
	probe.RowOptions
	// AllowMemory skips the check that the model fits into memory.
	AllowMemory bool
}

// Predict rebuilds the model of a recorded run with the kept parameters of its last checkpoint, predicts the
// rows of a table and writes the predictions as a table in original units. See [datasets.NewRows] for the
// input and FORMAT.md for the output. Errors call the table name. Rows are read and written in chunks.
//
// Predict does not change the run directory. The draws depend on the position in the table: for the rows of
// the test set, in their order, the predictions equal the run's own evaluation exactly.
//
// It returns an error if there is no checkpoint, or if the data of the run cannot be loaded or have
// changed. It returns a [table.Error] for errors in the table.
func Predict(
	ctx context.Context, run rundir.Info, name string, in io.Reader, out io.Writer, o PredictOptions,
) (*probe.Predicted, error) {
	return predict(ctx, run, realEnvironment(), name, in, out, o)
}

func predict(
	ctx context.Context, run rundir.Info, env environment, name string, in io.Reader, out io.Writer,
	o PredictOptions,
) (*probe.Predicted, error) {
	var done *probe.Predicted
	err := rebuild(ctx, run, options{env: env, allowMemory: o.AllowMemory}, "predicting with", true,
		func(t *trainer, ds *datasets.Dataset) error {
			rows, err := datasets.NewRows(ds, t.probe.Data.Scaling, name, in, o.Keep...)
			if err != nil {
				return err
			}
			done, err = t.probe.PredictRows(ctx, rows, out, t.TestSamples, o.RowOptions)
			if err != nil {
				return err
			}
			done.Run, done.Step = t.store.config.ID, t.modelStep()
			return nil
		})
	return done, err
}
