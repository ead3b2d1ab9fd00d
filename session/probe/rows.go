package probe

import (
	"context"
	"errors"
	"io"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// RowOptions holds options for predicting new rows.
type RowOptions struct {
	// Quantiles holds levels between 0 and 1, for real targets.
	Quantiles []float64
	// IgnoreUnknown accepts levels of categories that are not in the data of the run; see
	// [datasets.Rows.IgnoreUnknown]. A column of the output names the affected inputs of each row.
	IgnoreUnknown bool
	// Draws is the number of functions drawn jointly over all rows. With draws, all rows are held in
	// memory, and there may be at most mostJointRows.
	Draws int
	// JSON writes a JSON object for each row instead of a table.
	JSON bool
	// Progress is called with the number of rows predicted so far. It can be nil.
	Progress func(rows int)
}

// Predicted summarises the prediction of new rows.
type Predicted struct {
	// Run is the ID of the run, and Step is the step of its model.
	Run  string `json:"run"`
	Step int    `json:"step"`
	// Rows is the number of rows, and Samples is the number of draws per row.
	Rows int `json:"rows"`
	// Dropped is the number of rows left out because an input is missing, as in the run's own file.
	Dropped int `json:"dropped,omitempty"`
	// Unknown is the number of rows with a level that is not in the data of the run.
	Unknown int `json:"unknown,omitempty"`
	Samples int `json:"samples"`
	// Draws is the number of functions drawn jointly over the rows. FewerDraws is true if the model
	// does not have as many as requested.
	Draws      int  `json:"draws,omitempty"`
	FewerDraws bool `json:"-"`
	// Scores holds the scores of the rows with targets, or nil if there are none.
	Scores *rundir.Metrics `json:"scores,omitempty"`
}

// PredictRows predicts rows with the given number of samples and writes the predictions in original
// units; see FORMAT.md. The caller sets Run and Step of the result.
func (p *Probe) PredictRows(
	ctx context.Context, rows *datasets.Rows, out io.Writer, samples int, o RowOptions,
) (*Predicted, error) {
	if o.IgnoreUnknown {
		rows.IgnoreUnknown()
	}
	done := new(Predicted)
	size := max(1, chunkDraws/samples)
	next := func() (*datasets.Batch, error) { return rows.Next(ctx, size) }
	var draws *rowDraws
	if o.Draws > 0 {
		held, drawn, err := p.jointRows(ctx, rows, size, o.Draws)
		if err != nil {
			return nil, err
		}
		next = func() (*datasets.Batch, error) {
			if len(held) == 0 {
				return nil, io.EOF
			}
			first := held[0]
			held = held[1:]
			return first, ctx.Err()
		}
		draws = drawn
		if draws != nil {
			done.Draws = len(draws.values)
			done.FewerDraws = done.Draws < o.Draws
		}
	}
	w := newRowWriter(out, p.columns.targets, p.Data, rows, o)
	w.draws = draws
	if err := w.head(); err != nil {
		return nil, err
	}
	units := unitsOf(p.Data.Scaling)
	var tally predictive.Tally
	for chunk := 0; ; chunk++ {
		batch, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		predicted, err := p.predictAt(batch.X, samples, p.derive(testDraws, chunk))
		if err != nil {
			return nil, err
		}
		done.Samples = components(predicted, samples)
		y := batch.Y.RawMatrix().Data
		points := newPredictions(batch.Part, p.Data.Task, p.Data.Classes)
		err = p.wait(func() {
			if rows.HasTarget() {
				tally.Add(predicted, y, batch.Targets.RawMatrix().Data, units)
			}
			addPredictions(points, 0, predicted, y, units)
		})
		if err != nil {
			return nil, err
		}
		if err := w.write(points, batch, predicted, units); err != nil {
			return nil, err
		}
		done.Rows += len(batch.Rows)
		for _, unknown := range batch.Unknown {
			if len(unknown) > 0 {
				done.Unknown++
			}
		}
		if o.Progress != nil {
			o.Progress(done.Rows)
		}
	}
	if scores := tally.Scores(); scores.N > 0 {
		done.Scores = newMetrics(scores, done.Samples, p.columns.targets)
	}
	done.Dropped = rows.Dropped()
	return done, w.flush()
}
