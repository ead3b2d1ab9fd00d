package session

import (
	"context"
	"errors"
	"fmt"
	"io"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// PredictOptions say how new rows are predicted.
type PredictOptions struct {
	// Quantiles are levels between 0 and 1, of real targets.
	Quantiles []float64
	// AllowMemory builds the model even if it does not seem to fit the memory that is free.
	AllowMemory bool
	// Progress, if it is not nil, is told how many rows were predicted.
	Progress func(rows int)
}

// Predicted says what became of new rows.
type Predicted struct {
	Run string `json:"run"`
	// Step is that of the model.
	Step int `json:"step"`
	// Rows counts the rows, Samples the draws for each.
	Rows int `json:"rows"`
	// Dropped counts the rows that were left out because they miss an input, as those of the
	// run's own file were.
	Dropped int `json:"dropped,omitempty"`
	Samples int `json:"samples"`
	// Scores are those of the rows that have targets; nil where there are none.
	Scores *rundir.Metrics `json:"scores,omitempty"`
}

// Predict builds the model of a recorded run anew, brings it to the parameters that its last
// checkpoint keeps as the run's result, and writes what it predicts of the rows of a table, in
// original units, as a table: see [datasets.NewRows] for what is read, and FORMAT.md for what is
// written. name is what errors call the table. Rows are read and written a few at a time.
//
// Nothing in the run directory is changed. Equal rows in an equal place of the table are
// predicted by equal draws: the test part, in its order, as the run's own evaluation did.
//
// It returns an error if there is no checkpoint, if the data of the run cannot be loaded or
// are no longer those of the run, and a [datasets.CSVError] about the table.
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
	err = t.guardLook("predicting with", func() error {
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
		done, err = t.predictRows(ctx, rows,
			newPredictionWriter(out, t.columns.targets, t.prepared, rows, o.Quantiles), o.Progress)
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
	size := max(1, chunkDraws/t.testSamples)
	for chunk := 0; ; chunk++ {
		batch, err := rows.Next(ctx, size)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		prediction, err := t.predictAt(batch.X, t.testSamples, derive(t.Seed, purposeTest, chunk))
		if err != nil {
			return nil, err
		}
		done.Samples = components(prediction, t.testSamples)
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

// notANumber is the error of a row that the model makes no sense of.
func notANumber(row int) error {
	return fmt.Errorf("the prediction of row %d is not a number", row+1)
}
