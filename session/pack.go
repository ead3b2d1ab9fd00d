package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// PackOptions holds options for packing a model.
type PackOptions struct {
	// Program is the version of the program, which the file names.
	Program string
	// WithoutData leaves out the training rows. It is an error if the predictions depend on them.
	WithoutData bool
	// AllowMemory skips the check that the model fits into memory.
	AllowMemory bool
}

// Pack rebuilds the model of a recorded run as Predict does, and writes everything that predictions need of
// it; see FORMAT.md. It returns the model as written. It does not change the run directory.
func Pack(ctx context.Context, run rundir.Info, w io.Writer, o PackOptions) (*rundir.Pack, error) {
	env := realEnvironment()
	t, err := reader(run, options{env: env, allowMemory: o.AllowMemory})
	if err != nil {
		return nil, err
	}
	packed := &rundir.Pack{Program: o.Program, Checkpoint: t.store.start.Clone()}
	if run.State == rundir.Ended {
		packed.Summary = run.Results
	}
	err = t.use(ctx, "packing", true, func(t *trainer, ds *datasets.Dataset) error {
		packed.Config = t.store.config
		packed.Data = datasets.Pack(ds, t.probe.Data)
		if !o.WithoutData {
			packed.Train = t.probe.Data.Train
			return nil
		}
		if run.WithoutData() {
			return nil
		}
		return t.checkWithoutData(ctx, packed, env)
	})
	if err != nil {
		return nil, err
	}
	return packed, packed.Write(w)
}

// comparedRows is the number of training rows whose predictions tell whether a model needs its data.
const comparedRows = 64

// checkWithoutData returns an error unless the packed model without its training rows predicts what the model
// of the trainer predicts, bit for bit. This is tested instead of declared: whether a posterior conditions on
// the rows depends on the family and on its hyperparameters.
func (t *trainer) checkWithoutData(ctx context.Context, packed *rundir.Pack, env environment) error {
	train := t.probe.Data.Train.X
	n, d := train.Dims()
	x := mat.DenseCopyOf(train.Slice(0, min(n, comparedRows), 0, d))
	want, err := predictions(t, x)
	if err != nil {
		return err
	}
	other, err := reader(packed.Info(""), options{env: env, allowMemory: t.allowMemory})
	var got []float64
	if err == nil {
		err = other.use(ctx, "packing", true, func(o *trainer, _ *datasets.Dataset) (err error) {
			got, err = predictions(o, x)
			return err
		})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || !slices.Equal(got, want) {
		return fmt.Errorf("the predictions of %s depend on its training data; pack it with them", t.Family)
	}
	return nil
}

// predictions returns numbers that describe the predictive distributions and the functions of a model at x.
func predictions(t *trainer, x *mat.Dense) (list []float64, err error) {
	const samples = 8
	predicted, err := t.probe.Model.Predict(x, samples, 1)
	if err != nil {
		return nil, err
	}
	n, p := predicted.Dims()
	switch m := predicted.(type) {
	case predictive.Classification:
		list = make([]float64, n*m.Classes())
		m.Probabilities(list)
	case predictive.Regression:
		list = make([]float64, 3*n*p)
		m.Moments(list[:n*p], list[n*p:2*n*p])
		m.PIT(list[2*n*p:], make([]float64, n*p))
	}
	sampler, ok := t.probe.Model.(family.FunctionSampler)
	if !ok {
		return list, nil
	}
	draws, err := sampler.DrawFunctions(x, samples, 1)
	for _, draw := range draws {
		list = append(list, slices.Concat(draw...)...)
	}
	return list, err
}

// errWithoutData is the error of a query that needs the training rows of a model that was packed without
// them.
var errWithoutData = errors.New("the model was packed without its training data; only predict works with it")

// loadPacked makes the run use the data of a packed model. Without its rows, others stand in for them.
func (t *trainer) loadPacked() *datasets.Dataset {
	train := t.packed.Train
	if train.Len() == 0 {
		train = t.packed.Data.StandIn()
	}
	ds, prepared := t.packed.Data.Unpack(train)
	t.adopt(&loadedData{ds, prepared, t.Split})
	return ds
}
