package gibbs

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// Posterior implements family.Posterior. It exports the kept draws of all sampled quantities.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	draws := m.AllDraws()
	j := m.joint
	n := j.n()
	var nuggets []float64
	kernels := make([][]float64, j.layers)
	functions := make([][]float64, j.layers-1)
	for _, free := range draws {
		p := j.at(free)
		nuggets = append(nuggets, p.nugget[0])
		for l, values := range p.kernel {
			kernels[l] = append(kernels[l], slices.Concat(values...)...)
		}
		for l, hidden := range p.hidden {
			functions[l] = append(functions[l], hidden...)
		}
	}
	out.Add("train_inputs", "training inputs, each mapped from its range to [0, 1], [inputs, points]",
		slices.Clone(j.x), j.inputs, n)
	out.Add("nugget_draws", "noise variance relative to the scale tau2, which is integrated out",
		nuggets, len(draws))
	for l, values := range kernels {
		name := fmt.Sprintf("layer.%d.theta_draws", l)
		help := "squared lengthscale of each function, twice that for rbf, [draws, functions]"
		if !j.simple(l) {
			name = fmt.Sprintf("layer.%d.kernel_draws", l)
			help = "parameters of the kernels with squared lengthscales, [draws, parameters]: " +
				strings.Join(j.labels(l), "; ")
		}
		out.Add(name, help, values, len(draws), len(j.values(l)))
	}
	for l, values := range functions {
		out.Add(fmt.Sprintf("layer.%d.function_draws", l),
			"hidden functions at the training inputs, [draws, functions, points]",
			values, len(draws), j.width, n)
	}
	m.ExportChains(&out)
	return out, nil
}
