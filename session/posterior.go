package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/session/npz"
	"dgplab/session/rundir"
)

// WritePosterior rebuilds the model of a recorded run as Predict does, and writes its posterior, its
// parameters and its predictions of the test points as an NPZ file. FORMAT.md describes the arrays.
//
// WritePosterior does not change the run directory. It returns an error if there is no checkpoint, or if the
// data of the run cannot be loaded or have changed.
func WritePosterior(ctx context.Context, run rundir.Info, w io.Writer) error {
	return writePosterior(ctx, run, realEnvironment(), w)
}

func writePosterior(ctx context.Context, run rundir.Info, env environment, w io.Writer) error {
	export := func(t *trainer, _ *datasets.Dataset) error {
		out := t.parameters()
		own, err := t.probe.Posterior()
		if err != nil {
			return err
		}
		out.Tensors = append(out.Tensors, own.Tensors...)
		out.Missing = append(out.Missing, own.Missing...)
		if err := t.addDraws(&out); err != nil {
			return err
		}
		if err := addTest(&out, run, t); err != nil {
			return err
		}
		arrays := []npz.Array{{Name: "about", Text: about(run, out)}}
		for _, a := range out.Tensors {
			arrays = append(arrays, npz.Array{Name: a.Name, Shape: a.Shape, Data: a.Data})
		}
		return npz.Write(w, arrays)
	}
	return rebuild(ctx, run, options{env: env}, "exporting", true, export)
}

// about returns a line of text about a run and one about each array.
func about(run rundir.Info, arrays family.Arrays) []string {
	lines := []string{
		fmt.Sprintf("posterior of the run %s, family %s, data %s", run.ID, run.Family, run.Dataset),
		"units are standardised unless stated otherwise; session/FORMAT.md of dgplab describes the arrays",
	}
	for _, a := range arrays.Tensors {
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Shape), "[]"), " ", " x ")
		lines = append(lines, fmt.Sprintf("%s (%s): %s", a.Name, shape, a.About))
	}
	for _, text := range arrays.Missing {
		lines = append(lines, "missing: "+text)
	}
	return lines
}

// parameters returns the scaling of the data and the learned parameters.
func (t *trainer) parameters() (out family.Arrays) {
	list := func(name, about string, values []float64) { out.Add(name, about, values, len(values)) }
	scaling := t.probe.Data.Scaling
	list("step", "step of the parameters", []float64{float64(t.modelStep())})
	list("input_mean", "standardised input = (input - mean) / sd, in original units", scaling.InputMean)
	list("input_sd", "see input_mean", scaling.InputSD)
	about := "standardised target = (target - mean) / sd, in original units"
	if scaling.Log {
		about = "standardised target = (log target - mean) / sd"
	}
	list("target_mean", about, scaling.TargetMean)
	list("target_sd", "see target_mean", scaling.TargetSD)
	for _, q := range t.probe.Model.Hyper() {
		list("parameter."+q.Name, "learned parameter", q.Value)
	}
	return out
}

// addDraws adds the kept draws of the sampled quantities that the dashboard shows.
func (t *trainer) addDraws(out *family.Arrays) error {
	views, err := t.probe.Views()
	if err != nil || views.Chains == nil {
		return err
	}
	for _, q := range views.Chains.Quantities {
		if q.Kept == nil || len(q.Kept.Draws) == 0 {
			continue
		}
		var values []float64
		for _, chain := range q.Kept.Draws {
			values = append(values, chain...)
		}
		about := fmt.Sprintf("every draw number %d of this quantity, [chains, draws]", q.Kept.Every)
		out.Add("draws."+q.Name, about, values, len(q.Kept.Draws), len(q.Kept.Draws[0]))
	}
	return nil
}

// addTest adds the test points and their predictions.
func addTest(out *family.Arrays, run rundir.Info, t *trainer) error {
	if run.Results == nil || run.Results.Test == nil {
		out.Missing = append(out.Missing, "predictions of the test points: the run was not evaluated")
		return nil
	}
	p, err := run.Predictions()
	if err != nil {
		return err
	}
	rows := make([]float64, p.N)
	for i, row := range p.Rows {
		rows[i] = float64(row)
	}
	out.Add("test.row", "rows of the test points in the data set, from 0", rows, p.N)
	if test := t.probe.Data.Test; slices.Equal(test.Rows, p.Rows) {
		_, d := test.Inputs.Dims()
		out.Add("test.inputs", "inputs, in original units", test.Inputs.RawMatrix().Data, p.N, d)
	}
	addOutputs(out, p)
	return nil
}

// addOutputs adds the targets and the predictions of points.
func addOutputs(out *family.Arrays, p *rundir.Predictions) {
	for _, a := range []struct {
		name, about string
		values      []float64
		columns     int
	}{
		{"target", "targets, in original units or as codes of classes", p.Target, p.P},
		{"mean", "means of the predictions, in original units", p.Mean, p.P},
		{"variance", "variances of the predictions with noise, in original units", p.Variance, p.P},
		{"pit", "predictive distribution functions at the targets", p.PIT, p.P},
		{"log_lik_by_target", "log predictive density of each target, in original units",
			p.LogLikByTarget, p.P},
		{"probability", "probability of class +1, or of each of more than two classes",
			p.Probability, p.Columns()},
	} {
		if a.values != nil {
			out.Add("test."+a.name, a.about, a.values, p.N, a.columns)
		}
	}
	out.Add("test.log_lik", "log predictive density of all targets in original units, or log probability "+
		"of the class", p.LogLik, p.N)
}
