package session

import (
	"context"
	"io"

	"dgplab/datasets"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// Suggest rebuilds the model of a recorded run as Predict does, and proposes the next inputs of an
// experiment among the rows of a table, or of a Latin hypercube if in is nil. name is the name of the
// table in errors. Suggest does not change the run directory, and the same arguments give the same
// suggestions.
func Suggest(
	ctx context.Context, run rundir.Info, name string, in io.Reader, o probe.SuggestOptions,
) (*probe.Suggestions, error) {
	if run.WithoutData() {
		return nil, errWithoutData
	}
	var out *probe.Suggestions
	err := rebuild(ctx, run, options{env: realEnvironment()}, "suggesting with", true,
		func(t *trainer, ds *datasets.Dataset) (err error) {
			var rows *datasets.Rows
			if in != nil {
				rows, err = datasets.NewRows(ds, t.probe.Data.Scaling, name, in)
				if err != nil {
					return err
				}
			}
			out, err = t.probe.Suggest(ctx, rows, t.TestSamples, o)
			if err != nil {
				return err
			}
			out.Run, out.Step = t.store.config.ID, t.modelStep()
			return nil
		})
	return out, err
}

// JointAt rebuilds the model of a recorded run as Predict does, and returns its joint predictions at evenly
// spaced test points, at most the given number of them.
func JointAt(ctx context.Context, run rundir.Info, most int) (out *probe.Joint, err error) {
	err = rebuild(ctx, run, options{env: realEnvironment()}, "predicting jointly with", true,
		func(t *trainer, _ *datasets.Dataset) (err error) {
			out, err = t.probe.JointAt(ctx, most, t.TestSamples)
			return err
		})
	return out, err
}
