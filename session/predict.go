package session

import (
	"context"
	"errors"
	"io"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// PredictOptions holds options for predicting new rows.
type PredictOptions struct {
	// Quantiles holds levels between 0 and 1, for real targets.
	Quantiles []float64
	// IgnoreUnknown accepts levels of categories that are not in the data of the run; see
	// [datasets.Rows.IgnoreUnknown]. A column of the output names the affected inputs of each row.
	IgnoreUnknown bool
	// JSON writes a JSON object for each row instead of a table.
	JSON bool
	// AllowMemory skips the check that the model fits into memory.
	AllowMemory bool
	// Progress is called with the number of rows predicted so far. It can be nil.
	Progress func(rows int)
}

// Predicted summarises the prediction of new rows.
type Predicted struct {
	Run string `json:"run"`
	// Step is the step of the model.
	Step int `json:"step"`
	// Rows is the number of rows, and Samples is the number of draws per row.
	Rows int `json:"rows"`
	// Dropped is the number of rows left out because an input is missing, as in the run's own file.
	Dropped int `json:"dropped,omitempty"`
	// Unknown is the number of rows with a level that is not in the data of the run.
	Unknown int `json:"unknown,omitempty"`
	Samples int `json:"samples"`
	// Scores holds the scores of the rows with targets, or nil if there are none.
	Scores *rundir.Metrics `json:"scores,omitempty"`
}

// Predict rebuilds the model of a recorded run with the kept parameters of its last checkpoint,
// predicts the rows of a table and writes the predictions as a table in original units. See
// [datasets.NewRows] for the input and FORMAT.md for the output. name is the name of the table in
// errors. Rows are read and written in chunks.
//
// Predict does not change the run directory. The draws depend on the position in the table: the
// rows of the test set in their order get exactly the predictions of the run's own evaluation.
//
// It returns an error if there is no checkpoint, or if the data of the run cannot be loaded or have
// changed. It returns a [table.Error] for errors in the table.
func (r *Record) Predict(
	ctx context.Context, name string, in io.Reader, out io.Writer, o PredictOptions,
) (*Predicted, error) {
	return r.predict(ctx, realEnvironment(), name, in, out, o)
}

func (r *Record) predict(
	ctx context.Context, env environment, name string, in io.Reader, out io.Writer, o PredictOptions,
) (*Predicted, error) {
	t, err := r.reader(env)
	if err != nil {
		return nil, err
	}
	t.allowMemory = o.AllowMemory
	defer t.leave()
	var done *Predicted
	err = t.recoverError("predicting with", func() error {
		ds, err := t.rebuild(ctx)
		if err != nil {
			return err
		}
		if err := t.adoptKept(); err != nil {
			return err
		}
		rows, err := datasets.NewRows(ds, t.prepared.Scaling, name, in)
		if err != nil {
			return err
		}
		if o.IgnoreUnknown {
			rows.IgnoreUnknown()
		}
		done, err = t.predictRows(ctx, rows,
			newPredictionWriter(out, t.columns.targets, t.prepared, rows, o), o.Progress)
		return err
	})
	return done, err
}

// predictRows predicts rows and writes them.
func (t *trainer) predictRows(
	ctx context.Context, rows *datasets.Rows, w *predictionWriter, progress func(int),
) (*Predicted, error) {
	if err := w.head(); err != nil {
		return nil, err
	}
	done := &Predicted{Run: t.store.config.ID, Step: t.modelStep()}
	units := unitsOf(t.prepared.Scaling)
	var tally predictive.Tally
	size := max(1, chunkDraws/t.TestSamples)
	for chunk := 0; ; chunk++ {
		batch, err := rows.Next(ctx, size)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		prediction, err := t.predictAt(batch.X, t.TestSamples, derive(t.Seed, purposeTest, chunk))
		if err != nil {
			return nil, err
		}
		done.Samples = components(prediction, t.TestSamples)
		y := batch.Y.RawMatrix().Data
		if rows.HasTarget() {
			tally.Add(prediction, y, units)
		}
		points := newPredictions(batch.Part, t.prepared.Task, t.prepared.Classes)
		addPredictions(points, 0, prediction, y, units)
		if err := w.write(points, batch, prediction, units); err != nil {
			return nil, err
		}
		done.Rows += len(batch.Rows)
		for _, unknown := range batch.Unknown {
			if len(unknown) > 0 {
				done.Unknown++
			}
		}
		if progress != nil {
			progress(done.Rows)
		}
	}
	if scores := tally.Scores(); scores.N > 0 {
		done.Scores = newMetrics(scores, done.Samples, t.columns.targets)
	}
	done.Dropped = rows.Dropped()
	return done, w.flush()
}
