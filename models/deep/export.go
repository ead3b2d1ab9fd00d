package deep

import (
	"fmt"

	"dgplab/models/family"
	"dgplab/models/layer"
)

// Posterior implements family.Posterior. There are no arrays if points have inducing outputs of their
// own.
func (m *Model) Posterior() (list []family.Tensor, err error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	for l, current := range m.stack().layers {
		g, ok := current.(*layer.Global)
		if !ok {
			return nil, nil
		}
		n, outputs := g.Inducing(), current.Outputs()
		z := g.InducingInputs()
		mean := family.Tensor{Name: fmt.Sprintf("layer.%d.inducing_mean", l), Shape: []int{outputs, n}}
		cov := family.Tensor{
			Name: fmt.Sprintf("layer.%d.inducing_covariance", l), Shape: []int{outputs, n, n},
		}
		for t := range outputs {
			mean.Data = append(mean.Data, g.Mean(t)...)
			cov.Data = append(cov.Data, g.Covariance(t)...)
		}
		list = append(list, family.Tensor{Name: fmt.Sprintf("layer.%d.inducing_inputs", l),
			Shape: []int{n, len(z) / n}, Data: z}, mean, cov)
	}
	return list, nil
}
