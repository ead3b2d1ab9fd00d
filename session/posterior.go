package session

import (
	"context"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// WritePosterior rebuilds the model of a recorded run as Predict does, and writes its posterior, its
// parameters and its predictions of the test points as an NPZ file. FORMAT.md describes the arrays.
//
// It does not change the run directory. It returns an error if there is no checkpoint, or if the data
// of the run cannot be loaded or have changed.
func (r *Record) WritePosterior(ctx context.Context, w io.Writer) error {
	return r.writePosterior(ctx, realEnvironment(), w)
}

func (r *Record) writePosterior(ctx context.Context, env environment, w io.Writer) error {
	return r.rebuild(ctx, options{env: env}, "exporting", true, func(t *trainer, _ *datasets.Dataset) error {
		list, err := t.posterior()
		if err != nil {
			return err
		}
		predictions, err := r.testTensors(t)
		if err != nil {
			return err
		}
		return writeNPZ(w, append(list, predictions...))
	})
}

// posterior returns the scaling of the data, the learned parameters and the posterior of the model.
func (t *trainer) posterior() ([]family.Tensor, error) {
	scaling := t.probe.Data.Scaling
	list := []family.Tensor{
		vector("step", []float64{float64(t.modelStep())}),
		vector("input_mean", scaling.InputMean), vector("input_sd", scaling.InputSD),
		vector("target_mean", scaling.TargetMean), vector("target_sd", scaling.TargetSD),
	}
	for _, q := range t.probe.Model.Hyper() {
		list = append(list, vector("parameter."+q.Name, q.Value))
	}
	if m, ok := t.probe.Model.(family.Posterior); ok {
		arrays, err := m.Posterior()
		if err != nil {
			return nil, err
		}
		list = append(list, arrays...)
	}
	views, err := t.probe.Views()
	if views.Chains == nil {
		return list, err
	}
	return append(list, drawTensors(views.Chains)...), err
}

// vector returns an array of one dimension.
func vector(name string, values []float64) family.Tensor {
	return family.Tensor{Name: name, Shape: []int{len(values)}, Data: values}
}

// drawTensors returns the kept draws of the quantities of chains, [chains][n].
func drawTensors(c *view.Chains) (list []family.Tensor) {
	for _, q := range c.Quantities {
		if q.Kept == nil || len(q.Kept.Draws) == 0 {
			continue
		}
		a := family.Tensor{Name: "draws." + q.Name, Shape: []int{len(q.Kept.Draws), len(q.Kept.Draws[0])}}
		for _, chain := range q.Kept.Draws {
			a.Data = append(a.Data, chain...)
		}
		list = append(list, a)
	}
	return list
}

// testTensors returns the test points and their predictions, in original units. There are none if the
// run was not evaluated.
func (r *Record) testTensors(t *trainer) ([]family.Tensor, error) {
	if r.Summary == nil || r.Summary.Test == nil {
		return nil, nil
	}
	p, err := r.Predictions()
	if err != nil {
		return nil, err
	}
	rows := make([]float64, p.N)
	for i, row := range p.Rows {
		rows[i] = float64(row)
	}
	list := []family.Tensor{vector("test.row", rows), vector("test.log_lik", p.LogLik)}
	if test := t.probe.Data.Test; slices.Equal(test.Rows, p.Rows) {
		original := mat.DenseCopyOf(test.X)
		t.probe.Data.Scaling.UnscaleInputs(original)
		_, d := original.Dims()
		list = append(list, family.Tensor{Name: "test.inputs", Shape: []int{p.N, d},
			Data: original.RawMatrix().Data})
	}
	return append(list, outputTensors(p)...), nil
}

// outputTensors returns the targets and the predictions of points.
func outputTensors(p *rundir.Predictions) (list []family.Tensor) {
	add := func(name string, values []float64, columns int) {
		if values != nil {
			list = append(list, family.Tensor{Name: "test." + name, Shape: []int{p.N, columns}, Data: values})
		}
	}
	add("target", p.Target, p.P)
	add("mean", p.Mean, p.P)
	add("variance", p.Variance, p.P)
	add("pit", p.PIT, p.P)
	add("log_lik_by_target", p.LogLikByTarget, p.P)
	add("probability", p.Probability, p.Columns())
	return list
}
