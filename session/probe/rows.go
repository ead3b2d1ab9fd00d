package probe

import (
	"context"
	"errors"
	"fmt"
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
	// Above holds limits in original units. A column of the output has the probability that a real target or
	// a count exceeds the limit.
	Above []float64
	// Missing is the treatment of missing inputs: table.MissingError, table.MissingDrop or table.MissingMean.
	// If it is empty, it is that of the run.
	Missing string
	// Keep lists columns of the rows, by name or by index from 0, that are copied to the output as text.
	Keep []string
	// Format is CSV if it is empty. Digits is the number of significant digits of predictions in text, or 0
	// for all digits.
	Format Format
	Digits int
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
	// Dropped is the number of rows left out because an input is missing.
	Dropped int `json:"dropped,omitempty"`
	// Unknown is the number of rows with a level that is not in the data of the run.
	Unknown int `json:"unknown,omitempty"`
	// Outside is the number of rows with an input outside of the range of the training set.
	Outside int `json:"outside,omitempty"`
	Samples int `json:"samples"`
	// Draws is the number of functions drawn jointly over the rows. FewerDraws is true if the model
	// does not have as many as requested.
	Draws      int  `json:"draws,omitempty"`
	FewerDraws bool `json:"-"`
	// Renamed describes the columns of the file whose names are those of predictions, such as "row is
	// row_data".
	Renamed []string `json:"renamed,omitempty"`
	// Noise states what the predictions contain if the table lacks the known noise that the data of the run
	// have, and is empty otherwise.
	Noise string `json:"noise,omitempty"`
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
	if o.Missing != "" {
		rows.Missing(o.Missing)
	}
	if p.Data.Task.Classes() && len(o.Above) > 0 {
		return nil, errors.New("the targets are classes; only numbers have probabilities above a limit")
	}
	done := new(Predicted)
	if name := rows.LacksNoise(); name != "" {
		done.Noise = fmt.Sprintf("the table lacks column %s, so the predictions contain only the "+
			"uncertainty of the function", name)
		if p.Data.LearnedNoise {
			done.Noise += " and the learned part of the noise"
		}
	}
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
		if err := addNoise(predicted, batch.Noise); err != nil {
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
		done.Unknown += marked(batch.Unknown)
		done.Outside += marked(batch.Outside)
		if o.Progress != nil {
			o.Progress(done.Rows)
		}
	}
	if scores := tally.Scores(); scores.N > 0 {
		done.Scores = newMetrics(scores, done.Samples, p.columns.targets)
	}
	done.Dropped = rows.Dropped()
	done.Renamed = w.renamed
	return done, w.out.end()
}

// marked returns the number of rows that name any column.
func marked(rows [][]string) (n int) {
	for _, names := range rows {
		if len(names) > 0 {
			n++
		}
	}
	return n
}
