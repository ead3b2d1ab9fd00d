package probe

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
)

const (
	// exportedPoints is the maximum number of test points at which functions are drawn jointly and
	// input-dependent posteriors are evaluated.
	exportedPoints = 200
	// exportedDraws is the maximum number of functions.
	exportedDraws = 100
)

// Posterior returns the posterior of the model: functions drawn jointly at some test points, evenly
// spaced in the order of the test set, and the arrays of the family.
func (p *Probe) Posterior() (out family.Arrays, err error) {
	var at []int
	test := p.Data.Test
	n := min(test.Len(), exportedPoints)
	for i := range n {
		at = append(at, i*test.Len()/n)
	}
	x := copyRows(test.X, at, 0, n)
	if err := p.drawFunctions(&out, x, at); err != nil {
		return out, fmt.Errorf("draw functions at test points: %w", err)
	}
	m, ok := p.Model.(family.Posterior)
	if !ok {
		out.Missing = append(out.Missing, "parameters of the posterior: the family does not export them")
		return out, nil
	}
	own, err := Ask(p, func() (family.Arrays, error) { return m.Posterior(x) })
	out.Tensors = append(out.Tensors, own.Tensors...)
	out.Missing = append(out.Missing, own.Missing...)
	return out, err
}

// drawFunctions adds draws of functions at x, the test points at the given positions.
func (p *Probe) drawFunctions(out *family.Arrays, x *mat.Dense, at []int) error {
	m, err := p.jointSampler()
	if err != nil {
		out.Missing = append(out.Missing, "draws of functions: "+err.Error())
		return nil
	}
	draws, err := Ask(p, func() ([][][]float64, error) {
		return m.DrawFunctions(x, exportedDraws, p.derive(posteriorDraws, 0))
	})
	if err != nil || len(draws) == 0 {
		return err
	}
	rows := make([]float64, len(at))
	for i, k := range at {
		rows[i] = float64(k)
		if p.Data.Test.Rows != nil { // Otherwise the part is the data set itself.
			rows[i] = float64(p.Data.Test.Rows[k])
		}
	}
	out.Add("functions.row", "rows of these test points in the data set, from 0", rows, len(rows))
	_, d := x.Dims()
	inputs := copyRows(p.Data.Test.Inputs, at, 0, len(at)).RawMatrix().Data
	out.Add("functions.inputs", "their inputs, in original units", inputs, len(rows), d)
	about := "functions without noise drawn jointly at these points, [draws, targets, points], in original " +
		"units"
	if p.Data.Task != task.Regression || p.functionsOfTarget(len(draws[0])) > 1 {
		about = "latent functions drawn jointly at these points, [draws, latent functions, points]"
	}
	if !p.Data.Task.Classes() {
		p.unscale(draws)
	}
	var values []float64
	for _, draw := range draws {
		for _, function := range draw {
			values = append(values, function...)
		}
	}
	out.Add("functions.draws", about, values, len(draws), len(draws[0]), len(rows))
	return nil
}
