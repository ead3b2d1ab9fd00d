package gibbs

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// Posterior implements family.Posterior. It exports the kept draws of all sampled quantities.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	draws := m.AllDraws()
	j := m.joint
	n := j.n()
	var nuggets []float64
	thetas := make([][]float64, j.layers)
	functions := make([][]float64, j.layers-1)
	for _, free := range draws {
		p := j.at(free)
		nuggets = append(nuggets, p.nugget[0])
		for l, theta := range p.theta {
			thetas[l] = append(thetas[l], theta...)
		}
		for l, hidden := range p.hidden {
			functions[l] = append(functions[l], hidden...)
		}
	}
	out.Add("train_inputs", "training inputs, each mapped from its range to [0, 1], [inputs, points]",
		slices.Clone(j.x), j.inputs, n)
	out.Add("nugget_draws", "noise variance relative to the scale tau2, which is integrated out",
		nuggets, len(draws))
	for l, values := range thetas {
		out.Add(fmt.Sprintf("layer.%d.theta_draws", l),
			"squared lengthscale of each function, twice that for rbf, [draws, functions]",
			values, len(draws), len(j.theta[l]))
	}
	for l, values := range functions {
		out.Add(fmt.Sprintf("layer.%d.function_draws", l),
			"hidden functions at the training inputs, [draws, functions, points]",
			values, len(draws), j.width, n)
	}
	m.ExportChains(&out)
	return out, nil
}
