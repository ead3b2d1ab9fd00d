package sampling

import (
	"dgplab/models/view"
)

// View sets the draws of the given quantities and returns their view. of computes the values of all
// quantities from a kept sample, given as free parameters (see Draws). Before any sample is kept,
// quantities have no draws.
func (m *Model) View(
	quantities []Quantity, of func(values, free []float64) error,
) (*view.Chains, error) {
	values := make([]float64, len(quantities))
	for i := range quantities {
		quantities[i].Draws = make([][]float64, len(m.chains))
	}
	for c := range m.chains {
		for _, free := range m.Draws(c) {
			if err := of(values, free); err != nil {
				return nil, err
			}
			for i, v := range values {
				quantities[i].Draws[c] = append(quantities[i].Draws[c], v)
			}
		}
	}
	out := View(quantities, m.reservoirs[0].Distance())
	out.Complete = m.StepsDone() >= m.phases.BurnIn+m.phases.Kept*m.phases.Thinning
	return out, nil
}
